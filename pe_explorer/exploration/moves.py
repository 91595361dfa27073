"""Fields of an exploration that change with zooming, panning and moving the cursor."""

from typing import Any

from pe_explorer.encodings import LIMIT, Encoding, Unknown, create, find
from pe_explorer.exploration.fields import Exploration
from pe_explorer.numeric.positions import positions_in
from pe_explorer.params import declared


def zoomed(state: Exploration, factor: float, anchor: float = 0.5) -> dict[str, int]:
    """Return `start` and `count` for `factor` times as many positions.

    The position at the fraction `anchor` of the range stays there, if the limits allow it.
    """
    count = round(state.count * factor)
    if count == state.count:
        count += (factor > 1) - (factor < 1)
    count = min(max(count, 1), LIMIT)
    moved = round((state.count - count) * anchor)
    return _fitted(state, state.start + moved, count)


def panned(state: Exploration, positions: int) -> dict[str, int]:
    """Return `start` and `count` moved by a number of positions, within the limits."""
    return _fitted(state, state.start + positions, state.count)


def centred(state: Exploration, count: int | None = None) -> dict[str, int]:
    """Return `start` and `count` with the cursor in the middle, as far as the limits allow it.

    The count is that of the exploration, unless another is given.
    """
    count = count or state.count
    wanted = state.position - count // 2
    low = 0 if state.position >= 0 and _begins_at_0(state) else -LIMIT
    start = min(max(wanted, low), LIMIT + 1 - count)
    return {"start": start, "count": count}


def back_to_0(state: Exploration) -> dict[str, int]:
    """Return `start` of as many positions from 0 on, or of as many offsets up to 0."""
    first = _first_range(state)
    if _begins_at_0(state):
        return {"start": first.start}
    return {"start": first.stop - state.count}


def first_shown(state: Exploration) -> dict[str, int]:
    """Return `start` and `count` of what an encoding shows at first."""
    first = _first_range(state)
    return {"start": first.start, "count": len(first)}


def with_encoding(state: Exploration, name: str | None = None, /, **parameters: Any) -> Exploration:
    """Return the intention with other parameters, or with another scheme.

    A scheme keeps the parameters that both share. Where its rows mean something else, it begins
    with its own range.
    """
    old = state.intention.encoding
    name = name or old.name
    if not isinstance(old, Unknown):  # whose parameters were never checked
        kinds = declared(find(name))
        kept = {
            key: value
            for key, value in old.parameters.items()
            if name == old.name or (key in kinds and kinds[key].shared)
        }
        parameters = {**kept, **parameters}
    encoding = create(name, **parameters)
    return state.with_(encoding=encoding, **initial_fields(old, encoding))


def with_scheme(state: Exploration, name: str) -> Exploration:
    """Return the intention with another scheme, set so that its pictures show something.

    What nobody has touched changes with it: the metric, if it is the one that suits the old scheme,
    and parameters that suit the positions in either scheme.
    """
    old = state.intention.encoding
    if isinstance(old, Unknown):
        return with_encoding(state, name)
    scheme, positions = find(name), state.intention.positions
    usual = type(old).default().parameters | type(old).suited(positions)
    suited = scheme.suited(positions)
    left = {key: scheme.default().parameters.get(key) for key in type(old).suited(positions)}
    parameters = {
        key: value
        for key, value in {**left, **suited}.items()
        if value is not None and old.parameters.get(key, usual.get(key)) == usual.get(key)
    }
    there = with_encoding(state, name, **parameters)
    if state.metric == type(old).suited_metric:
        there = there.with_(metric=scheme.suited_metric)
    return there


def initial_fields(old: Encoding | Unknown, new: Encoding | Unknown) -> dict[str, int]:
    """Return the fields that a new encoding starts with, none if its rows mean the same."""
    if isinstance(old, Unknown) or isinstance(new, Unknown) or old.rows == new.rows:
        return {}
    first = new.first_range
    cursor = 0 if 0 in first else first.start
    second = cursor + 1 if cursor + 1 in first else cursor - 1
    return {
        "start": first.start,
        "count": len(first),
        "position": cursor,
        "second": second,
        "reference": 0,
    }


def first_rows(first: range, domain: range) -> range:
    """Return the rows of a domain that lie in the first range, or else its own first ones."""
    return positions_in(first, domain) or domain[: len(first)]


def moved_to(state: Exploration, rows: range) -> dict[str, int]:
    """Return the fields that show some rows; a cursor or reference elsewhere moves to the first.

    The second position moves to the second of them.
    """
    fields = {"start": rows[0], "count": len(rows)}
    first, second = rows[0], rows[:2][-1]
    rows_of = {"position": first, "reference": first, "second": second}
    elsewhere = [name for name in rows_of if getattr(state, name) not in rows]
    return fields | {name: rows_of[name] for name in elsewhere}


def moved_cursor(state: Exploration, what: str, steps: int) -> dict[str, int]:
    """Return the cursor moved by `steps`; the shown positions follow where it leaves them.

    `what` is ``position``, ``dimension``, ``page`` (a tenth of the shown positions) or
    ``end`` (the first or last of them).
    """
    if what == "dimension":
        if isinstance(state.encoding, Unknown):
            return {}
        last = state.encoding.width - 1
        dimension = min(max(state.dimension + steps, 0), last)
        return {"dimension": dimension}
    if what == "end":
        end = 0 if steps < 0 else -1
        return {"position": state.positions[end]}
    if what == "page":
        steps *= max(1, state.count // 10)
    low = min(0, state.start, state.position) if _begins_at_0(state) else -LIMIT
    position = min(max(state.position + steps, low), LIMIT)
    if position in state.positions or state.position not in state.positions:
        return {"position": position}
    edge = state.start if steps < 0 else state.positions[-1]
    return {"position": position, **panned(state, position - edge)}


def _fitted(state: Exploration, start: int, count: int) -> dict[str, int]:
    low = 0 if state.start >= 0 and _begins_at_0(state) else -LIMIT
    start = min(max(start, low), LIMIT + 1 - count)
    return {"start": start, "count": count}


def _begins_at_0(state: Exploration) -> bool:
    """Return whether the rows are positions, not offsets.

    Sequences begin at 0: rows before it are shown only if their number was typed.
    """
    return _first_range(state).start >= 0


def _first_range(state: Exploration) -> range:
    e = state.encoding
    return Encoding.first_range if isinstance(e, Unknown) else e.first_range
