"""What all kinds of parameter have in common, and the kind that may be left to the program."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from pe_explorer.params.errors import ParameterError, quoted, with_remedy


@dataclass(frozen=True)
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
    """What its values are, in a word or two whose last stands for one in the help of a command."""

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


_INHERITED = ("label", "help", "symbol", "unit", "seldom", "when")
_AUTO = "auto"
"""The word that stands for None in every optional parameter, beside its own."""


@dataclass(frozen=True)
class Optional(Parameter):
    """A value of another kind, or None, which is shown and typed as a `word`.

    `inner` declares the other values, and what all kinds declare: label, help and so on; `auto`
    says in words what None stands for. The word itself is not a legal value, whatever the inner
    kind is: read back, it would be None.
    """

    inner: Parameter
    auto: str

    label: str = field(default="", kw_only=True)
    help: str = field(default="", kw_only=True)
    word: str = field(default="auto", kw_only=True)

    def __post_init__(self) -> None:
        for name in _INHERITED:
            own_or_inner = getattr(self, name) or getattr(self.inner, name)
            object.__setattr__(self, name, own_or_inner)
        super().__post_init__()

    @property
    def limits(self) -> str:
        """The legal values in words."""
        others = self.inner.limits
        return f"{self.word} ({self.auto}), or {others}"

    def check(self, name: str, value: object) -> Any:
        """Return None, or `value` as the inner kind returns it."""
        if value is None:
            return None
        if isinstance(value, str) and self.is_word(value):
            problem = f"{quoted(value)} is a text; here None stands for it (null in JSON)"
            raise ParameterError(name, problem, "use that, or another text")
        return self.inner.check(name, value)

    def parse(self, name: str, text: str) -> Any:
        """Return None for the word, else what the inner kind reads."""
        if self.is_word(text):
            return None
        try:
            return self.inner.parse(name, text)
        except ParameterError as error:
            message = with_remedy(error.problem, f"or type {self.word}")
            raise ParameterError(name, message) from None

    def format(self, value: Any) -> str:
        """Return text that `parse` reads back as an equal value."""
        return self.word if value is None else self.inner.format(value)

    def is_word(self, text: str) -> bool:
        """Return whether a text stands for None."""
        return text.strip().lower() in (self.word, _AUTO)


def inner_kind(kind: Any) -> Any:
    """Return the inner kind of an optional parameter; any other kind unchanged."""
    return kind.inner if isinstance(kind, Optional) else kind
