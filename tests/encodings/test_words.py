"""Formulas, code, readings and float32 angles of encodings are correct."""

from pathlib import Path

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.encodings import CodeAngles, Steady
from pe_explorer.files.snippet import snippet
from tests.support.definitions import as_mp, mp, worked_out
from tests.support.oracles import definition
from tests.support.samples import variations
from tests.support.truth import some

EVERY = [e for name in encodings.names() for e in variations(name)]
PLACES = [-3, 1, 1000]

list_encodings = pytest.mark.parametrize("e", EVERY, ids=lambda e: e.name)
WITH_WAVES = [e for e in EVERY if "waves" in definition(e).abilities]
with_waves = pytest.mark.parametrize("e", WITH_WAVES, ids=lambda e: e.name)


def cells(e):
    """Yield some rows and columns of an encoding."""
    columns = {0, 1, 2, e.width // 2, e.width - 1} & set(range(e.width))
    yield from ((p, j) for p in PLACES if p in e.domain for j in sorted(columns))


def value_of_line(defined, line, p, j):
    """Return the value of a line of an explanation, and its tolerance."""
    formula, _, turns = line.partition(" after ")
    if "°" in formula:
        counted = int(turns.split()[0].replace(",", "")) if turns else 0
        assert counted == mp.floor(defined.angle(p, j) / (2 * mp.pi))
        assert turns.endswith("turn") == (counted == 1)
    try:
        return worked_out(formula, defined.symbols(p, j))
    except (NameError, SyntaxError):
        return as_mp(defined.said(formula, p, j)), 0


@pytest.mark.sampled(30)
@list_encodings
def test_every_line_of_a_formula_equals_the_value(e):
    defined = definition(e)
    for p, j in cells(e):
        first, *others = e.explain(p, j)
        name, _, formula = first.rpartition(f"PE(p, {j}) = ")
        assert not name
        assert "=" not in formula or ",  " in formula
        lines = [formula, *(line[2:] for line in others if line.startswith("= "))]
        assert len(lines) > 1 or formula == "0"
        for line in lines:
            found, tolerance = value_of_line(defined, line, p, j)
            assert abs(found - as_mp(defined.element(p, j))) <= tolerance, (e, p, j, line)


@pytest.mark.sampled(60)
@list_encodings
def test_code_computes_the_table(e, monkeypatch):
    positions, names = range(max(-3, e.domain[0]), 20), {}
    monkeypatch.chdir(Path(getattr(e, "file", __file__)).parent)  # code has no absolute paths
    exec(snippet(e, positions), names)
    table = e.table(positions)
    np.testing.assert_allclose(names["table"], table, rtol=1e-12, atol=1e-12)


@pytest.mark.sampled(30)
@list_encodings
def test_every_number_of_a_reading_is_correct(e):
    defined = definition(e)
    waves = defined.count
    for p, j in cells(e):
        exact = defined.reading(p, j)
        facts = dict(e.reading(p, j))
        assert facts.keys() == exact.keys()
        if number := facts.pop("Wave", None):
            assert number == f"{exact['Wave']} of {waves}"
        for name, text in facts.items():
            if exact[name] is None:  # a sentence
                continue
            expected = as_mp(exact[name])
            if mp.isinf(expected):
                assert text == "infinite"
                continue
            digits = text.rstrip("°")
            decimals = len(digits.partition(".")[2])
            last = 10.0**-decimals if decimals >= 10 and "e" not in digits else 0
            tolerance = abs(expected) * 6e-12 + max(last, 1e-15)
            assert abs(mp.mpf(digits) - expected) <= tolerance, (e, p, j, name)


@pytest.mark.sampled(30)
@with_waves
def test_waves_equal_the_definition(e):
    assert isinstance(e, Steady)
    defined = definition(e)
    assert (len(e.turns), e.pairs) == (defined.count, defined.pairs)
    for i in some(defined.count):
        exact = defined.frequency(i)
        for found in (e.frequencies()[i], e.frequency(i)):
            assert abs(mp.mpf(float(found)) - exact) <= 2e-16 * abs(exact)
    positions, start = [-3, 10**15 + 1, 0.25], -(10**12)
    phasors, means = e.phasors(positions), e.phasor_means(start, 7, 1)[0]
    for i in some(defined.count):
        waves = [defined.frequency(i) * (mp.mpf(p) + defined.origin) for p in positions]
        block = [defined.frequency(i) * (start + n + defined.origin) for n in range(7)]
        exact = [*map(mp.expj, waves), mp.fsum(map(mp.expj, block)) / 7]
        for found, phasor in zip([*phasors[:, i], means[i]], exact, strict=True):
            assert abs(mp.mpc(complex(found)) - phasor) <= 4e-16
        whole, part = e.turn(i, positions[1])
        assert abs(whole + mp.mpf(part) - waves[1] / (2 * mp.pi)) <= 1.2e-16
        assert e.compute_turns([i], positions[1]) == [(whole, part)]
    for j in some(e.width):
        assert (int(e.wave_indices[j]), bool(e.sines[j])) == (
            defined.wave(j) or (-1, bool(e.sines[j]))
        )
    assert e.amplitude == pytest.approx(float(defined.amplitude), rel=1e-15)


@pytest.mark.sampled(30)
@with_waves
def test_float32_angles_are_close_to_the_definition(e):
    """The few steps are rounded to 24 bits; wrong frequencies would differ more."""
    defined = definition(e)
    assert isinstance(e, CodeAngles) == ("code_angles" in defined.abilities)
    if isinstance(e, CodeAngles):
        angles = e.compute_code_angles(range(-1000, 1001, 500))
        for row, p in enumerate(range(-1000, 1001, 500)):
            for i in some(defined.count):
                exact = defined.frequency(i) * (p + defined.origin)
                assert abs(mp.mpf(float(angles[row, i])) - exact) <= 6e-6 * abs(exact)
