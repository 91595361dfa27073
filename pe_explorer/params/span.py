"""The kind of parameter that is two numbers: the ends of a range."""

from collections.abc import Sequence
from typing import ClassVar

from pe_explorer.params.errors import ParameterError, quoted
from pe_explorer.params.number_text import number_words
from pe_explorer.params.numeric import Numbers, Real
from pe_explorer.params.parameter import Parameter
from pe_explorer.values import frozen


@frozen
class Span(Parameter):
    """Two numbers, each legal for `item`, the lower one first.

    As text there is a space, a semicolon or a comma between them. One with more commas is read as
    two numbers only where a space or a semicolon says which: ``1,000,000 2,000,000``.
    """

    item: Real

    kind: ClassVar[str] = "span"

    @property
    def limits(self) -> str:
        """The legal values in words."""
        return "two numbers, the lower one first"

    def check(self, name: str, value: object) -> tuple[float, float]:
        """Return both numbers of a list, an array or the like as a tuple."""
        found = Numbers((), self.item, 2, label=self.label, help=self.help).check(name, value)
        return self._both(name, found, value)

    def parse(self, name: str, text: str) -> tuple[float, float]:
        """Return both numbers that `text` spells."""
        words = _words(text)
        if len(words) != 2:
            raise self._error(name, text)
        try:
            found = [self.item.parse(name, word) for word in words]
        except ParameterError as error:
            remedies = filter(None, (error.remedy, self._remedy))
            raise ParameterError(name, error.fault, "; ".join(remedies)) from None
        return self._both(name, found, text)

    def format(self, value: tuple[float, float]) -> str:
        """Return text that `parse` reads back as an equal value."""
        return " ".join(map(self.item.format, value))

    def _both(self, name: str, found: Sequence[float], given: object) -> tuple[float, float]:
        if len(found) != 2 or not found[0] < found[1]:
            raise self._error(name, given)
        low, high = found
        return low, high

    def _error(self, name: str, given: object) -> ParameterError:
        return ParameterError(name, f"{quoted(given)} is not {self.limits}", self._remedy)

    @property
    def _remedy(self) -> str:
        return f"write two with a space between, such as {self.format(self.default)}"


def _words(text: str) -> list[str]:
    """Return what stands between spaces and semicolons, or else around the only comma."""
    words = [word for part in number_words(text) if (word := part.strip(","))]
    return text.split(",") if len(words) == 1 else words
