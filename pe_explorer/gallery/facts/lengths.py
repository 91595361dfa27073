"""Facts of two lengths, and of two encodings: pairs that meet new angles, and pairs that differ."""

import math

from pe_explorer.analysis import context
from pe_explorer.analysis.context import Lengths, Report
from pe_explorer.analysis.specification import Comparison, compare
from pe_explorer.encodings import Encoding
from pe_explorer.gallery.facts.set_up import NoFactError, SetUp, fact, given
from pe_explorer.pictures.compare import Compare, other_of
from pe_explorer.pictures.context import Context, lengths_of


@fact
def trained(of: SetUp) -> int:
    """Return the length of training."""
    return _lengths(of).trained


@fact
def target(of: SetUp) -> int:
    """Return the length that texts are to have."""
    return _lengths(of).target


@fact
def turned_pairs(of: SetUp) -> int:
    """Return how many pairs, or else waves, made a whole turn in training."""
    return len(_report(of).turned)


@fact
def within_pairs(of: SetUp) -> int:
    """Return how many of the others stay within the angles of training at the target."""
    return len(_report(of).within)


@fact
def new_pairs(of: SetUp) -> int:
    """Return how many of the others meet new angles at the target."""
    return len(_report(of).new)


@fact
def base_needed(of: SetUp) -> int:
    """Return the least base at which none does without any type, rounded up, if some do now."""
    lengths = _lengths(of)
    found = context.base_for(of.waves, *lengths)
    if found is None or math.isinf(found) or found == context.base_of(of.waves):
        raise NoFactError
    return math.ceil(found)


@fact
def differing_pairs(of: SetUp) -> int:
    """Return how many pairs turn at another speed than those of what they are compared with."""
    return len(_comparison(of).differing)


@fact
def common_pairs(of: SetUp) -> int:
    """Return how many pairs, or else waves, are compared."""
    return len(_comparison(of).ratios)


@fact
def first_differing(of: SetUp) -> int:
    """Return the first pair that differs, if any does."""
    return given(_comparison(of).first_pair)


@fact
def first_offset(of: SetUp) -> int:
    """Return the first offset at which a pair is off by more than the tolerance, if any ever is."""
    tolerance = Compare.options(of.state).tolerance
    return given(_comparison(of).first_beyond(tolerance))[0]


@fact
def worst_pair(of: SetUp) -> int:
    """Return the pair that is off first."""
    return given(_comparison(of).worst)


def _lengths(of: SetUp) -> Lengths:
    assert of.waves
    return lengths_of(of.state, Context.options(of.state))


def _report(of: SetUp) -> Report:
    lengths = _lengths(of)
    return context.report(context.in_use(of.waves, *lengths), *lengths)


def _comparison(of: SetUp) -> Comparison:
    other = other_of(of.state)
    if not isinstance(other, Encoding):
        raise NoFactError
    return compare(of.waves, other)
