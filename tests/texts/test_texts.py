"""Every text of views and encodings is filled in and names metrics correctly."""

import dataclasses
import itertools
import json
import re
import string
import threading
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from pe_explorer import encodings, pictures, quantities
from pe_explorer.analysis.distance import METRICS
from pe_explorer.analysis.precision import CAST
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.gallery import guide
from pe_explorer.params import Choice, Flag, ParameterError, declared, printed
from pe_explorer.pictures.clock_texts import format_count, format_wave_labels
from pe_explorer.pictures.pixels import Size
from pe_explorer.words import texts as word_texts
from pe_explorer.words.templates import fill
from pe_explorer.words.texts import Wording, read_words
from tests.support.measures import MEASURES
from tests.support.requirements import quantity_input
from tests.support.samples import sample
from tests.support.sinusoids import sinusoidal as sines
from tests.support.states import inspection_of_view, snapshot

RESOURCES = Path(__file__).parents[2] / "resources"
WRITTEN = [*(RESOURCES / "words").glob("*.json"), *(RESOURCES / "gallery").rglob("*.json")]
FOR_PROGRAMS = {
    "check", "encoding", "metric", "number", "options", "panes", "pins", "set", "terms", "when",
}  # fmt: skip
"""Keys without sentences; `terms` are search terms, `number` is the name of a fact."""
UNFILLED = re.compile(r"\{\w*[}:!]|\bNone\b|\bnan\b|<\w+ object|Choice\(|[a-z]  +[a-z]")
METRIC = "|".join(METRICS)
WRONG = re.compile(
    rf"^(?:{METRIC})(?<!correlation)$|\b(?:{METRIC}|likeness) (?:from|of two)\b"
    r"|(?<![\w.)\]}/(-])-(?=[\d.])|(?<=\d )- (?=\d)"
)
"""An id of a metric instead of its name, or a hyphen as a minus sign."""


def strings_in(value):
    """Yield all texts of a figure or of the inspector; dictionaries contain settings."""
    fields = getattr(value, "_fields", ()) or getattr(value, "__dataclass_fields__", ())
    if isinstance(value, str):
        yield value
    elif fields:
        yield from strings_in([getattr(value, name) for name in fields if name not in FOR_PROGRAMS])
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings_in(inner)


def parameter_texts(owner):
    """Yield the texts of declared parameters in forms and help."""
    for parameter in declared(owner).values():
        yield from (parameter.label, parameter.help, getattr(parameter, "unit", "") or "")
        if isinstance(parameter, Choice):
            yield from (*parameter.choices.values(), *parameter.texts.values())


def states(picture, name):
    """Yield explorations of an encoding for a view: with each choice, and with a pin."""
    plain = Exploration(encoding=sample(name), reference=2, position=7, dimension=1, second=9)
    yield plain
    if "metric" in picture.fields | set(picture.cursor_fields):
        yield from (plain.with_(metric=metric) for metric in METRICS)
    for field, parameter in declared(picture.Options).items():
        values = [*parameter.choices] if isinstance(parameter, Choice) else []
        values += [True, False] if isinstance(parameter, Flag) else []
        for value in values:
            if value not in (parameter.default, "umap"):  # it is optional
                yield pictures.with_options(plain, picture.name, **{field: value})
    pinned = plain.with_(pins=(Pin(sample("sinusoidal", dim=16)),))
    yield pinned
    if picture.can_compare:
        yield from (pinned.with_(show=show) for show in ("pinned", "difference"))


def view_texts(view, name):
    kind, never = pictures.find(view), threading.Event()
    for intention in states(kind, name):
        state = resolve(intention, DirectStore())
        picture = pictures.make_picture(view, state)
        yield from strings_in(guide.explain(view, state)[:-1])
        try:
            pictures.check(view, state)
        except ParameterError as error:
            yield getattr(error, "sentence", str(error))
            continue
        figure = picture.figure(picture.numbers(Size(300, 200), never))
        yield from strings_in(picture.with_cursor(figure).with_minus_signs())
        if figure.clocks:
            yield from strings_in([*format_wave_labels(figure.clocks), format_count(2, 0.25, 30)])
        with suppress(ParameterError):
            yield from map(printed.text, strings_in(picture.inspect(never)))


YARN = sample("rope", head_dim=64, rope_type="yarn")
HALVED = sample("rope", head_dim=64, rope_type="linear", factor=0.5)
SWAPPED = (Pin(dataclasses.replace(HALVED, layout="interleaved")),)
PINNED = {"encoding": HALVED, "count": 200, "pins": (Pin(YARN, "yarn"), Pin(sample("alibi"), "-"))}
ODD = {"encoding": sines(dim=7, spacing="endpoint"), "dimension": 6}
AT_REST, HARDLY_TURNS = {"encoding": sines(scale=0.0)}, {"encoding": sines(scale=5e-324)}
UNEVEN = sample("rope", head_dim=6, rope_type="longrope", short_factor=(900.0, 0.01, 900.0))
WIDE, TABLE, BIAS = sines(dim=512), sample("learned"), {"encoding": sample("alibi")}
CODE, MAN = {"part": "residual", "code": "float32"}, {"sentence": "a b", "before": "b a"}
ALONE = {"part": "attention", "join": "positions", "beside": "positions"}
ZERO = {"encoding": sample("index"), "position": 0, "second": 9}
NEARLY_CONSTANT = {
    "encoding": sines(dim=8, base=1 + 2**-52, scale=1e-6, waves="sine"),
    "start": 1, "count": 6, "position": 3, "second": 4, "reference": 2,
}  # fmt: skip
NTK = {"encoding": sample("rope", head_dim=64, rope_type="ntk", factor=4.0)}
PADDED = {"encoding": sample("learned", row_offset=10**6)}
ROUNDED = [{"quantity": "error", "rounded_to": "bfloat16", "cast": cast} for cast in CAST.choices]
FAR, COMPARED = {"count": 10**12}, {"show": "difference", "pins": (Pin(sines(dim=18)),)}
RARE = {
    "heatmap": [
        ({}, FAR), ({"quantity": "angle"}, FAR), ({"quantity": "error"}, FAR), ({}, COMPARED),
        ({}, {"encoding": WIDE}), ({}, {"encoding": WIDE, "count": 999}), ({"second": 99}, PADDED),
        ({}, {"encoding": TABLE, "start": 10**9}), ({}, {**COMPARED, "encoding": sines(dim=18)}),
        ({}, {**COMPARED, "show": "pinned", "encoding": sines(dim=8)}),
        *((options, {}) for options in ROUNDED),
    ],
    "frequencies": [
        ({"quantity": "wavelength"}, AT_REST), ({}, AT_REST), ({}, ODD), ({"lengths": [9]}, PINNED),
        ({"quantity": "wavelength", "axis": "linear"}, HARDLY_TURNS),
        ({}, {**PINNED, "encoding": sample("rope", head_dim=64)}), ({}, {"encoding": UNEVEN}),
    ],
    "clocks": [
        ({}, {"encoding": WIDE, "count": 1}), ({}, {"encoding": sines(dim=7), "dimension": 6}),
        ({"pairs": "spread"}, {"encoding": WIDE, "count": 10**9}), ({}, AT_REST),
    ],
    "compare": [
        ({}, {"encoding": HALVED}), ({}, {"encoding": HALVED, "pins": SWAPPED}), ({}, ODD),
        ({}, {"encoding": sines(), "pins": (Pin(sines(scale=0.0)),)}),
        ({}, {"encoding": sines(), "pins": (Pin(sines()),)}),
        ({}, {"encoding": sines(), "pins": (Pin(sample("rope", head_dim=128)),)}),
    ],
    "projection": [
        ({}, {"count": 1}), ({}, {"count": 3}), ({}, {"encoding": sines(dim=1)}),
        ({}, {"count": 10**6, "position": 1001}), ({}, {"position": 1000}),
        ({}, {"encoding": TABLE, "start": -9}),
        ({}, {"encoding": TABLE, "start": -9, "position": -3}),
    ],
    "distances": [
        *(({"part": part}, {"count": 3000}) for part in ("both", "curve", "matrix")),
        ({"part": "curve", "below": "cosine"}, {**ZERO, "metric": "correlation"}),
        ({"part": "histogram"}, {"count": 10**6}), ({"part": "histogram"}, ZERO),
        ({}, {"count": 3000, "pins": (Pin(sample("binary")),)}),
        ({}, {**NEARLY_CONSTANT, "metric": "correlation"}),
    ],
    "properties": [
        ({}, {**NEARLY_CONSTANT, "metric": "correlation"}), ({}, ZERO), ({}, {"count": 1}),
        ({}, {"encoding": TABLE, "start": 10**6, "position": 5}),
        ({}, {"encoding": TABLE, "reference": 10**6}),
        ({}, {"start": 2**53, "count": 1, "position": 2**53}),
        ({}, {"metric": "euclidean", "pins": (Pin(sample("index")),)}),
    ],
    "waves": [
        ({}, FAR), ({"dimensions": [1, 999]}, PINNED), ({"dimensions": range(16)}, {}),
        ({}, {"encoding": TABLE, "count": 9999}), ({}, {"encoding": TABLE, "start": 10**9}),
        ({"line1": 1, "line2": 2}, {}),
    ],
    "context": [
        ({}, ODD), ({}, AT_REST), ({}, HARDLY_TURNS), ({"trained": 400}, PINNED),
        ({"trained": 10**6, "target": 10**6}, {}), ({"trained": 600, "target": 2400}, NTK),
    ],
    "shift": [
        ({}, {"encoding": TABLE, "count": 8}), ({"k": 2**53}, {"start": 5, "position": 9}),
        ({}, {"encoding": sines(dim=2000, waves="sine")}), (CODE, {"count": 10**4}),
        ({"part": "tables"}, {"count": 10**9}), ({**CODE, "k": 0}, {"encoding": TABLE}),
    ],
    "tokens": [
        ({"before": "x"}, {"count": 3}), (MAN, {}), ({**MAN, "before": MAN["sentence"]}, {}),
        ({**MAN, "join": "words"}, {}), ({"join": "concatenation", "part": "similarity"}, {}),
        (MAN, {"encoding": TABLE, "start": 2999, "position": 2999}), (ALONE, BIAS),
        ({**ALONE, "part": "similarity"}, BIAS), ({"part": "attention", "mask": "none"}, BIAS),
    ],
}  # fmt: skip
"""Options and fields for texts that rarely appear."""
GUIDED = {
    "heatmap": [{"quantity": "angle", "pairs": True}, *ROUNDED],
    "waves": [{"quantity": "angle", "angle_turns": "one"}],
}
"""Options for texts of the guide that rarely appear."""
ELSEWHERE = re.compile(
    "(?i:umap)|stored_by|longest_step|verdict|decid|without_v|s.note|^word vector$"
    "|neighbours_before|task.seed|made twice[?]|is finite|finite (?:num|val)"
)
"""Facts of UMAP are tested with its process; a verdict, word vectors and odd numbers with their
files; no encoding is random.
"""


def written_in(words):
    """Return all texts of a view except those of the guide."""
    values = [*itertools.chain(*words.values.values())]
    parts = [*words.facts.values(), *itertools.chain(*words.texts.values())]
    parts += [part for value in values for part in (value.text, value.help, value.in_words)]
    actual = {text.text for text in itertools.chain(*parts)} | {item.name for item in values}
    actual.discard("")
    return {text for text in actual if not ELSEWHERE.search(text)}


def quantity_texts(name):
    """Yield the titles of exportable quantities, and the reasons for unavailable ones."""
    for quantity in map(quantities.find, quantities.names()):
        yield from (quantity.help, *(option.help for option in quantity.options.values()))
        for metric in METRICS:
            try:
                data = quantities.data(quantity.name, quantity_input(sample(name), metric=metric))
            except ParameterError as error:
                yield str(error)
            else:
                yield from islice(data.titles(), 3)


def written_texts(value, key=""):
    """Yield the sentences in a file of texts."""
    if isinstance(value, str) and key not in FOR_PROGRAMS:
        yield value
    for name, inner in value.items() if isinstance(value, dict) else ():
        if name not in FOR_PROGRAMS:
            yield from written_texts(inner, name)
    for inner in value if isinstance(value, list) else ():
        yield from written_texts(inner, key)


def check(texts):
    texts = set(texts)
    assert [text for text in texts if UNFILLED.search(text) or WRONG.search(text)] == []
    return texts


@pytest.mark.parametrize("view", pictures.names())
def test_every_text_of_a_view_is_shown_and_correct(view, monkeypatch):
    picture, shown, found_names, get = pictures.find(view), set(), set(), Wording.get

    def recorded(text, facts):
        if actual := fill(text, facts):
            shown.add(text)
        return actual

    def recorded_fact(wording, name):
        if (actual := get(wording, name)) is not None:
            found_names.add(name)
        return actual

    monkeypatch.setattr(word_texts, "fill", recorded)
    monkeypatch.setattr(Wording, "get", recorded_fact)
    check((picture.title, picture.help, *parameter_texts(picture.Options)))
    for name in encodings.names():
        texts = check(view_texts(view, name))
        if view == "distances" and name == "sinusoidal":
            for metric, measure in MEASURES.items():
                assert any(measure in text for text in texts), metric
    for options, fields in RARE.get(view, ()):
        actual = (
            snapshot(view, options, **fields).figure,
            inspection_of_view(view, options, **fields),
        )
        check(map(printed.text, strings_in(actual)))
    few = (TABLE, sines(waves="sine"), sines(dim=2), sample("rope", head_dim=2))
    for e, options in itertools.product(few, ({}, *GUIDED.get(view, ()))):
        state = pictures.with_options(Exploration(e, start=-9, count=12), view, **options)
        check(strings_in(guide.explain(view, resolve(state, DirectStore()))[:-1]))
    assert written_in(read_words(view)) <= shown
    guides = json.loads((RESOURCES / f"words/{view}.json").read_text(encoding="utf-8"))
    pieces = (string.Formatter().parse(text) for text in written_texts(guides))
    names = {name.removesuffix("?") for _, name, *_ in itertools.chain(*pieces) if name}
    assert {name for name in names if not ELSEWHERE.search(name)} <= found_names


FEW = [sines(dim=1), sines(dim=2), sines(dim=4), sines(dim=16, waves="sine"), sample("binary")]
FEW += [sample("rope", head_dim=2), sample("rope", head_dim=4), sample("alibi", heads=1)]
NOT_ONE = re.compile(
    r"(?<!of )(?<![\d,.·])1 (?:complete|differ|meet"
    r"|of [\d,]+ (?:\w+ )?(?:change|complete|stay|turn))\b"
    r"|(?<![\d,.·])1 (?:bit|dimension|head|offset|pair|position|row|step|turn|wave|word)s\b"
)
"""A noun or a verb that goes with several things, after the number 1."""


@pytest.mark.parametrize("view", pictures.names())
def test_nouns_and_verbs_agree_with_one(view):
    found = []
    for e, count in itertools.product(FEW, (1, 2, 7)):
        state = resolve(Exploration(e, count=count), DirectStore())
        explained = guide.explain(view, state)
        found += [*strings_in(explained[:-1]), *(it.outcome for it in explained.tries)]
        with suppress(ParameterError):
            pictures.check(view, state)
            picture = pictures.make_picture(view, state)
            found += strings_in(picture.figure(picture.numbers(Size(300, 200), threading.Event())))
    assert {text for text in map(printed.text, found) if NOT_ONE.search(text)} == set()


def test_every_text_of_exports_and_encodings_is_filled_and_has_no_fault():
    check(parameter_texts(Exploration))
    for name in encodings.names():
        check(parameter_texts(encodings.find(name)))
        check(quantity_texts(name))


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: file.stem)
def test_files_of_texts_are_correct(file):
    actual = written_texts(json.loads(file.read_text(encoding="utf-8")))
    assert [text for text in actual if WRONG.search(text)] == []
