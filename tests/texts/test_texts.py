"""Each text of every view and encoding stands in a committed listing, with measures by one name."""

import json
import re
from pathlib import Path

import pytest

from pe_explorer.analysis.distance import METRICS
from tests.support.cases import for_each
from tests.support.measures import MEASURES
from tests.texts.found import LISTING, now, text

RESOURCES = Path(__file__).parents[2] / "resources"
WRITTEN = [*(RESOURCES / "guide").glob("*.json"), *(RESOURCES / "gallery").rglob("*.json")]
FOR_PROGRAMS = {"check", "encoding", "metric", "options", "panes", "pins", "set", "terms", "when"}
"""What holds no sentences; terms are what a search finds."""
METRIC = "|".join(METRICS)
WRONG = {
    "a metric in the place of its measure": re.compile(
        rf"^(?:{METRIC})(?<!correlation)$|\bby (?:{METRIC})\b"
        rf"|\b(?:{METRIC}|likeness) (?:from|of two)\b"
        r"|(?<!the )(?<!its )(?<!a )(?<!last )(?<!and )\bcosine (?:is|looks|sees|with|to)\b"
        r"|\b(?:dot|euclidean|sse|manhattan|chebyshev) (?:is|looks|with|to)\b",
        re.IGNORECASE,
    ),
    "another name of a measure": re.compile(
        r"(?i:inner product|squared difference|(?:cosine|correlation) likeness)"
        r"|(?i:squared error\b|(?<!sum of )squared errors|(?:dot|sse) distance)"
        r"|\b(?:euclidean|manhattan|chebyshev) distance"
    ),
    "a similarity of no name": re.compile(
        r"(?<!cosine )similarit(?:y|ies) (?:is|falls|keep|of the|with|\d|#)", re.IGNORECASE
    ),
    "a dot product from a place, or a distance with one": re.compile(
        r"product from|(?:distance|errors|similarity from|correlation from) with [a-z]+ [\d#]"
    ),
    "a hyphen as a minus": re.compile(r"(?<![\w.)\]}/#(-])-(?=[\d#.])|(?<=[\d#] )- (?=[\d#])"),
}


def faults_of(sentence):
    """Return what is wrong with how a text names measures and writes numbers."""
    return [fault for fault, pattern in WRONG.items() if pattern.search(sentence)]


def spoken(value, key=""):
    """Yield the sentences of a file of words, without what programs read."""
    if isinstance(value, str) and key not in FOR_PROGRAMS:
        yield value
    for name, inner in value.items() if isinstance(value, dict) else ():
        if name not in FOR_PROGRAMS:
            yield from spoken(inner, name)
    for inner in value if isinstance(value, list) else ():
        yield from spoken(inner, key)


@pytest.fixture(scope="module")
def listing():
    return now()


def test_the_listing_has_every_text(listing):
    """If not: python -m tests.texts, and read aloud what changed."""
    assert LISTING.read_text(encoding="utf-8") == text(listing)


def test_every_measure_has_one_name_in_views_figures_and_exports(listing):
    for section, groups in listing.items():
        for texts in groups.values():
            assert not [(each, faults_of(each)) for each in texts if faults_of(each)], section


def test_every_metric_is_in_the_listing_by_its_name(listing):
    texts = {each for groups in listing.values() for texts in groups.values() for each in texts}
    for name in MEASURES.values():
        assert f"{name} position #" in texts
    assert {"cosine similarity with position #", "correlation with position #"} <= texts


@for_each("file", WRITTEN, ids=lambda file: file.stem)
def test_every_measure_has_one_name_in_words_about_views(file):
    found = spoken(json.loads(file.read_text(encoding="utf-8")))
    assert not [(each, faults_of(each)) for each in found if faults_of(each)]


@for_each(
    "wrong",
    [
        "cosine from 0",
        "cosine",
        "dot from position 20",
        "Cosine looks at the directions of two rows.",
        "Measure by euclidean",
        "By cosine distance neighbours are 0.0145 apart.",
        "the Euclidean and the manhattan distance",
        "The similarity is below one half.",
        "the squared error",
        "inner product with position 3",
        "the dot product from position 3",
        "the cosine distance with position 3",
        "from -3 to 4",
        "best fit, k = -#",
    ],
)
def test_another_name_is_found(wrong):
    assert faults_of(wrong)


@for_each(
    "right",
    [
        *(f"{name} position 3" for name in MEASURES.values()),
        "cosine similarity with position 3",
        "cos(p · ω_1)",
        "float32-error",
        "a cosine and a sine",
        "the 64-bit numbers from −3 to 4",
        "By the dot product, neighbours are most alike.",
    ],
)
def test_the_right_name_is_no_fault(right):
    assert not faults_of(right)
