"""Explorations in files of the gallery; fields that are missing have their defaults."""

from collections.abc import Iterable, Mapping
from typing import Any

from pe_explorer import encodings, pictures
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import (
    PIN_COLOURS,
    Exploration,
    Panes,
    Pin,
    check_pins,
    panes_of,
    paths,
    short_name,
)
from pe_explorer.gallery._entry import DamagedError, JsonEntry
from pe_explorer.params import ParameterError, declared, did_you_mean, quoted

_FILES = {"file", "encoding.file"}  # parameters that name one


def with_own_tables(values: Any) -> Any:
    """Return what a file of the gallery holds, with whole names of tables of the program."""
    if isinstance(values, Mapping):
        whole = {key: with_own_tables(value) for key, value in values.items()}
        for key in _FILES & whole.keys():
            whole[key] = paths.own_table(str(whole[key])) or whole[key]
        return whole
    return [*map(with_own_tables, values)] if isinstance(values, list) else values


def explored(values: Mapping[str, Any]) -> Exploration:
    """Return the exploration that an object describes, or raise `DamagedError`."""
    entry = JsonEntry(dict(values), "exploration")
    fields: dict[str, Any] = {}
    try:
        fields["encoding"] = _encoding(entry.object("encoding"))
        fields["pins"] = tuple(_pins(entry.objects("pins")))
        panes = _panes(entry.object("panes"))
        options = entry.object("options").values if entry.has("options") else {}
        for name in declared(Exploration):
            if entry.has(name):
                fields[name] = entry.take(name)
        entry.end()
        state = Exploration(**fields, panes=panes)
        check_pins(state.pins, fields.get("compared", 0), fields.get("show", "current"))
        for view, chosen in options.items():
            state = _with_options(state, view, chosen)
    except ParameterError as error:
        raise DamagedError(f"exploration: {error}") from None
    return state


def _encoding(entry: JsonEntry) -> Encoding:
    name, parameters = entry.text("name"), entry.values
    known = declared(encodings.find(name))
    _refuse_unknown(entry, parameters, known)
    return encodings.create(name, **parameters)


def _pins(entries: Iterable[JsonEntry]) -> Iterable[Pin]:
    """Yield pins; one without a colour gets the next one."""
    for index, entry in enumerate(entries):
        encoding = _encoding(entry.object("encoding"))
        name = entry.text_or_none("name") or short_name(encoding)
        free = tuple(PIN_COLOURS)[index % len(PIN_COLOURS)]
        colour = entry.text_or_none("colour") or free
        entry.end()
        yield Pin(encoding, name, colour)


def _panes(entry: JsonEntry) -> Panes:
    """Return the panes, which are always named."""
    views = entry.texts("views")
    for view in views:
        if view not in pictures.names():
            hint = did_you_mean(view, pictures.names())
            raise entry.refuse("views", f"{quoted(view)} is not the name of a view{hint}")
    panes = panes_of(views, entry.text_or_none("arrangement"), entry.text_or_none("active"))
    entry.end()
    return panes


def _with_options(state: Exploration, view: str, chosen: object) -> Exploration:
    """Return an exploration with the options of one view."""
    if view not in pictures.names():
        hint = did_you_mean(view, pictures.names())
        raise DamagedError(f"exploration.options: {quoted(view)} is not a view{hint}")
    entry = JsonEntry(chosen, f"exploration.options.{view}")
    _refuse_unknown(entry, entry.values, declared(pictures.find(view).Options))
    return pictures.with_options(state, view, **entry.values)


def _refuse_unknown(entry: JsonEntry, values: Iterable[str], known: Iterable[str]) -> None:
    for key in values:
        if key not in known:
            raise entry.refuse(key, f"is not known{did_you_mean(key, known)}")
