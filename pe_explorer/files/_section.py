"""Reads one object of a session's document: removes values from it, and notes problems."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pe_explorer.params import (
    Declared,
    ParameterError,
    declared,
    did_you_mean,
    quoted,
    with_remedy,
)


class Section:
    """An object in a document, with its path.

    Attributes
    ----------
    path : str
        Its path, such as ``pins[0].encoding``; empty for the whole document.
    values : dict
        The values that have not been removed yet.
    notes : list of str
        Sentences about unusable values; all sections of a document share the list.
    """

    def __init__(self, path: str, values: Mapping[str, Any], notes: list[str]) -> None:
        self.path = path
        self.values = dict(values)
        self.notes = notes
        self._children: dict[str, Section] = {}
        self._known: set[str] = set()

    def note(self, problem: str, key: str = "") -> None:
        """Note a problem with the section, or with one of its keys."""
        path = self._path_of(key)
        self.notes.append(f"{path}: {problem}.")

    def child(self, key: str) -> Section:
        """Remove and return the section under a key, which is empty if there is no object."""
        values = self.values.pop(key, {})
        if not isinstance(values, dict):
            self.note(f"{quoted(values)} is not an object; ignored", key)
            values = {}
        child = Section(self._path_of(key), values, self.notes)
        self._children[key] = child
        return child

    def fields(self, cls: type[Declared], names: Collection[str] = ()) -> dict[str, Any]:
        """Remove the declared fields of a class, all or those named, and return the valid ones."""
        fitting = {}
        for name, parameter in declared(cls).items():
            if names and name not in names:
                continue
            self._known.add(name)
            if name not in self.values:
                continue
            try:
                fitting[name] = parameter.check(name, self.values.pop(name))
            except ParameterError as error:
                default = parameter.format(parameter.default) or "none"
                effect = f"the default, {default}, is used"
                self.note(with_remedy(error.fault, effect), name)
        return fitting

    def rest(self) -> dict[str, Any]:
        """Return what has not been removed, here and in the child sections.

        Keys that look misspelt are noted.
        """
        rest = dict(self.values)
        for key in rest:
            if hint := did_you_mean(key, self._known | self._children.keys()):
                self.note(f"{hint.removeprefix('; ')} This key has no effect", key)
        for key, child in self._children.items():
            if left := child.rest():
                rest[key] = left
        return rest

    def _path_of(self, key: str) -> str:
        return ".".join(filter(None, (self.path, key)))
