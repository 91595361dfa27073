"""What is noted of tables beside their names: it tells whether a file of the name is another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pe_explorer import tables
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration import Exploration, paths
from pe_explorer.params import FileName
from pe_explorer.tables import TableError

__all__ = ["other_tables"]

_LONGEST_TYPE = 20  # characters


def other_tables(noted: object, state: Exploration, folder: Path | str | None) -> Iterator[str]:
    """Yield a sentence for each table that is not as it was noted when something was exported.

    Parameters
    ----------
    noted : object
        What `paths.contents` gave, as a file has it: perhaps edited, or none.
    state : Exploration
        What the file holds, whose tables are there or not.
    folder : path or None
        Where the file lies.
    """
    if not isinstance(noted, dict):
        return
    spell = paths.shared(folder)
    told: set[str] = set()
    for place, e in _encodings(state).items():
        if not isinstance(e, Stored) or e.file in told:
            continue
        told.add(e.file)
        then, now = _described(noted.get(spell(e.file))), _held(e.file)
        if then and now and then != now:
            name = FileName.last_part(e.file)
            problem = f"{name} held {then} when this was exported, and holds {now} now"
            yield (
                f"{place}.file: {problem}; choose another file if it is not the one that is meant."
            )


def _encodings(state: Exploration) -> dict[str, Encoding | Unknown]:
    pins = {f"pins[{index}].encoding": pin.encoding for index, pin in enumerate(state.pins)}
    return {"encoding": state.encoding, **pins}


def _held(path: str) -> str:
    """Return what a file holds, an empty text where it is no table: that is told elsewhere."""
    try:
        table = tables.load(path)
    except TableError:
        return ""
    return _in_words(table.rows, table.columns, str(table.dtype))


def _described(entry: object) -> str:
    """Return what was noted of a file, an empty text where that is not as it was written."""
    if not isinstance(entry, dict):
        return ""
    shape, kind = entry.get("shape"), entry.get("type")
    if not isinstance(shape, list) or not isinstance(kind, str):
        return ""
    numbers = len(shape) == 2 and all(isinstance(n, int) and 0 < n < 1 << 63 for n in shape)
    if not numbers or len(kind) > _LONGEST_TYPE or not kind.isprintable():
        return ""
    return _in_words(shape[0], shape[1], kind)


def _in_words(rows: int, columns: int, kind: str) -> str:
    return f"{rows} × {columns} numbers of type {kind}"
