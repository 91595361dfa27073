"""Pictures of waves that do not turn by the same angle everywhere: drawn, or refused with why."""

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import Pin
from pe_explorer.params import Choice, declared
from pe_explorer.pictures.picture import UnavailableError
from tests.support.states import cost_of, figure_of, inspection_of_view, state_of
from tests.support.uneven import Uneven, UnevenRotary

STEADY = {"clocks", "frequencies", "context", "compare"}
SHOWN = {"start": -4, "count": 44, "position": 3, "dimension": 5}
PINS = (Pin(encodings.create("rope", head_dim=8), "turned", "green"),)


def variants(view):
    """Yield the usual options of a view, and each of its choices."""
    yield {}
    for name, option in declared(pictures.find(view).Options).items():
        if isinstance(option, Choice) and name not in ("method", "words"):
            yield from ({name: word} for word in option.choices)


@pytest.mark.parametrize("e", [Uneven(), UnevenRotary()], ids=lambda e: e.name)
@pytest.mark.parametrize("view", pictures.names())
def test_a_picture_is_drawn_or_refused_by_what_it_needs(view, e):
    needed = {"heatmap": {"quantity": "error"}, "waves": {"quantity": "angle"}}
    for options in variants(view):
        for pins in ((), PINS, (Pin(e, "uneven", "gold"),)):
            fields = {**SHOWN, "encoding": e, "pins": pins}
            if view in STEADY or needed.get(view) == options:
                with pytest.raises(UnavailableError, match=f"(?i){e.format_name()}|pin"):
                    pictures.check(view, state_of(view, options, **fields))
                continue
            assert cost_of(view, options, **fields) > 0
            assert figure_of(view, options, **fields).status.endswith(".")
            inspection_of_view(view, options, **fields)


@pytest.mark.parametrize("e", [Uneven(), UnevenRotary()], ids=lambda e: e.name)
def test_their_angles_have_no_difference_and_no_curve(e):
    other = encodings.create("rope" if e.name == "uneven-rotary" else "sinusoidal")
    fields = {**SHOWN, "encoding": e, "show": "difference", "pins": (Pin(other, "pin", "gold"),)}
    state = state_of("heatmap", {"quantity": "angle"}, **fields)
    assert "same angle" in pictures.make_picture("heatmap", state).explain_unavailability()
    pinned = {**SHOWN, "encoding": encodings.create("sinusoidal"), "pins": (Pin(e, "pin", "gold"),)}
    curves = figure_of("frequencies", **pinned).panels[0].curves
    assert [bool(curve.missing_reason) for curve in curves] == [False, True]
    if e.name == "uneven":
        curves = figure_of("waves", {"quantity": "angle"}, **pinned).panels[0].curves
        assert "its angles are not continuous" in [curve.missing_reason for curve in curves]
