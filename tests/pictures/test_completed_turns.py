"""Waves that complete a turn: the same number in every view, wherever the range starts."""

import math
import threading

import pytest

from pe_explorer import pictures
from pe_explorer.gallery.sentences import make_facts
from pe_explorer.pictures.pixels import Size
from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.samples import sample
from tests.support.states import state_of

NARROW = [("sinusoidal", {"dim": 18}, count) for count in (1, 6, 7, 50, 22_500, 22_581)]
WIDE = {"dim": 512, "layout": "concatenated", "spacing": "endpoint"}
SETTINGS = [
    *NARROW,
    *[("sinusoidal", WIDE, count) for count in (49, 50, 51, 500, 60_611, 62_832)],
    ("sinusoidal", {"dim": 8, "scale": math.tau / 50}, 50),  # a wavelength of 50 when rounded
    ("sinusoidal", {"dim": 8, "scale": -math.tau / 7}, 7),
    ("sinusoidal", {"dim": 8, "scale": 0.0}, 100),
    ("sinusoidal", {"dim": 2}, 2**52),
    ("rope", {"head_dim": 128}, 4096),
    ("rope", {"head_dim": 128, "rope_theta": 5e5}, 8192),
    ("rope", {"head_dim": 64, "partial_rotary_factor": 0.5}, 100),
    ("rope", {"head_dim": 2}, 7),
]


@pytest.mark.sampled(20)
@pytest.mark.parametrize(("name", "parameters", "count"), SETTINGS, ids=str)
def test_every_view_counts_the_same_completed_turns(name, parameters, count):
    e = sample(name, **parameters)
    frequencies = definition(e).frequencies()
    exact = sum(abs(count * frequency) >= 2 * mp.pi for frequency in frequencies)
    for start in (0, -7, 10**9):
        fields = {"encoding": e, "start": start, "count": count, "position": start}
        for view in ("heatmap", "frequencies", "clocks", "waves"):
            facts = make_facts(view, state_of(view, **fields))
            assert facts.get("turning") == exact, (view, start)
            assert facts.get("pairs") - facts.get("not_turning") == exact
        state = state_of("frequencies", **fields)
        picture = pictures.make_picture("frequencies", state)
        numbers = picture.numbers(Size(300, 200), threading.Event())
        assert numbers.current.has_turn.sum() == exact
        (panel,) = picture.figure(numbers).panels
        assert sum(area.width for area in panel.shaded_areas) == len(frequencies) - exact
        facts = make_facts("context", state_of("context", {"trained": count}, **fields))
        assert len(facts.get("report").turned) == exact
