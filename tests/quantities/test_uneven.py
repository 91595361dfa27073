"""What needs angles alone exists for every wave; what needs frequencies says why it does not."""

import numpy as np
import pytest

from pe_explorer import quantities
from pe_explorer.analysis import distance, shift
from pe_explorer.analysis.curves import heights, is_continuous
from pe_explorer.encodings import EncodingError, create, needs
from pe_explorer.encodings.abilities.needs import score
from tests.support.oracles import definition, of_quantity
from tests.support.requirements import WAVES, numbers_of, quantity_input, whole
from tests.support.uneven import Uneven, UnevenRotary

UNEVEN = [(Uneven(), WAVES), (UnevenRotary(), WAVES | {"rotary"})]
FEW = range(-4, 40)


@pytest.mark.parametrize(("e", "abilities"), UNEVEN)
def test_quantities_of_waves_that_are_not_steady(e, abilities):
    wanted = [name for name in quantities.names() if of_quantity(name).needs <= abilities]
    wanted = [name for name in wanted if name != "score"]
    there = quantities.list_available_names(quantity_input(e, positions=FEW))
    assert list(there) == wanted
    for name in quantities.names():
        question = quantity_input(e, positions=FEW, k=0 if name.startswith("shift") else 1)
        if name in wanted:
            assert whole(quantities.data(name, question)).size
        else:
            with pytest.raises(EncodingError, match=e.format_name()):
                quantities.data(name, question)


@pytest.mark.parametrize(("e", "abilities"), UNEVEN)
def test_the_reason_names_the_missing_ability(e, abilities):
    for need in (needs.steady, needs.pairs, needs.score_bound):
        assert "same angle" in need(e)
    assert needs.waves(e) == ""
    assert "same angle" in shift.explain_no_matrix(e)
    assert shift.explain_no_matrix(e, 0) == ""
    assert (score(e) == needs.steady(e)) == ("rotary" in abilities)


@pytest.mark.parametrize(("e", "abilities"), UNEVEN)
def test_angles_are_exported_and_their_difference_is_refused(e, abilities):
    exact = np.radians(e.degrees(FEW))[:, e.wave_indices]
    np.testing.assert_allclose(numbers_of("radians", e, positions=FEW), exact, rtol=1e-15)
    apart = numbers_of("angles", e, positions=FEW) - np.degrees(exact)
    assert np.abs((apart + 180) % 360 - 180).max() < 1e-9
    other = create("rope", head_dim=8) if "rotary" in abilities else create("sinusoidal", dim=8)
    for both in ((e, other), (other, e)):
        assert "same angle" in quantities.unavailable_reason("angles", quantity_input(*both))
        found = whole(quantities.data("table", quantity_input(*both, positions=FEW)))
        np.testing.assert_array_equal(found, both[0].table(FEW) - both[1].table(FEW))


@pytest.mark.parametrize(("e", "abilities"), UNEVEN)
def test_distances_of_waves_that_are_not_steady(e, abilities):
    rows = e.table(FEW)
    found = distance.from_reference(e, -4, FEW, "euclidean")
    np.testing.assert_allclose(found, np.linalg.norm(rows - rows[0], axis=1), atol=1e-14)
    assert not any(distance.depends_on_offset(e, metric) for metric in distance.METRICS)
    assert not is_continuous(e)
    np.testing.assert_array_equal(heights(e, [0, 5], 3.2), e.table([3])[0, [0, 5]])
    fit = shift.build_matrix_or_fit(e, 1, FEW)
    assert isinstance(fit, shift.ShiftFit)


def test_definitions_of_steady_waves_have_the_ability():
    for e in (create("sinusoidal", dim=4), create("rope", head_dim=4)):
        assert {"waves", "steady"} <= definition(e).abilities
