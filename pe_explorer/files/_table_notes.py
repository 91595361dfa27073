"""Notes on tables that have changed since an export."""

from collections.abc import Iterator
from pathlib import Path

from pe_explorer import tables
from pe_explorer.encodings import Stored
from pe_explorer.exploration import Exploration, paths
from pe_explorer.params import FileName
from pe_explorer.tables import Source, TableError

_LONGEST_TYPE = 20  # characters

Folder = Path | str | None


def changed_tables(exported: object, state: Exploration, folder: Folder) -> Iterator[str]:
    """Yield a sentence for each table of `state` that has changed since the export.

    `exported` are shape and type of each, as `paths.contents` gave them: perhaps edited, or none.
    `folder` is where the file with them lies.
    """
    if not isinstance(exported, dict):
        return
    spell = paths.shared(folder)
    encodings = {"encoding": state.encoding}
    for index, pin in enumerate(state.pins):
        encodings[f"pins[{index}].encoding"] = pin.encoding
    places: dict[Source, str] = {}
    for place, e in encodings.items():
        if isinstance(e, Stored):
            places.setdefault(e.source, place)  # one sentence for each table
    for source, place in places.items():
        then = _described(exported.get(paths.key_of(source, spell)))
        now = _described(_contents_now(source))
        if then and now and then != now:
            name = FileName.last_part(source[0])
            change = f"{name} held {then} when this was exported, and holds {now} now"
            yield f"{place}.file: {change}; choose another file if this is not the right one."


def _contents_now(source: Source) -> object:
    try:
        table = tables.load(*source)
    except TableError:
        return None  # the encoding reports it
    return {"shape": [table.rows, table.columns], "type": str(table.dtype)}


def _described(contents: object) -> str:
    """Return shape and type of a table in words; an empty text where they are malformed."""
    match contents:
        case {"shape": [int(rows), int(columns)], "type": str(kind)}:
            sizes_fit = min(rows, columns) > 0 and max(rows, columns) < 1 << 63
            type_fits = len(kind) <= _LONGEST_TYPE and kind.isprintable()
            if sizes_fit and type_fits:
                return f"{rows} × {columns} numbers of type {kind}"
    return ""
