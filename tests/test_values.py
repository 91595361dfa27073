"""Frozen values behave as `dataclasses.dataclass(frozen=True)` makes classes behave."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field
from functools import cached_property
from typing import ClassVar

import pytest

from pe_explorer.values import frozen
from tests.support.cases import for_each

STANDARD = dataclass(frozen=True)
both = pytest.mark.parametrize("make", [STANDARD, frozen], ids=["dataclass", "frozen"])


def family(make):
    """Return a class with every kind of field, and one that derives from it."""

    @make
    class Base:
        """A base."""

        kind: ClassVar[str] = "base"

        first: int
        second: str = "two"
        notes: list = field(default_factory=list, hash=False)
        aside: int = field(default=0, compare=False, repr=False)
        named: float = field(default=1.5, kw_only=True)
        counted: int = field(default=7, init=False)

        @cached_property
        def doubled(self):
            return 2 * self.first

    @make
    class Derived(Base):
        """A class that derives from it."""

        second: str = "deux"
        third: int = 3

        def __post_init__(self):
            if self.third < 0:
                raise ValueError("third")

    return Base, Derived


CALLS = [
    ((1,), {}),
    ((1, "x"), {"named": 2.0}),
    ((1, "x", [1], 4), {}),
    ((), {"first": 1, "aside": 9}),
    ((), {}),
    ((1, "x", [1], 4, 5, 6, 7), {}),
    ((1,), {"first": 2}),
    ((1,), {"other": 2}),
    ((1,), {"counted": 2}),
    ((1,), {"third": 5}),
    ((1,), {"third": -5}),
]


def outcome(cls, args, kwargs):
    """Return the fields that a call gives, or the kind of its error."""
    try:
        one = cls(*args, **kwargs)
        return {f.name: getattr(one, f.name) for f in dataclasses.fields(one)}
    except (TypeError, ValueError) as error:
        return type(error)


@for_each(("args", "kwargs"), CALLS)
@for_each("which", [0, 1])
def test_calls_give_the_same_fields_or_kind_of_error(args, kwargs, which):
    expected = outcome(family(STANDARD)[which], args, kwargs)
    assert outcome(family(frozen)[which], args, kwargs) == expected


@both
@pytest.mark.parametrize("which", [0, 1])
def test_equality_hash_and_text(make, which):
    cls = family(make)[which]
    one = cls(1, aside=1)
    assert one == cls(1, aside=2)
    assert hash(one) == hash(cls(1, aside=2))
    assert hash(cls(1, notes=[2])) == hash(one)
    assert one != cls(1, notes=[2])
    assert one != cls(2)
    assert one != 1
    assert one != family(make)[which](1)  # another class of the same name
    assert repr(one) == repr(family(STANDARD)[which](1))
    assert one.notes is not cls(1).notes


@both
def test_nothing_can_be_changed(make):
    one = family(make)[1](1)
    for name in ("first", "third", "unknown"):
        with pytest.raises(FrozenInstanceError):
            setattr(one, name, 2)
    with pytest.raises(FrozenInstanceError):
        del one.first
    assert one.doubled == 2


@both
def test_what_reads_fields_reads_these(make):
    cls = family(make)[1]
    assert [f.name for f in dataclasses.fields(cls)] == [
        "first", "second", "notes", "aside", "named", "counted", "third",
    ]  # fmt: skip
    assert dataclasses.replace(cls(1), third=4) == cls(1, third=4)
    assert cls.__match_args__ == ("first", "second", "notes", "aside", "third")
    assert copy.deepcopy(cls(1, notes=[[2]])) == cls(1, notes=[[2]])
    parameters = inspect.signature(cls).parameters
    assert list(parameters) == ["first", "second", "notes", "aside", "third", "named"]
    assert parameters["second"].default == "deux"
    assert parameters["named"].kind is inspect.Parameter.KEYWORD_ONLY


@frozen
class Kept:
    """A value that a module has, so that it can be pickled."""

    number: int

    def __repr__(self):
        return "kept"


def test_methods_of_the_class_itself_are_kept_and_values_can_be_pickled():
    assert repr(Kept(1)) == "kept"
    assert pickle.loads(pickle.dumps(Kept(1))) == Kept(1)


@pytest.mark.parametrize("outer", [STANDARD, frozen])
def test_both_kinds_derive_from_a_frozen_value(outer):
    @outer
    class Outer(Kept):
        """A value with one field more."""

        more: int = 0

    assert Outer(1, 2) == Outer(1, more=2)
    assert Outer(1) != Kept(1)
    with pytest.raises(FrozenInstanceError):
        Outer(1).more = 3
