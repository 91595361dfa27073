"""Changes to an exploration: zooming, panning, moving the cursor, changing the encoding."""

from typing import Any

from pe_explorer.encodings import LIMIT, Encoding, Unknown, create, find
from pe_explorer.exploration.fields import Exploration
from pe_explorer.numeric.positions import clip_positions
from pe_explorer.params import declared


def zoom_range(state: Exploration, factor: float, anchor: float = 0.5) -> dict[str, int]:
    """Return `start` and `count` after multiplying the count by `factor`.

    The position at the fraction `anchor` of the range does not move, unless a limit requires it.
    """
    count = round(state.count * factor)
    if count == state.count:
        count += (factor > 1) - (factor < 1)
    count = min(max(count, 1), LIMIT)
    shift = round((state.count - count) * anchor)
    return _fit(state, state.start + shift, count, state.start)


def pan_range(state: Exploration, positions: int) -> dict[str, int]:
    """Return `start` moved by `positions` and clipped to the limits, and `count`."""
    return _fit(state, state.start + positions, state.count, state.start)


def centre_range(state: Exploration, count: int | None = None) -> dict[str, int]:
    """Return `start` and `count` with the cursor in the middle; keep the count by default."""
    count = count or state.count
    return _fit(state, state.position - count // 2, count, state.position)


def return_to_0(state: Exploration) -> dict[str, int]:
    """Return the `start` that shows positions from 0 or offsets up to 0, with the same count."""
    first = _find_first_range(state)
    start = first.start if _has_positions(state) else first.stop - state.count
    return {"start": start}


def reset_range(state: Exploration) -> dict[str, int]:
    """Return `start` and `count` of the encoding's initial range."""
    first = _find_first_range(state)
    return {"start": first.start, "count": len(first)}


def with_encoding(state: Exploration, name: str | None = None, /, **parameters: Any) -> Exploration:
    """Return the intention with other parameters or with another scheme.

    A new scheme keeps the values of shared parameters. If the meaning of the rows changes, for
    example from positions to offsets, the result shows the initial range.
    """
    old = state.intention.encoding
    name = name or old.name
    if not isinstance(old, Unknown):  # the parameters of an unknown encoding are unchecked
        kinds = declared(find(name))
        shared_parameters = {
            key: value
            for key, value in old.parameters.items()
            if name == old.name or (key in kinds and kinds[key].is_shared)
        }
        parameters = {**shared_parameters, **parameters}
    encoding = create(name, **parameters)
    return state.with_(encoding=encoding, **find_initial_fields(old, encoding))


def with_scheme(state: Exploration, name: str) -> Exploration:
    """Return the intention with another scheme and with settings that suit the scheme.

    If the metric is the old scheme's preferred metric, the new scheme's preferred metric replaces
    it. Parameters that depend on the positions are adapted if they still have their defaults.
    """
    old = state.intention.encoding
    if isinstance(old, Unknown):
        return with_encoding(state, name)
    scheme, positions = find(name), state.intention.positions
    old_suitable_values = type(old).suggest_parameters(positions)
    suitable_values = scheme.suggest_parameters(positions)
    defaults = type(old).default().parameters | old_suitable_values
    scheme_defaults = {key: scheme.default().parameters.get(key) for key in old_suitable_values}
    parameters = {
        key: value
        for key, value in {**scheme_defaults, **suitable_values}.items()
        if value is not None and old.parameters.get(key, defaults.get(key)) == defaults.get(key)
    }
    new_state = with_encoding(state, name, **parameters)
    if state.metric == type(old).preferred_metric:
        new_state = new_state.with_(metric=scheme.preferred_metric)
    return new_state


def find_initial_fields(old: Encoding | Unknown, new: Encoding | Unknown) -> dict[str, int]:
    """Return the initial range and cursor of the new encoding.

    Return an empty dictionary if the meaning of the rows does not change, or if an encoding
    is unknown.
    """
    if isinstance(old, Unknown) or isinstance(new, Unknown) or old.rows == new.rows:
        return {}
    first = new.first_range
    cursor = 0 if 0 in first else first.start
    second = cursor + 1 if cursor + 1 in first else cursor - 1
    fields = {"start": first.start, "count": len(first)}
    return {**fields, "position": cursor, "second": second, "reference": 0}


def find_first_rows(first: range, domain: range) -> range:
    """Return the rows of `domain` that lie in `first` or, if there are none, its first rows."""
    return clip_positions(first, domain) or domain[: len(first)]


def make_fields_for_rows(state: Exploration, rows: range) -> dict[str, int]:
    """Return the fields that show the given rows.

    If the cursor or the reference position is outside the rows, it moves to the first row. If
    the second position is outside the rows, it moves to the second row.
    """
    first, second = rows[0], rows[:2][-1]
    positions = {"position": first, "reference": first, "second": second}
    changed = {name: p for name, p in positions.items() if getattr(state, name) not in rows}
    return {"start": first, "count": len(rows), **changed}


def move_cursor(state: Exploration, unit: str, steps: int) -> dict[str, int]:
    """Return the fields after moving the cursor; the range moves if the cursor would leave it.

    `unit` is ``position``, ``dimension``, ``page`` (a tenth of the range) or ``end`` (the
    first or last position of the range).
    """
    if unit == "dimension":
        if isinstance(state.encoding, Unknown):
            return {}
        return {"dimension": min(max(state.dimension + steps, 0), state.encoding.width - 1)}
    if unit == "end":
        end = 0 if steps < 0 else -1
        return {"position": state.positions[end]}
    if unit == "page":
        steps *= max(1, state.count // 10)
    low = min(0, state.start, state.position) if _has_positions(state) else -LIMIT
    position = min(max(state.position + steps, low), LIMIT)
    if position in state.positions or state.position not in state.positions:
        return {"position": position}
    edge = state.start if steps < 0 else state.positions[-1]
    return {"position": position, **pan_range(state, position - edge)}


def _fit(state: Exploration, start: int, count: int, current_position: int) -> dict[str, int]:
    """Return `start` clipped to the limits, and `count`.

    Negative positions are within the limits only if `current_position` is also negative, or
    if the rows are offsets.
    """
    low = 0 if current_position >= 0 and _has_positions(state) else -LIMIT
    return {"start": min(max(start, low), LIMIT + 1 - count), "count": count}


def _has_positions(state: Exploration) -> bool:
    """Return whether the rows are positions, which begin at 0, instead of offsets."""
    return _find_first_range(state).start >= 0


def _find_first_range(state: Exploration) -> range:
    e = state.encoding
    return Encoding.first_range if isinstance(e, Unknown) else e.first_range
