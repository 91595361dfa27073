"""Values with declared parameters."""

import pickle
from dataclasses import FrozenInstanceError, dataclass, replace

import numpy as np
import pytest

from pe_explorer.params import (
    Choice,
    Declared,
    ParameterError,
    Real,
    Whole,
    declare,
    declared,
    drop_unused_fields,
    find_used_parameters,
    is_used,
    require_used_fields,
    sections,
)

WIDTH = Whole(128, 1, 65_536, label="Width", help="Numbers.")
BASE = Real(1e4, 1.0, 1e12, excludes_low=True, label="Base", help="How slow.")
CHOICES = {"interleaved": "side by side", "concatenated": "one after the other"}
LAYOUT = Choice("interleaved", CHOICES, label="Layout", help="Where.")


@dataclass(frozen=True)
class Settings(Declared):
    dim: int = declare(WIDTH)
    base: float = declare(BASE)
    layout: str = declare(LAYOUT)
    note: str = ""


def test_declared_values_are_frozen_and_converted():
    assert declared(Settings) == {"dim": WIDTH, "base": BASE, "layout": LAYOUT}
    assert Settings() == Settings(128, 1e4, "interleaved", "")
    settings = Settings(np.int32(7), 10, np.str_("concatenated"))
    assert [type(value) for value in (settings.dim, settings.base, settings.layout)] == [
        int,
        float,
        str,
    ]
    with pytest.raises(FrozenInstanceError):
        settings.dim = 3


def test_errors_are_value_errors_and_survive_pickling():
    with pytest.raises(ParameterError, match=r"^dim: .* got 0\b"):
        Settings(0, 0, "x")  # the error is about the first illegal field
    copy = pickle.loads(pickle.dumps(SpanError("dim", "0 is outside", "choose 1")))
    assert isinstance(copy, ValueError)
    assert (type(copy), copy.name, copy.fault) == (SpanError, "dim", "0 is outside")
    assert copy.remedy == "choose 1"


class SpanError(ParameterError):
    """The error of a span."""


@dataclass(frozen=True)
class Span(Declared):
    """Two fields with a rule across them."""

    error = SpanError
    first: int = declare(Whole(0, 0, 99, label="First", help="Where it begins."))
    last: int = declare(Whole(9, 0, 99, label="Last", help="Where it ends."))

    def check_combination(self):
        if self.last < self.first:
            problem = f"{self.last} is before first, {self.first}"
            raise ParameterError("last", problem, f"make it {self.first}")


def test_a_rule_across_fields_raises_the_error_of_the_class():
    assert Span(3, 3) == Span(np.int8(3), 3.0)  # values are converted before the rule is applied
    with pytest.raises(SpanError, match=r"^last: 2 is before first, 3\. Make it 3\.$") as caught:
        Span(3, 2.0)
    assert (caught.value.name, caught.value.__suppress_context__) == ("last", True)
    assert caught.value.sentence == "Last: 2 is before first, 3. Make it 3."


def test_fields_are_checked_before_the_rule_across_fields():
    for make, message in (
        (lambda: Span(3, -1), r"^last: .* 0 to 99, got -1\."),
        (lambda: replace(Span(), first=10), r"^last: 9 is before first, 10"),
    ):
        with pytest.raises(SpanError, match=message):
            make()


@dataclass(frozen=True)
class Shape(Declared):
    """A shape that uses its radius only for some kinds."""

    main_kind: str = declare(
        Choice("flat", dict.fromkeys(("flat", "round", "oval"), ""), label="Kind", help="Which.")
    )
    radius: int = declare(
        Whole(1, 1, 99, label="Radius", help="How far.", when=("main_kind", "round", "oval")),
        section="size",
    )
    width: int = declare(Whole(1, 1, 99, label="Width", help="How wide."), section="size")


def test_unused_fields_are_left_out_or_refused():
    assert sections(Shape) == {"size": ("radius", "width")}
    for kind, names in (
        ("flat", ["main_kind", "width"]),
        ("round", ["main_kind", "radius", "width"]),
    ):
        shape = Shape(kind, 7, 5)
        assert [*find_used_parameters(shape)] == names
        assert drop_unused_fields(shape) == Shape(kind, 7 if "radius" in names else 1, 5)
        require_used_fields(shape, names)
    radius = declared(Shape)["radius"]
    kinds = ({"main_kind": "flat"}, {"main_kind": "oval"}, {})
    assert [is_used(radius, values) for values in kinds] == [False, True, True]
    with pytest.raises(ParameterError) as caught:
        require_used_fields(Shape(), ["width", "radius"])
    assert caught.value.name == "radius"
    words = ("main-kind flat", "choose round or oval")
    assert [word for word in words if word not in caught.value.problem] == []
