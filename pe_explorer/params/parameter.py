"""What all kinds of parameter have in common."""

from dataclasses import field
from typing import Any, ClassVar

from pe_explorer.values import frozen


@frozen
class Parameter:
    """What all kinds of parameter declare.

    Attributes
    ----------
    default : value
        Initial value of a form, a flag or a constructor; legal, and of the parameter's own type.
    label, help : str
        Short name in a form, and a sentence for a tooltip.
    symbol, unit : str
        As papers write them; either may be empty.
    shared : bool
        Whether the parameter means the same in every scheme that has one of this name, so that
        a change of scheme keeps its value.
    seldom : bool
        Whether few people ever change it; a form folds such parameters away.
    when : tuple of str
        The field of a choice, and those of its words with which the parameter is used; empty for
        one that always is. What is not used is kept, but neither shown nor written out.
    """

    default: Any
    label: str = field(kw_only=True)
    help: str = field(kw_only=True)
    symbol: str = field(default="", kw_only=True)
    unit: str = field(default="", kw_only=True)
    shared: bool = field(default=False, kw_only=True)
    seldom: bool = field(default=False, kw_only=True)
    when: tuple[str, ...] = field(default=(), kw_only=True)

    kind: ClassVar[str] = ""

    def __post_init__(self) -> None:
        default = self.check(self.label or "default", self.default)
        object.__setattr__(self, "default", default)

    def check(self, name: str, value: object) -> Any:
        """Return `value` in this parameter's own type, or raise `ParameterError`."""
        raise NotImplementedError

    def parse(self, name: str, text: str) -> Any:
        """Return the value that `text` spells, or raise `ParameterError`."""
        raise NotImplementedError

    def format(self, value: Any) -> str:
        """Return text that `parse` reads back as an equal value."""
        return str(value)

    @property
    def limits(self) -> str:
        """The legal values in words, such as ``1 to 65536``."""
        raise NotImplementedError
