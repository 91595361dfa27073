"""Turns in training, and at a target."""

import numpy as np
import pytest

from pe_explorer import encodings, quantities
from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.requirements import (
    COUNT,
    STEADY,
    QuantityRequirements,
    numbers_of,
    quantity_input,
)


class Definition(QuantityRequirements):
    needs = STEADY

    @staticmethod
    def check(found, defined, positions):
        e = defined.e
        rope_type, trained = e.parameters.get("rope_type", "default"), len(positions)
        if rope_type in ("dynamic", "yarn", "longrope", "llama3"):
            trained = e.original_max_position_embeddings
        scaled = rope_type != "default"
        target = round((e.factor if scaled and e.factor > 1 else 4) * trained)
        plain = getattr(defined, "unscaled", defined.frequency)
        speeds = [(abs(plain(i)), abs(defined.frequency(i))) for i in range(defined.count)]
        exact = [
            [float(trained * a / (2 * mp.pi)), float(target * b / (2 * mp.pi))] for a, b in speeds
        ]
        np.testing.assert_allclose(found, exact, rtol=1e-15)


QWEN = {"head_dim": 128, "rope_theta": 1e6}


@pytest.mark.parametrize("rope_type", ["default", "linear", "ntk", "yarn", "llama3", "dynamic"])
@pytest.mark.parametrize("lengths", [(32_768, 131_072), (1, 1), (2**53, 2**53)])
def test_turns_in_training_and_at_any_target(rope_type, lengths):
    e = encodings.create(
        "rope", **QWEN, rope_type=rope_type, factor=4.0, original_max_position_embeddings=32_768
    )
    trained, target = lengths
    found = numbers_of("turns", e, trained=trained, target=target)
    later = {"sequence_length": target} if target > trained else {}
    before, now = definition(e), definition(encodings.create("rope", **{**e.parameters, **later}))
    exact = [[trained * before.paper(i), target * now.frequency(i)] for i in range(64)]
    np.testing.assert_allclose(found, np.array(exact, float) / float(2 * mp.pi), rtol=2e-15)
    if trained == 32_768:
        assert (found[:, 0] >= 1).sum() == 40


def test_turns_of_wide_heads_and_of_pairs_that_stand_still():
    wide = numbers_of("turns", encodings.create("rope", head_dim=65_536), trained=10, target=20)
    assert wide.shape == (32_768, 2)
    np.testing.assert_allclose(wide[:, 1], 2 * wide[:, 0], rtol=1e-15)
    still = encodings.create(
        "rope", head_dim=8, rope_type="proportional", partial_rotary_factor=0.5
    )
    assert numbers_of("turns", still)[2:].tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_default_lengths_follow_from_scheme_and_positions():
    e = encodings.create("sinusoidal", dim=4)
    found = numbers_of("turns", e)
    np.testing.assert_allclose(found[0] * 2 * np.pi, [COUNT, 4 * COUNT])
    titles = list(quantities.data("turns", quantity_input(e, trained=9)).titles())
    assert titles == ["wave", "turns in 9 trained", "turns at 36"]
    whole_line = quantities.data("turns", quantity_input(e, positions=range(-(2**53), 2**53 + 1)))
    assert [*whole_line.titles()][1:] == [f"turns in {2**53} trained", f"turns at {2**53}"]
