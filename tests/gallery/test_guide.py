"""The guide: texts, numbers and tries for many explorations."""

import json
import os
import re
import string
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pe_explorer import assets, encodings, pictures
from pe_explorer.analysis import umap_process
from pe_explorer.analysis.comparison import Subject
from pe_explorer.analysis.distance import METRICS
from pe_explorer.exploration import Exploration, Pin, changes
from pe_explorer.gallery import guide, sentences
from pe_explorer.words import FACTS, Facts, texts as words_of
from pe_explorer.words.templates import fill
from tests.gallery.true_facts import FORMULAS, TrueFacts
from tests.support.exhibit_sentences import resolved
from tests.support.explorations import explorations
from tests.support.samples import sample, samples, stored_table
from tests.support.sinusoids import sinusoidal as sines

pytestmark = pytest.mark.usefixtures("umap_is_here")
NOT_HERE = "UMAP is not installed: pip install umap"


FILES = sorted(Path(assets.find_asset("words")).glob("*.json"))


def first_look(e, **fields):
    first = e.first_range
    return Exploration(e, **{"start": first.start, "count": len(first), **fields})


def first_look_with(e, view, **options):
    return pictures.with_options(first_look(e), view, **options)


def pinned(show, **options):
    pin = Pin(sines(dim=32, base=100.0), "b=100")
    state = first_look(sines(dim=32), pins=(pin,), show=show, name="as in 2017")
    return pictures.with_options(state, "heatmap", **options)


EVERY = [first_look(e) for e in samples()]
SOME = (*samples(), sines(waves="sine", dim=8))
SET_UPS = [
    *EVERY,
    *(first_look(e, metric=metric) for e in samples() for metric in [*METRICS][1:]),
    first_look(sines(dim=18, base=22.0), count=100, reference=50),
    first_look(sines(dim=5)),  # with two pairs
    first_look(sines(dim=8, layout="concatenated", order="cos-sin"), start=10**9, reference=10**9),
    first_look(sines(dim=64, spacing="endpoint", base=1e8), start=5, reference=49),
    first_look(sines(dim=6, scale=0.0)),
    first_look(sample("learned"), position=sample("learned").domain[-1]),
    *(first_look(sines(dim=2), count=count) for count in (1, 2, 3)),
    first_look(sines(dim=1)),
    first_look(sines(dim=1, spacing="endpoint")),
    first_look(sines(dim=16, waves="sine"), metric="euclidean"),
    first_look(sines(dim=16, base=20.0, waves="sine")),
    first_look(sines(dim=16, waves="cosine"), start=3, reference=3),
    first_look(sines(dim=2048), count=1000),
    first_look_with(sines(), "clocks", direction="cos-sin"),
    *(first_look_with(e, "clocks", pairs="spread") for e in samples()),
    *(first_look_with(e, "distances", part=part) for e in SOME for part in ("curve", "matrix")),
    *(first_look_with(e, "waves", dimensions=(e.width - 1,), line1=0.0) for e in SOME),
    *(
        first_look_with(e, "shift", k=k, part=part)
        for e in (*SOME, sines(dim=7))
        for k, part in ((-10, "tables"), (44, "residual"))
    ),
    *(
        first_look_with(e, "frequencies", quantity=quantity, axis="linear")
        for e in SOME
        for quantity in ("wavelength", "turns")
    ),
    *(first_look_with(e, "projection", method="umap") for e in SOME),
    *(
        first_look_with(e, "tokens", join=join, part=part, sentence=sentence, before=before)
        for e in SOME
        for join, part in (("words", "rows"), ("concatenation", "both"), ("sum", "attention"))
        for sentence, before in (("dog bites man", ""), ("She only told.", "she told only"))
    ),
    *(
        first_look_with(e, "properties", part=part)
        for e in (*SOME, sines(dim=8))
        for part in ("wishes", "look-alikes")
    ),
    *(first_look_with(e, "compare", curve="error", tolerance=0.5) for e in (*SOME, sines(dim=7))),
    *(
        first_look_with(e, "context", part="calculator", trained=600, target=5000)
        for e in (*SOME, sines(dim=7))
    ),
    *(
        first_look(sample("rope", head_dim=24, rope_theta=1e6, rope_type=rope_type))
        for rope_type in ("linear", "ntk", "dynamic", "yarn", "llama3", "proportional")
    ),
    first_look(sines(dim=32), pins=(Pin(sines(dim=24, base=100.0), "b=100"),)),
    *(
        first_look_with(e, "heatmap", quantity=quantity)
        for e in (*samples(), sines(dim=16, waves="sine"))
        for quantity in ("angle", "error")
    ),
    first_look(sample("rope", head_dim=64, rope_theta=5e5, partial_rotary_factor=0.5), count=300),
    first_look(sample("rope", head_dim=8, layout="interleaved"), start=-20),
    first_look(sample("alibi", heads=12, symmetric=True), start=-10, metric="euclidean"),
    first_look(sample("alibi", heads=1), metric="manhattan"),
    first_look(encodings.create("learned", file=stored_table(), row_offset=2), start=-30),
    first_look(encodings.create("learned", file=stored_table()), start=10**6),
    first_look(sample("fraction", dim=5, length=7), start=1, reference=1, metric="sse"),
    first_look(sample("binary", dim=60), start=2**50 - 9, count=30, reference=2**50),
    *(pinned(show) for show in ("current", "pinned", "difference")),
    *(
        pinned(show, quantity=quantity)
        for show in ("pinned", "difference")
        for quantity in ("angle", "error")
    ),
]


def texts(words):
    tries = (text for attempt in words.tries for text in (attempt.label, attempt.outcome))
    return [words.title, words.about, words.shows, *words.look, *tries]


DEFAULTS = {name: pictures.find(name)(Exploration()).options for name in pictures.names()}


def cases():
    """Yield views and explorations: all views, unless options or a metric concern only some.

    One of the other views is yielded in turn.
    """
    names = pictures.names()
    for number, state in enumerate(SET_UPS):
        set_up = [name for name in names if pictures.find(name)(state).options != DEFAULTS[name]]
        if state.metric != Exploration().metric:
            set_up += [name for name in names if "metric" in pictures.find(name).fields]
        for name in names:
            if not set_up or name in {*set_up, names[number % len(names)]}:
                yield name, state


def test_every_view_has_a_file_of_texts():
    assert {file.stem for file in FILES} == set(pictures.names())


@pytest.mark.sampled(60)
@pytest.mark.parametrize(
    ("view", "state"), list(cases()), ids=lambda value: value if isinstance(value, str) else None
)
def test_guide_texts_are_true_and_tries_have_effects(view, state, monkeypatch):
    """Texts are equal if their numbers are computed by definitions."""
    there = resolved(state)
    words = guide.explain(view, there)
    with monkeypatch.context() as patch:
        patch.setattr(sentences, "Facts", TrueFacts)
        assert words == guide.explain(view, there)
    assert words.title == pictures.find(view).title
    assert len(words.look) <= guide.MAX_POINTS
    assert len(words.tries) <= guide.MAX_TRIES
    for text in texts(words):
        assert not re.search(r"[{}]|nan|inf\b|None|  | ,|\.\.", text), text
    for text in (words.shows, *words.look, *(attempt.outcome for attempt in words.tries)):
        assert text.endswith(".") or not text, text
    assert len({item.label for item in words.tries}) == len(words.tries)
    for offered in words.tries:
        after = offered.apply(there)
        assert changes(there, after)
        assert after.panes == there.panes
        if after.encoding.rows == there.encoding.rows:
            assert (after.position, after.dimension) == (
                there.position,
                there.unresolved_state.dimension,
            )
        assert not pictures.make_picture(view, resolved(after)).is_unavailable()


UNCLEAR = {"current", "longest_period", "shift_by", "largest_row"}
"""Facts that can be ambiguous, because several rows can be the largest."""


def is_defined(name):
    return name in FORMULAS or hasattr(TrueFacts, name)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("part", range(12))
@np.errstate(all="ignore")
def test_facts_match_their_definitions(part):
    for there in map(resolved, SET_UPS[part::12]):
        subject = Subject("current", there.encoding)
        ours, by_definition = Facts(there, subject), TrueFacts(there, subject)
        for name in filter(is_defined, (FACTS.keys() | FORMULAS.keys()) - UNCLEAR):
            actual, expected = ours.get(name), by_definition.get(name)
            if isinstance(expected, int) and hasattr(actual, "__len__"):
                actual = len(actual)
            if isinstance(actual, float) and expected is not None:
                expected = pytest.approx(expected, rel=1e-6, abs=1e-9)
            assert actual == expected, (name, there)


def test_facts_of_a_comparison_need_both_encodings():
    pin = Pin(encodings.create("learned"), "whose file is missing")
    there = resolved(first_look(sines(dim=8), pins=(pin,)))
    assert Facts(there, Subject("current", there.encoding)).get("comparison") is None


@pytest.mark.parametrize("view", pictures.names())
def test_every_view_has_points_and_tries(view):
    for state in EVERY:
        there = resolved(state)
        words = guide.explain(view, there)
        with_numbers = [text for text in words.look if re.search(r"\d", text)]
        assert bool(with_numbers) != pictures.make_picture(view, there).is_unavailable(), state
        assert len(words.tries) >= 2
        assert all(attempt.outcome for attempt in words.tries)


@given(explorations(), st.sampled_from(pictures.names()))
@settings(max_examples=40)
def test_any_exploration_has_guide_texts(state, view):
    there = resolved(state)
    words = guide.explain(view, there)
    assert words.shows
    for text in texts(words):
        for e in (state.encoding, *(pin.encoding for pin in state.pins)):
            text = text.replace(getattr(e, "file", "") or "\0", "")
        for name in filter(None, (state.name, *(pin.name for pin in state.pins))):
            text = text.replace(name, "")  # names can have any characters
        assert not re.search(r"[{}]|None", text), text
    for offered in words.tries:
        assert changes(there, offered.apply(there))


def test_the_guide_describes_the_shown_encoding():
    words = guide.explain("heatmap", resolved(pinned("pinned")))
    assert {"b=100", "as in 2017"} <= {*re.findall(r"b=100|as in 2017", words.shows)}
    assert {attempt.settings["show"] for attempt in words.tries} == {"current", "difference"}
    state = first_look(sines(dim=8), pins=(Pin(sines(dim=64), "wider"),), show="pinned")
    assert "64" in guide.explain("heatmap", resolved(state)).about
    other = first_look(sines(), pins=(Pin(sample("alibi"), "alibi"),), show="difference")
    words = guide.explain("heatmap", resolved(other))
    assert words.look == ()
    assert {"show": "current"} in [item.settings for item in words.tries]


# -- the files -------------------------------------------------------------------------------------


def strings_in(words):
    if isinstance(words, str):
        yield words
    elif isinstance(words, list | dict):
        for item in words.values() if isinstance(words, dict) else words:
            yield from strings_in(item)


def test_every_fact_of_the_guide_has_a_definition():
    """Facts worded by a file consist of others."""
    for file in FILES:
        words = json.loads(file.read_text(encoding="utf-8"))
        guides = [words[kind] for kind in words.keys() - {"facts", "texts", "values"}]
        fields = (part[1] for text in strings_in(guides) for part in string.Formatter().parse(text))
        named = {re.match(r"[\w.]+", name)[0] for name in fields if name}
        assert all(map(is_defined, named - words.get("facts", {}).keys())), file


@pytest.mark.sampled(4)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_try_is_offered_somewhere(file, monkeypatch):
    """A try that is never valid would never be shown."""
    monkeypatch.setattr(guide, "MAX_TRIES", 99)
    words = words_of.read_words(file.stem).guides
    never = {
        (kind, offer.label): offer for kind, entry in words.items() for offer in entry.suggestions
    }
    for state in SET_UPS:
        kinds = (guide.find_kind(state.encoding), state.show, "any")
        if sought := {key: offer for key, offer in never.items() if key[0] in kinds}:
            for attempt in guide.explain(file.stem, resolved(state)).tries:
                for key in [key for key, offer in sought.items() if is_of(attempt.settings, offer)]:
                    never.pop(key, None)
    assert not never


def is_of(settings, offer):
    """Return whether settings match those of an offer, except computed values."""
    if settings.keys() != offer.settings.keys():
        return False
    given = {path: to for path, to in offer.settings.items() if not isinstance(to, dict)}
    return given.items() <= settings.items()


@pytest.fixture
def other_words(tmp_path, monkeypatch):
    """Return a function that replaces or removes the texts of the heatmap."""

    def write(content):
        forget()
        path = tmp_path / "heatmap.json"
        if content is not None:
            path.write_bytes(content)
        monkeypatch.setattr(words_of, "find_asset", lambda name: path)

    yield write
    forget()


def forget():
    words_of.read_words.cache_clear()


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    "content",
    [
        b"", b"[]", b"\xff\xfe", b"3", b'{"pairs": 3}', b'{"pairs": {"shows": 3}}',
        b'{"pairs": {"look": [{"when": {}}]}}', b'{"pairs": {"look": [{"text": 5}]}}',
        b'{"pairs": {"try": [{"label": "x"}]}}', b'{"pairs": {"try": ["x"]}}', b"[" * 100_000,
        b'{"pairs": {}' + b" " * (1 << 20) + b"}",
    ],
    ids=range(12),
)  # fmt: skip
def test_damaged_texts_are_reported(other_words, content):
    other_words(content)
    words = guide.explain("heatmap", resolved(EVERY[0]))
    assert "words/heatmap.json" in words.shows
    assert (words.title, words.about[:12]) == ("Heatmap", "Sinusoidal: ")
    assert not words.look
    assert not words.tries


def test_missing_and_endless_texts_are_reported(other_words, tmp_path):
    other_words(None)
    words = guide.explain("heatmap", resolved(EVERY[0]))
    assert "words/heatmap.json" in words.shows
    assert "no such file" in words.shows
    if hasattr(os, "mkfifo"):
        (tmp_path / "heatmap.json").symlink_to("/dev/zero")
        other_words(None)
        assert "a device or a pipe" in guide.explain("heatmap", resolved(EVERY[0])).shows


def test_texts_with_missing_facts_are_skipped(other_words):
    pieces = ["{unheard_of}", "{width", "{0}", "{}", "{width:column} fit."]
    suggestions = [
        {"label": "no such setting", "set": {"encoding.nothing": 1}},
        {"label": "no such view", "set": {"options.nothing.first": 1}},
        {"label": "no such fact", "set": {"count": {"fact": "nothing"}}},
        {"label": "no number", "set": {"metric": {"times": 2.5}}},
        {"label": "no setting", "set": {"options": 1}},
        {"label": "nothing changes", "set": {"count": 50}},
        {"label": "{nothing}", "set": {"count": 51}},
        {"label": "Twice", "set": {"count": {"times": 2}}},
    ]
    other_words(json.dumps({"any": {"look": pieces, "try": suggestions}}).encode())
    words = guide.explain("heatmap", resolved(EVERY[0]))
    assert words.look == ("128 dimensions fit.",)
    assert [attempt.label for attempt in words.tries] == ["Twice"]
    assert words.shows == pictures.find("heatmap").help


@pytest.mark.parametrize("view", pictures.names())
def test_a_missing_table_is_explained(view):
    words = guide.explain(view, resolved(Exploration(encodings.create("learned"))))
    assert words.shows
    assert not words.look
    assert [attempt for attempt in words.tries if "encoding" in attempt.settings]


def test_nouns_agree_with_their_number():
    facts = {"a": 1, "b": 2, "row": "offset", "rows": "offsets", "column": "head"}
    facts["columns"] = "heads"
    text = fill("{a:pair} {b:pair} {a:row} {b:row} {a:column} {b:column}", facts)
    assert text == "1 pair 2 pairs 1 offset 2 offsets 1 head 2 heads"


def test_without_umap_the_guide_explains_pca(monkeypatch):
    state = resolved(first_look_with(sines(), "projection", method="umap"))
    assert "UMAP" in guide.explain("projection", state).shows
    monkeypatch.setattr(umap_process, "unavailable_reason", lambda: NOT_HERE)
    words = guide.explain("projection", state)
    assert "UMAP" not in f"{words.shows} {' '.join(words.look)}"
    assert "principal component" in words.shows.lower()
    (offered,) = [item for item in words.tries if "umap" in item.settings.values()]
    assert offered.unavailable_reason == NOT_HERE
    assert "PCA" not in offered.outcome, "it would change nothing"
