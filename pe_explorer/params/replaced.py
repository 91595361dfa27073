"""The kind of parameter that is texts in the place of others, such as titles of one's own."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from pe_explorer.params.errors import ParameterError, quoted
from pe_explorer.params.parameter import Parameter
from pe_explorer.params.words import Text
from pe_explorer.values import frozen

_REMEDY = "write each as OLD: NEW, with a semicolon between two"


@frozen
class Replaced(Parameter):
    """Pairs of an old text and the new one in its place, both legal for `item`.

    As text they are ``old: new; old: new``, or an object of JSON where one of them has a colon or
    a semicolon of its own.
    """

    item: Text
    longest: int

    kind: ClassVar[str] = "replaced"

    @property
    def limits(self) -> str:
        """The legal values in words."""
        return f"up to {self.longest} pairs of texts"

    def check(self, name: str, value: object) -> tuple[tuple[str, str], ...]:
        """Return the pairs of a mapping or a list; the last of equal old texts wins."""
        pairs = list(value.items()) if isinstance(value, Mapping) else value
        if not isinstance(pairs, list | tuple) or not all(map(_is_pair, pairs)):
            raise ParameterError(name, f"{quoted(value)} is no list of pairs", _REMEDY)
        found = {self.item.check(name, old): self.item.check(name, new) for old, new in pairs}
        if len(found) > self.longest:
            raise ParameterError(name, f"more than {self.longest} texts; remove some")
        return tuple(found.items())

    def parse(self, name: str, text: str) -> tuple[tuple[str, str], ...]:
        """Return the pairs that `text` spells."""
        if text.lstrip().startswith("{"):
            try:
                found = json.loads(text)
            except (ValueError, RecursionError):
                raise ParameterError(name, f"{quoted(text)} is no valid JSON", _REMEDY) from None
            return self.check(name, found)
        parts = [part.partition(":") for part in text.split(";") if part.strip()]
        for old, colon, new in parts:
            if not (colon and old.strip() and new.strip()):
                raise ParameterError(name, f"{quoted(old + colon + new)} is no pair", _REMEDY)
        return self.check(name, [(old, new) for old, _, new in parts])

    def format(self, value: Iterable[tuple[str, str]]) -> str:
        """Return text that `parse` reads back as an equal value."""
        pairs = list(value)
        is_plain = not any(":" in old or ";" in old + new for old, new in pairs)
        if is_plain and not (pairs and pairs[0][0].startswith("{")):
            return "; ".join(f"{old}: {new}" for old, new in pairs)
        return json.dumps(dict(pairs), ensure_ascii=False)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2
