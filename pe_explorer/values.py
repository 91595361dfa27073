"""Frozen values: dataclasses whose methods are written once, for all of them.

`dataclasses.dataclass` writes the methods of every class as text and compiles it, which was a
sixth of the program's start. Here only the fields come from it, so `dataclasses.fields`, `replace`
and whatever else reads fields work as ever.
"""

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, field
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T", bound=type)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: T) -> T:
    """Make a class a frozen dataclass: equal and of the same hash where all its fields are.

    A method that the class itself defines is kept. `dataclass(frozen=True)` may still be used for
    a class that derives from this one.
    """
    bases = [vars(base)[_PARAMS] for base in cls.__mro__[1:] if _PARAMS in vars(base)]
    _set_frozen(bases, frozen=False)  # or two methods would be compiled
    dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
    _set_frozen([*bases, getattr(cls, _PARAMS)], frozen=True)
    for name, method in _METHODS.items():
        if name not in vars(cls):
            setattr(cls, name, method)
    return cls


_PARAMS = "__dataclass_params__"


def _set_frozen(params: list[Any], *, frozen: bool) -> None:
    """Set what `dataclasses` remembers of classes: whether their fields can be assigned to."""
    for one in params:
        one.frozen = frozen


class _Layout:
    """What the methods of a class need to know of its fields."""

    def __init__(self, cls: type) -> None:
        fields = dataclasses.fields(cls)
        self.given = {f.name for f in fields if f.init}
        self.positional = tuple(f.name for f in fields if f.init and not f.kw_only)
        self.defaults: list[tuple[str, Any, Callable[[], Any] | None]] = []
        """Of each field its name, default, and what makes a default."""
        for f in fields:
            factory = None if f.default_factory is MISSING else f.default_factory
            self.defaults.append((f.name, f.default, factory))
        self.compared = _reader([f.name for f in fields if f.compare])
        hashed = [f.name for f in fields if (f.compare if f.hash is None else f.hash)]
        self.hashed = _reader(hashed)
        self.shown = tuple(f.name for f in fields if f.repr)


_layouts: dict[type, _Layout] = {}


def _layout(cls: type) -> _Layout:
    """Return the layout of a class, made when it is first needed."""
    if cls not in _layouts:
        _layouts[cls] = _Layout(cls)
    return _layouts[cls]


def _reader(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that reads attributes of an object, as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda owner: tuple(getattr(owner, name) for name in names)


def _init(self: Any, *args: Any, **kwargs: Any) -> None:
    cls = type(self)
    layout = _layout(cls)
    if len(args) > len(layout.positional):
        most = len(layout.positional)
        raise TypeError(f"{cls.__name__} takes {most} positional arguments, not {len(args)}")
    given = dict(zip(layout.positional, args, strict=False))
    if wrong := next((name for name in kwargs if name in given or name not in layout.given), ""):
        problem = "is given twice" if wrong in given else "is no argument"
        raise TypeError(f"{wrong!r} {problem} of {cls.__name__}")
    given |= kwargs
    attributes = self.__dict__  # to set them one by one is forbidden
    for name, default, factory in layout.defaults:
        if name in given:
            attributes[name] = given[name]
        elif factory is not None:
            attributes[name] = factory()
        elif default is not MISSING:
            attributes[name] = default
        else:
            raise TypeError(f"{cls.__name__} lacks the argument {name!r}")
    if hasattr(self, "__post_init__"):
        self.__post_init__()


def _eq(self: Any, other: Any) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    compared = _layout(type(self)).compared
    return compared(self) == compared(other)


def _hash(self: Any) -> int:
    return hash(_layout(type(self)).hashed(self))


def _repr(self: Any) -> str:
    cls = type(self)
    fields = (f"{name}={getattr(self, name)!r}" for name in _layout(cls).shown)
    return f"{cls.__qualname__}({', '.join(fields)})"


def _setattr(_self: Any, name: str, _new: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(_self: Any, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


class _Signature:
    """The arguments of a class, for `help` and `inspect.signature`; made when asked for."""

    def __get__(self, owner: object, cls: type) -> inspect.Signature:
        arguments = []
        for f in sorted(dataclasses.fields(cls), key=attrgetter("kw_only")):
            if not f.init:
                continue
            kind = inspect.Parameter.KEYWORD_ONLY if f.kw_only else _POSITIONAL
            default = f.default
            if f.default_factory is not MISSING:
                default = ...
            shown = inspect.Parameter.empty if default is MISSING else default
            arguments.append(inspect.Parameter(f.name, kind, default=shown, annotation=f.type))
        return inspect.Signature(arguments)


_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD
_METHODS: dict[str, Any] = {
    "__init__": _init,
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__signature__": _Signature(),
}
