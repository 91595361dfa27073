"""What a heatmap shows, in words: in its status, in the badge over its pixels, at the cursor."""

from dataclasses import replace

from pe_explorer.analysis.angles import AngleDifference
from pe_explorer.analysis.comparison import Show, Subject, columns_of_cursor
from pe_explorer.analysis.precision import float32_error
from pe_explorer.encodings import EncodingError, Waves, needs, require_known
from pe_explorer.exploration import Exploration, shown_names
from pe_explorer.params import printed
from pe_explorer.pictures.figure import Note, Substitute
from pe_explorer.pictures.heatmap.numbers import HeatmapNumbers
from pe_explorer.pictures.heatmap.options import HeatmapOptions, axis_of
from pe_explorer.pictures.inspection import Inspection, Value, brief_reading, inspect_value, signed
from pe_explorer.pictures.limits import substitute_sentence


def badge(subject: Subject, options: HeatmapOptions, numbers: HeatmapNumbers) -> str:
    """Return what a pixel shows that stands for many cells, or an empty text."""
    by_rows = "mean" if options.averages else "first"
    by_columns = "mean" if options.averages_columns else "first"
    rows = subject.encoding.rows.counted(numbers.block)
    columns = _counted_columns(subject, options, numbers)
    if not columns:
        return f"{by_rows} of {rows}" if numbers.block > 1 else ""
    if _takes_turns(numbers, options):
        return f"{by_rows} of {rows}, {columns}" if numbers.block > 1 else columns
    if numbers.block == 1:
        return f"{by_columns} of {columns}"
    if by_rows == by_columns:
        return f"{by_rows} of {rows} × {columns}"
    return f"{by_rows} of {rows}, {by_columns} of {columns}"


def _takes_turns(numbers: HeatmapNumbers, options: HeatmapOptions) -> bool:
    """Return whether pixels show sines and cosines in turn; of both the angle is the same."""
    if numbers.columns is None or options.shows_angles:
        return False
    return numbers.columns.kinds > 1


def _counted_columns(subject: Subject, options: HeatmapOptions, numbers: HeatmapNumbers) -> str:
    """Return for how many columns a column of pixels stands, an empty text for one."""
    if numbers.columns is None:
        return ""
    plural = axis_of(subject, options).plural
    return numbers.columns.counted(plural, in_turn=not options.shows_angles)


def note(numbers: HeatmapNumbers) -> Note | None:
    """Return the sentence over the picture, and what its button leads to."""
    if not numbers.note:
        return None
    if numbers.rows is not None:
        return Note(numbers.note, "Show its rows", rows=numbers.rows)
    offer = "Zoom to where structure begins" if numbers.period else ""
    return Note(numbers.note, offer, period=numbers.period)


def status(
    state: Exploration,
    options: HeatmapOptions,
    numbers: HeatmapNumbers,
    substitute: Substitute | None,
) -> str:
    """Return in a sentence what the pixels are."""
    second = _second(state, options, numbers.second)
    if numbers.indices is None:
        return f"Heatmap: nothing is shown. {numbers.note}{second}"
    subject = state.subject
    which = _which(state, options)
    rows = _row_of_pixels(subject, options, numbers.block)
    columns = _column_of_pixels(subject, options, numbers)
    blank = _blank(options, numbers, compared=subject.less is not None)
    colours = substitute_sentence(substitute)
    return f"Heatmap: {which}{rows}{columns}.{blank}{second}{colours}"


def _second(state: Exploration, options: HeatmapOptions, second: HeatmapNumbers | None) -> str:
    """Return what is drawn beside the picture, or an empty text."""
    if second is None:
        return ""
    shown = options.windows(state.positions)[1]
    if second.indices is None:
        return f" Beside it nothing is shown: {second.note}"
    plural = state.subject.encoding.rows.plural
    return f" Beside it the {plural} from {shown[0]:,} to {shown[-1]:,}."


def _row_of_pixels(subject: Subject, options: HeatmapOptions, block: int) -> str:
    """Return what a row of pixels is."""
    of = subject.encoding.rows
    if block == 1:
        return f"one {of.name} a row"
    compared = subject.less is not None
    linear = ""
    if not options.averages:
        how = "the first of"
    elif compared and options.shows_angles:
        how = "the exact mean difference over"
    else:
        how = "the exact mean of"
        linear = " (the difference of their means)" if compared else ""
    return f"a row of pixels is {how} {of.counted(block)}{linear}"


def _column_of_pixels(subject: Subject, options: HeatmapOptions, numbers: HeatmapNumbers) -> str:
    """Return what a column of pixels is, or an empty text where it is one dimension."""
    which = "the mean of" if options.averages_columns else "the first of"
    what = _counted_columns(subject, options, numbers)
    if _takes_turns(numbers, options):
        means = f"{which} {what}," if what else "sines and cosines"
        return f", columns of pixels show {means} in turn"
    return f", a column is {which} {what}" if what else ""


def _blank(options: HeatmapOptions, numbers: HeatmapNumbers, *, compared: bool) -> str:
    """Return what pixels without a colour stand for, where there can be some."""
    if not options.shows_angles:
        return "" if numbers.finite else " White: no finite number."
    if numbers.block == 1 or not options.averages:
        return ""
    if compared:
        return " White: the difference makes many turns, whose angles cancel."
    return " White: many turns, whose angles cancel."


def _which(state: Exploration, options: HeatmapOptions) -> str:
    """Return which encodings are looked at, where pins are, and in which dimensions."""
    subject, names = state.subject, shown_names(state)
    columns = subject.encoding.columns.plural
    if options.shows_errors:
        which = f" of {names[Show.PINNED]}" if subject.show == Show.PINNED else ""
        return f"what the usual float32 code{which} makes, minus the exact value; "
    if subject.less is not None:
        name = names[Show.DIFFERENCE]
        kind = f"angles, {name}" if options.shows_angles else name
        if subject.encoding.width == subject.less.width == subject.width:
            return f"{kind}; "
        return f"{kind} in the {subject.width:,} {columns} that both have; "
    if subject.show == Show.CURRENT:
        return ""
    reachable = columns_of_cursor(subject, require_known(state.encoding)) >= 0
    reach = int(reachable.sum())
    if reach == subject.width:
        return f"{names[Show.PINNED]}; "
    own = f"its {subject.width:,} {columns}"
    has = f"that {names[Show.CURRENT]} has"
    kept = f"only the {reach:,} of {own} {has}" if reach else f"none of {own}"
    return f"{names[Show.PINNED]} (the cursor reaches {kept}); "


# -- the cursor ------------------------------------------------------------------------------------


_COMPARED = {
    Show.PINNED: ("Pinned", "The number of the pinned encoding at the same place."),
    Show.DIFFERENCE: (
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
    if found.values and state.show == Show.CURRENT and not with_error:
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
    if subject.show == Show.CURRENT or subject.lack or place is None:
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
        shown = "value" if subject.show == Show.CURRENT else name
        return brief_reading(subject.encoding.reading(p, place), shown)
    difference = signed(subject.value(p, place))
    parts = [f"{name}: {difference}"]
    if not any(needs.steady(e) for e in subject.encodings):
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
