"""Exhibits match their files; unusable files are reported."""

import json
from itertools import combinations

import pytest
from PySide6.QtGui import QColor, QImage

from pe_explorer import pictures
from pe_explorer.assets import find_asset
from pe_explorer.exploration import Exploration, changes, find_differing_fields
from pe_explorer.gallery import exhibits as gallery
from pe_explorer.gallery.exhibits import QUESTIONS, exhibits, find, load, load_documents
from pe_explorer.gallery.start_here import cards, presets
from pe_explorer.params import ParameterError
from pe_explorer.pictures.spots import find_figure_point
from tests.gallery.figures import EXHIBITS, figure_of
from tests.support.exhibit_sentences import resolved

OF_NO_DOCUMENT = ("start", "paper-", "x-")
every_exhibit = pytest.mark.parametrize("name", EXHIBITS)
MOST_WORDS = {
    "title": 32,
    "note": 130,
    "look": 170,
    "label": 26,
    "then": 130,
    "truth": 420,
    "summary": 140,
}
"""The maximum number of letters of a text that fits in the window."""


# -- all of them -----------------------------------------------------------------------------------


def test_every_exhibit_is_used_and_has_a_unique_title():
    assert gallery.problems() == ()
    assert sorted(exhibits()) == EXHIBITS
    ranks = [exhibit.rank for exhibit in exhibits().values()]
    assert ranks == sorted(set(ranks))
    titles = [exhibit.title.casefold() for exhibit in exhibits().values()]
    assert len(set(titles)) == len(titles)
    assert [*load_documents()] == ["000", "001", "002", "003", "004"]
    assert len({document.name for document in load_documents().values()}) == len(load_documents())
    assert load_documents()["004"].name.endswith(", S. Mandal, 2023")


def test_former_names_find_exhibits():
    former_ids = [name for exhibit in exhibits().values() for name in exhibit.former_ids]
    assert len(set(former_ids)) == len(former_ids)
    assert not set(former_ids) & set(exhibits())
    for exhibit in exhibits().values():
        assert all(find(name) is exhibit for name in (exhibit.id, *exhibit.former_ids))
    before = (  # all former ids
        "start paper-base paper-big 000-heatmap 000-base-1e2 000-base-1e8 000-clocks 001-sines "
        "002-distances 002-index 002-fraction 003-notebook 004-viridis"
    )
    assert all(find(name).title for name in before.split())


def test_no_two_exhibits_are_equal():
    same = [
        (one.id, other.id)
        for one, other in combinations(exhibits().values(), 2)
        if one.main_view == other.main_view and not changes(one.exploration, other.exploration)
    ]
    assert same == []


# -- each of them ----------------------------------------------------------------------------------


@every_exhibit
def test_exhibits_name_their_source_and_texts_fit(name):
    exhibit = exhibits()[name]
    if name.startswith(OF_NO_DOCUMENT):
        assert (exhibit.source, exhibit.summary) == ("", "")
    else:
        assert exhibit.document is load_documents()[name[:3]]
        assert exhibit.source == f"{exhibit.document.name}: {exhibit.place}"
        assert exhibit.summary or exhibit.text
    assert exhibit.question in QUESTIONS
    assert bool(exhibit.text) == bool(exhibit.truth)
    texts = [("title", exhibit.title), ("note", exhibit.note)]
    texts += [("look", point.text) for point in exhibit.look]
    texts += [("label", item.label) for item in exhibit.tries]
    texts += [("then", entry.outcome) for entry in exhibit.tries]
    texts += [("truth", text) for text in (exhibit.text, exhibit.truth) if text]
    texts += [("summary", exhibit.summary)] * bool(exhibit.summary)
    for kind, text in texts:
        assert len(text) <= MOST_WORDS[kind], (kind, text)
        assert text == " ".join(text.split())
        assert kind in ("title", "label") or text.endswith((".", "?", "!")), text


@every_exhibit
def test_exhibits_set_all_fields_and_their_tries_have_effects(name):
    exhibit = exhibits()[name]
    before, panes = exhibit.exploration, exhibit.exploration.panes
    assert panes.views[0] == exhibit.main_view
    assert find_differing_fields(Exploration(start=9, count=7, metric="dot", position=12), before)
    assert exhibit.matches(before.with_(panes=None))
    assert not exhibit.matches(before.with_(count=before.count + 1))
    for view in panes.views:
        pictures.check(view, resolved(before))
    assert 2 <= len(exhibit.look) <= 3
    for point in exhibit.look:
        if point.view_place is not None:
            assert point.view_place.view in panes.views
            figure = figure_of(name, point.view_place.view)
            assert find_figure_point(figure, resolved(before), point.view_place) is not None, point
    assert 1 <= len(exhibit.tries) <= 4
    for item in exhibit.tries:
        after = item.apply(before)
        assert changes(before, after) or after.position != before.position, item
        assert not pictures.make_picture(exhibit.main_view, resolved(after)).is_unavailable(), item


def test_all_exhibits_use_the_default_colour_maps():
    for exhibit in exhibits().values():
        for view in exhibit.exploration.panes.views:
            picture = pictures.find(view)
            default, options = picture.Options(), picture(exhibit.exploration).options
            for name in ("values", "angles"):
                actual = getattr(options, name, None)
                assert actual == getattr(default, name, None), (exhibit.id, view)


def test_cards_and_presets_are_exhibits():
    listed = json.loads(find_asset("gallery/start_here.json").read_text(encoding="utf-8"))
    shown = [{"exhibit": card.exhibit.id, "sentence": card.sentence} for card in cards()]
    assert shown == listed["cards"]
    known = [(item.id, item.title, item.note, item.parameters) for item in presets().values()]
    assert known == [
        (*map(entry.get, ("id", "title", "note", "encoding")),) for entry in listed["presets"]
    ]
    for name, preset in presets().items():
        own = find(name).exploration.with_(panes=None)
        assert preset.exhibit is find(name)
        assert preset.matches(own)
        assert [element for element in presets() if presets()[element].matches(own)] == [name]
        assert not preset.matches(own.with_(count=own.count + 1))


# -- finding one -----------------------------------------------------------------------------------


def test_unknown_exhibits_are_refused():
    for name, expected in (
        *((near, "'000-heatmap'") for near in ("000-heatmop", "000-Heatmap")),
        *((other, "list --exhibits") for other in ("", "../exhibits/start", "zzzzzz")),
    ):
        with pytest.raises(ParameterError) as exc_info:
            find(name)
        assert expected in exc_info.value.problem


# -- files that were badly edited ------------------------------------------------------------------


GOOD = json.loads(find_asset("gallery/exhibits/start.json").read_text(encoding="utf-8"))


def edited(**changes_there):
    """Return the file of an exhibit with changes; None removes a key."""
    entry = {**GOOD, **changes_there}
    return json.dumps({key: value for key, value in entry.items() if value is not None})


def exploration(**fields):
    return edited(exploration={**GOOD["exploration"], **fields})


def encoding(**fields):
    return exploration(encoding=fields)


def point(**at):
    return edited(look=[{"text": "Here.", "at": at}])


def attempt(**settings):
    return edited(**{"try": [{"label": "This", "then": "That.", "set": settings}]})


PIN = {"encoding": {"name": "index"}}
PANES = {"views": ["heatmap"], "arrangement": "one"}
DAMAGED = {
    "not-json": ('{"title": ', "is not valid JSON (line 1"),
    "empty": ("", "is empty"),
    "deep": ('{"title": ' + "[" * 5000 + "]" * 5000 + "}", "nested too deeply"),
    "large": (edited().ljust(65_537), "has more than 65,536 bytes"),
    "long-key": (edited(**{"y" * 41: "x"}), f"{'y' * 40}…: is not known"),
    "whole-key": (edited(**{"y" * 40: "x"}), f"{'y' * 40}: is not known"),
    "unknown-key": (edited(nte="x"), "nte: is not known. Did you mean 'note'?"),
    "note-is-blank": (edited(note="  "), "note: expected one line of text, got '  '"),
    "note-is-long": (edited(note="a" * 1001), "note: expected at most 1,000 characters, got 1,001"),
    "question": (edited(question="lok"), "got 'lok'. Did you mean 'look'?"),
    "rank": (edited(rank="first"), "rank: expected an integer from 0 to 9999, got 'first'"),
    "rank-is-large": (
        edited(rank=10_000),
        "rank: expected an integer from 0 to 9999, got 10000",
    ),
    "endless-number": (edited(rank=1).replace('"rank": 1', '"rank": 1e999'), "1e999"),
    "many-digits": (edited(rank=1).replace('"rank": 1', '"rank": ' + "1" * 5000), "thousands"),
    "look-is-no-list": (edited(look="there"), "look: expected a list, got 'there'"),
    "look-without-text": (edited(look=[{"text": []}]), "look[0].text: is empty"),
    "terms": (edited(terms=["a", 1]), "terms.1: expected a string, got 1"),
    "look-is-text": (edited(look=["there"]), "look[0]: expected an object, got 'there'"),
    "elsewhere": (point(view="tokens"), "look: no pane shows the view tokens"),
    "no-view": (point(position=1), "look[0].at.view: is missing"),
    "what-view": (point(view="heatmp"), "Did you mean 'heatmap'?"),
    "place": (
        point(view="heatmap", position="1"),
        "look[0].at.position: expected a finite number, got '1'",
    ),
    "try": (edited(**{"try": [{"label": "x"}]}), "try[0].then: is missing"),
    "try-what": (attempt(**{"encoding.bse": 7}), "try 'This': bse: is not a parameter of"),
    "try-no-parameter": (attempt(**{"encoding.": 7}), "got 'encoding.'"),
    "try-field": (attempt(conut=8), "try 'This': conut: expected encoding, start, count, "),
    "try-view": (attempt(**{"options.heatmp.pixel": "mean"}), "Did you mean 'heatmap'?"),
    "try-option": (attempt(**{"options.heatmap.pixle": "mean"}), "Did you mean 'pixel'?"),
    "try-path": (attempt(**{"options.heatmap": "mean"}), "heatmap: expected options.VIEW.NAME"),
    "try-panes": (attempt(panes=1), "try 'This': panes or pins has an invalid value"),
    "source": (edited(source={"document": "000"}), "source.place: is missing"),
    "document": (edited(source={"document": "009"}), "source.document: expected "),
    "scheme": (encoding(name="sinusodal"), "Did you mean 'sinusoidal'?"),
    "no-scheme": (encoding(dim=8), "exploration.encoding.name: is missing"),
    "field": (exploration(conut=8), "Did you mean 'count'?"),
    "show": (exploration(show="difference"), "there is no pin to compare with"),
    "pins": (exploration(pins=[{"name": "x"}]), "exploration.pins[0].encoding: is missing"),
    "option": (exploration(options={"heatmap": {"pixle": "mean"}}), "Did you mean 'pixel'?"),
    "no-panes": (edited(exploration={"encoding": {"name": "sinusoidal"}}), "panes: is missing"),
    "panes-none": (exploration(panes={"views": []}), "expected one to three views, got 0"),
    "panes-other": (exploration(panes={**PANES, "arrangement": "beside"}), "is for 2 views"),
    "panes-active": (exploration(panes={**PANES, "active": "clocks"}), "no pane shows"),
}


@pytest.mark.sampled(99)  # each takes a few milliseconds
@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_reported(tmp_path, monkeypatch, name):
    text, problem = DAMAGED[name]
    (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    good = edited(note="a" * 1000, rank=9999).ljust(65_536)  # everything at its limit
    (tmp_path / "good.json").write_text(good, encoding="utf-8")
    (tmp_path / "first.json").write_text(edited(rank=0), encoding="utf-8")
    actual = load(tmp_path)
    assert list(actual.entries) == ["first", "good"]
    (sentence,) = actual.problems
    monkeypatch.setattr(gallery, "find_asset", lambda file: tmp_path / file.rpartition("/")[2])
    with pytest.raises(ParameterError, match="cannot be used"):
        find(name)
    assert f"{name}.json" in sentence
    assert problem in sentence
    assert sentence.endswith((".", "?"))
    assert "\n" not in sentence


def test_other_unusable_files_are_reported(tmp_path):
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "bytes.json").write_bytes(b'{"title": "\xff"}')
    (tmp_path / "bad name.json").write_text(edited(), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not read", encoding="utf-8")
    actual = load(tmp_path)
    assert not actual.entries
    for name, sentence in zip(("bad name", "bytes", "folder"), actual.problems, strict=True):
        assert f"{name}.json" in sentence
    assert load(tmp_path / "gone") == ({}, ())


def test_a_valid_file_is_read(tmp_path):
    file = find_asset("gallery/tables/made-table-1.npy")
    pins = [PIN, {"name": "b", "colour": "teal", "encoding": {"name": "binary"}}]
    pins += [{"encoding": {"name": "learned", "file": file.name}}]
    good = exploration(start=3, pins=pins, compared=1, show="pinned")
    (tmp_path / "good.json").write_text(good, encoding="utf-8")
    exhibit = load(tmp_path).entries["good"]
    state = exhibit.exploration
    assert (state.start, state.count, state.metric) == (3, 50, "cosine")
    assert (state.compared, state.show) == (1, "pinned")
    pinned = [(pin.colour, pin.encoding.name) for pin in state.pins]
    assert pinned == [("magenta", "index"), ("teal", "binary"), ("gold", "learned")]
    assert state.pins[2].encoding.file == str(file)
    assert state.pins[1].name == "b"
    assert exhibit.title in exhibit.step
    assert exhibit.picture.name == "good.png"


MOST_BYTES = 12_000


@every_exhibit
def test_every_exhibit_has_a_thumbnail(name):
    path, dark = exhibits()[name].picture, exhibits()[name].dark_picture_path
    assert dark.is_file()
    assert (dark == path) != find_asset(f"gallery/dark_cards/{name}.png").exists()
    assert path.stat().st_size < MOST_BYTES
    image = QImage(str(path))
    assert (image.width(), image.height()) == (176, 152)
    shades = {image.pixel(x, y) for x in range(0, 176, 5) for y in range(0, 152, 5)}
    assert len(shades) > 1, "it is a picture"


def test_every_thumbnail_has_an_exhibit():
    files = {path.name for path in find_asset("gallery/cards").iterdir()}
    assert files == {exhibit.picture.name for exhibit in exhibits().values()}


@pytest.mark.parametrize("name", ["start", "paper-base", "paper-big", "000-wider", "002-table"])
def test_narrow_columns_alternate_in_thumbnails(name):
    """In the first row, slow sines are almost 0 and slow cosines almost 1."""
    image = QImage(str(exhibits()[name].picture))
    row = [QColor(image.pixel(x, 0)).getRgb() for x in range(100, 170)]
    shades = [max(shade) - min(shade) for k in (0, 1) for shade in zip(*row[k::2], strict=True)]
    assert max(shades) <= 17  # one step of the reduced palette
    assert max(abs(a - b) for a, b in zip(row[0], row[1], strict=True)) > 80
