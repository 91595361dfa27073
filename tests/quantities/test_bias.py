"""Biases of attention scores."""

import tracemalloc

import numpy as np

from pe_explorer import quantities
from tests.support.requirements import BIAS, QuantityRequirements
from tests.support.samples import sample


class Definition(QuantityRequirements):
    needs = BIAS

    @staticmethod
    def check(found, defined, positions):
        np.testing.assert_allclose(found, defined.rows(positions).T, rtol=1e-15, atol=1e-15)


def test_long_biases_are_computed_in_chunks():
    e = sample("alibi", heads=3)
    offsets = range(-300_000, 1)
    data, out = quantities.of("bias", e, offsets), np.empty((3, 300_001))
    tracemalloc.start()
    try:
        data.fill(data.index, out)
        _, peak_memory = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    np.testing.assert_array_equal(out, e.bias(offsets))
    assert peak_memory < out.nbytes
    assert [*data.titles()] == ["head", *map(str, offsets)]


def test_only_requested_heads_are_computed(monkeypatch):
    e, sizes = sample("alibi", heads=12), []
    for method in ("_fill", "_fill_heads"):
        original = getattr(type(e), method)

        def counting(self, *arguments, original=original):
            sizes.append(arguments[-1].size)
            original(self, *arguments)

        monkeypatch.setattr(type(e), method, counting)
    data = quantities.of("bias", e, range(-500, 1))
    for head in data.index:
        data.fill(range(head, head + 1), np.empty((1, 501)))
    assert sum(sizes) == 12 * 501
