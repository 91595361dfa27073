"""What the heatmap says of the cursor: the value of its cell, and where it is if not shown."""

from dataclasses import replace

from pe_explorer.analysis.angles import AngleDifference
from pe_explorer.analysis.precision import float32_error
from pe_explorer.encodings import EncodingError, Waves, needs, require_known
from pe_explorer.exploration import Exploration, shown_names
from pe_explorer.params import printed
from pe_explorer.pictures.inspection import Inspection, Value, brief_reading, inspect_value, signed

_COMPARED = {
    "pinned": ("Pinned", "The number of the pinned encoding at the same place."),
    "difference": (
        "Difference",
        "The number of the current encoding minus that of the pinned one.",
    ),
}
"""Name and meaning of the number shown, where it is not the current encoding's."""


_ERROR = "float32 error"
_ERROR_MEANING = "What the usual float32 code computes at the same place, minus the exact value."


def inspect(state: Exploration, *, with_error: bool) -> Inspection:
    """Return the value of the current encoding, and beside it what the heatmap shows."""
    try:
        e = require_known(state.encoding)
        found = inspect_value(e, state.position, state.dimension)
    except EncodingError as error:  # the encoding is unknown, lacks the row, or lost its file
        found = Inspection(lack=error.sentence)
    if found.values and state.show == "current" and not with_error:
        return found
    first, *others = (replace(state, show=word) for word in state.show.split())
    try:
        off_by = _float32_error(first) if with_error else None
        brief = _brief(first)
        compared = tuple(value for each in (first, *others) for value in _compared(each))
        if off_by is not None:
            brief = (f"{_ERROR}: {printed.error(off_by, sign=True)}",)
            compared = (*compared, Value(_ERROR, repr(off_by), _ERROR_MEANING))
    except EncodingError:  # the views say which encoding it is, and what to do
        brief, compared = ("no value",), ()
    values = (*found.values, *compared) if found.values else ()
    return found._replace(values=values, brief=brief)


def _float32_error(state: Exploration) -> float | None:
    """Return the error of float32 that the heatmap shows, None where there is none."""
    subject, p, place = state.subject, state.position, state.place
    if subject.less is not None or place is None or p not in subject.domain:
        return None
    if needs.float32_angles(subject.encoding):
        return None
    return float(float32_error(subject.encoding, [p])[0, place])


def _compared(state: Exploration) -> tuple[Value, ...]:
    """Return the number that the heatmap shows, where that is not the current encoding's."""
    subject, place = state.subject, state.place
    if subject.show == "current" or subject.lack or place is None:
        return ()
    if state.position not in subject.domain:
        return ()
    number = subject.value(state.position, place)
    name, meaning = _COMPARED[subject.show]
    return (Value(name, repr(number), meaning),)


def _brief(state: Exploration) -> tuple[str, ...]:
    """Return in few words what the heatmap shows at the cursor."""
    subject, p, place = state.subject, state.position, state.place
    name = shown_names(state)[subject.show]
    if subject.lack:
        return ("no difference",)
    if p not in subject.domain:
        return ("no row here",)
    if place is None:  # the pin may not have all columns that the cursor can reach
        columns = subject.encoding.columns.counted(subject.width)
        return (f"{name}: only {columns}",)
    if subject.less is None:
        shown = "value" if subject.show == "current" else name
        return brief_reading(subject.encoding.reading(p, place), shown)
    difference = signed(subject.value(p, place))
    parts = [f"{name}: {difference}"]
    if not any(needs.waves(e) for e in subject.encodings):
        angle = _degrees(subject.angles, p, place)
        if angle is not None:
            turned = round(angle, 2) % 360  # 359.999° is 0°, not 360.00°
            parts.append(f"Δ {turned:.2f}°")
    return tuple(parts)


def _degrees(e: Waves | AngleDifference, p: int, place: int) -> float | None:
    """Return the angle of a column's wave, None where it has none."""
    wave = int(e.wave_of[place])
    if wave < 0:
        return None
    _, fraction = e.turn(wave, p)
    return fraction * 360
