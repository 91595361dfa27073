import itertools
import json
import os
import shlex
import shutil
import subprocess
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pe_explorer import encodings, flags, pictures, quantities, views
from pe_explorer.analysis import umap_process
from pe_explorer.app import render
from pe_explorer.commandline import export as export_command, main as cli
from pe_explorer.commandline.parser import join_values
from pe_explorer.commandline.shared import read_encoding
from pe_explorer.encodings import LIMIT, EncodingError, Unknown
from pe_explorer.exploration import MAX_PINS, Exploration, Pin, make_panes
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files import atomic, export, session
from pe_explorer.files.atomic import OutputError
from pe_explorer.flags import (
    HEIGHT,
    WIDTH,
    ExportRequest,
    RenderSettings,
    format_positions,
    parse_positions,
)
from pe_explorer.params import FileName, ParameterError, Text, declared, drop_unused_fields
from tests.support.commands import options_of, render_request
from tests.support.explorations import PINS, explorations, legal_values, values_of
from tests.support.pictures import PICTURES
from tests.support.samples import stored_table

pytestmark = pytest.mark.usefixtures("beside_the_table")


def readable(e):
    """Return an encoding, or options, with the file that is there, if it has any; and, as lines
    have it, with the usual value of what belongs to a choice that is not made.
    """
    kinds = declared(type(e))
    files = [name for name, kind in kinds.items() if isinstance(kind, FileName)]
    names = [name for name, kind in kinds.items() if files and isinstance(kind, Text)]
    usual = {name: kinds[name].default for name in names}  # of what is in a file
    return drop_unused_fields(replace(e, **usual, **dict.fromkeys(files, stored_table())))


def with_readable(pins):
    return tuple(replace(pin, encoding=readable(pin.encoding)) for pin in pins)


ENDS = st.one_of(
    st.integers(-LIMIT, LIMIT),
    st.integers(-3, 60),
    st.builds(lambda n, k: n * 10**k, st.integers(-9, 9), st.integers(0, 15)),
)
STEPS = st.one_of(st.just(1), st.integers(-99, 99), st.integers(-LIMIT, LIMIT)).filter(bool)
RANGES = st.builds(range, ENDS, ENDS, STEPS).filter(bool)
NAMES = st.text(
    st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1, max_size=12
).filter(lambda name: name != ".")


@given(RANGES)
def test_positions_are_read_as_they_are_spelled(positions):
    assert parse_positions(format_positions(positions)) == positions


def test_positions_are_spelled_in_short():
    for positions, text in (
        (range(50), "0:50"),
        (range(-8, 9), "-8:9"),
        (range(10**12, 10**12 + 1000), "1e12+1000"),
        (range(10**15 + 3, 10**15 + 80), "1000000000000003+77"),
        (range(-(10**6), 10**6), "-1e6:1e6"),
        (range(LIMIT, LIMIT + 1), "9007199254740992+1"),
        (range(4, -5, -2), "4:-5:-2"),
    ):
        assert format_positions(positions) == text


def test_positions_may_be_sums_and_powers():
    for text, positions in {
        "0:+5": range(5),
        "1e+3+5": range(1000, 1005),
        "-2^20+64*2": range(-(2**20), -(2**20) + 128),
        "-2^53:9007199254740993": range(-LIMIT, LIMIT + 1),
        "0:2^53:2^53": range(0, LIMIT, LIMIT),
        " 7 : 9 ": range(7, 9),
    }.items():
        assert parse_positions(text) == positions, text


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", encodings.names())
@given(data=st.data())
@settings(max_examples=12)  # of each scheme: there are others at each run
def test_the_command_line_reads_an_export_as_it_was_set_up(name, data):
    e, request, positions = (
        data.draw(made)
        for made in (legal_values(encodings.find(name)), legal_values(ExportRequest), RANGES)
    )
    output, pins = data.draw(NAMES), data.draw(st.lists(PINS, min_size=1, max_size=MAX_PINS))
    e, pins = readable(e), with_readable(pins)
    chosen = quantities.find(request.what).options
    values = {name: data.draw(values_of(parameter)) for name, parameter in chosen.items()}
    request = replace(request, compared=request.compared % len(pins), options=values)
    options = options_of(
        shlex.split(flags.format_export_line(e, positions, request, output, pins))[1:]
    )
    assert read_encoding(options) == e
    quantity = quantities.find(request.what)
    written = replace(request, compared=0)  # of the pins it has the one that is compared with
    needed = () if request.show == "current" else (pins[request.compared],)
    if quantity.curve_axis and request.curves == "all":
        written, needed = replace(written, show="current", second_start=None), pins
    else:
        second = request.second_start if quantity.can_have_second_window else None
        written = replace(written, curves="one", name="", second_start=second)
    assert export_command.read_request(options) == written
    assert options.opened.state.pins == needed
    assert options.positions == positions
    assert options.output.removeprefix("./") == output.removeprefix("./")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("view", [*PICTURES, flags.PLATE])
@given(data=st.data())
@settings(max_examples=9)  # of each picture: there are others at each run
def test_the_command_line_reads_a_picture_as_it_was_set_up(view, data):
    # a line says no more than its picture needs
    shown = views.names() if view in (flags.WINDOW, flags.PLATE) else [view]
    chosen = {
        name: readable(data.draw(legal_values(pictures.find(name).Options))) for name in shown
    }
    state = data.draw(explorations()).with_(options=chosen)
    state = state.with_(encoding=readable(state.encoding), pins=with_readable(state.pins))
    last = state.encoding.width - 1
    state = state.with_(dimension=min(state.dimension, last))  # others are refused
    size = data.draw(st.tuples(values_of(WIDTH), values_of(HEIGHT)))
    how, output = data.draw(legal_values(RenderSettings)), data.draw(NAMES)
    style = None if view == flags.WINDOW else data.draw(legal_values(Style))
    seen = []
    # whether there is a picture of it is not asked here
    takes_all = patch.object(flags, "check_image", lambda *given: None)
    umap_is_here = patch.object(
        umap_process, "unavailable_reason", lambda: ""
    )  # or a line goes without it
    run_is_seen = patch.object(render, "run", lambda *given: seen.append(given))
    with takes_all, umap_is_here, run_is_seen:
        line = flags.format_render_line(view, state, size, how, output, style)
        assert cli.main(shlex.split(line)[1:]) == 0
    ((*rest, found, extra, read_style, _progress),) = seen
    for name in flags.find_unused_fields(view, state, how.only, style):  # which would be refused
        if name in declared(Exploration):
            state = state.with_(**{name: declared(Exploration)[name].default})
        elif style is not None and name in declared(Style):
            style = replace(style, **{name: declared(Style)[name].default})
    assert (rest, extra) == ([view, state, FigureSize(*size), how], {})
    assert read_style == style or (style is None and read_style == Style.default())
    assert found.removeprefix("./") == output.removeprefix("./")


def test_lines_say_no_more_than_they_need():
    e = encodings.create("sinusoidal", scale=-0.5)
    line = flags.format_export_line(e, range(50), ExportRequest(), "t.npy")
    wanted = "--encoding sinusoidal --encoding-scale -0.5 --positions 0:50 -o t.npy"
    assert line == f"pe-explorer export {wanted}"
    style = replace(Style.default(), title="--")  # two hyphens can be a title
    line = flags.format_render_line(
        "heatmap", Exploration(e), (240, 160), RenderSettings(), "", style
    )
    assert render_request(*shlex.split(line)[2:-2])[-1] == style


E = encodings.create("rope", rope_type="yarn", factor=8.0, truncate=False, layout="interleaved")
PINNED = (
    Pin(encodings.create("sinusoidal", base=500.0, dim=16), "slow one", "teal"),
    Pin(encodings.create("binary"), "bin"),
)
RICH = Exploration(
    E, -5, 40, position=3, dimension=7, metric="dot", reference=4, pins=PINNED, compared=1,
    show="current difference", name="mine",
)  # fmt: skip
RICH = pictures.with_options(RICH, "heatmap", quantity="angle", second=1000, upward=True)
RICH = pictures.with_options(RICH, "distances", part="curve", below="sse")
ENCODED = "--encoding rope --rope-type yarn --factor 8 --no-truncate --layout interleaved"
PLACED = f"{ENCODED} --positions -5:35"
AT = "--position 3 --dimension 7 --reference 4 --metric dot --compared 1"
HEATMAP = "--heatmap-quantity angle --heatmap-upward --heatmap-second 1000"
DISTANCES = "--distances-part curve --distances-below sse"
BIN = "--pin 'binary name=bin colour=magenta'"
BOTH = f"""--pin "sinusoidal dim=16 base=500 'name=slow one' colour=teal" {BIN}"""
SHOW = "--show 'current difference'"
STYLE = replace(Style.default(), title="T", grid=True)
DARK = RenderSettings(scale=2.0, theme="dark")
DRAWN = {
    ("heatmap", None, (300, 200), STYLE): f"{AT} {SHOW} --name mine {HEATMAP} {BOTH} "
    "--size 300x200 --scale 2 --theme dark --title T --grid --ground white",
    ("distances", None, flags.DEFAULT_SIZE, None): f"{AT} --name mine {DISTANCES} {BOTH} "
    "--scale 2 --theme dark",
    ("plate", ("heatmap", "distances"), (84, 60, "mm"), Style(ground="transparent")):
        f"{AT} {SHOW} --name mine {HEATMAP} {DISTANCES} --panes heatmap,distances {BOTH} "
        "--size 84x60mm --scale 2 --theme dark --ground transparent",
    ("window", ("waves", "distances"), (300, 200), None): f"{AT} --name mine {HEATMAP} {DISTANCES} "
    "--panes waves,distances --arrangement stacked --active distances "
    f"{BOTH} --size 300x200 --scale 2 --theme dark",
    ("clocks", None, flags.DEFAULT_SIZE, None): f"{AT} {BOTH} --scale 2 --theme dark",
    ("window", None, flags.DEFAULT_SIZE, None): f"{AT} {SHOW} --name mine {HEATMAP} {DISTANCES} "
    f"{BOTH} --scale 2 --theme dark",
}  # fmt: skip


def test_lines_of_an_exploration_that_has_everything():
    for (view, names, size, style), words in DRAWN.items():
        how = ("stacked", "distances") if names == ("waves", "distances") else ()
        state = replace(RICH, panes=make_panes(names, *how) if names else None)
        line = flags.format_render_line(view, state, size, DARK, "x y.png", style)
        wanted = shlex.split(f"pe-explorer render {view} {PLACED} {words}")
        assert shlex.split(line) == [*wanted, "-o", "x y.png"]
        line = flags.format_render_line(
            view, state, size, DARK, "x.png", style, has_output_flag=False
        )
        assert shlex.split(line) == wanted
    where = "--metric dot --reference 4 --position 3"
    for fields, words in (
        ({"what": "table", "curves": "one"}, f"{SHOW} {where} {BIN}"),
        ({"what": "table", "curves": "all"}, f"{SHOW} {where} --second-start 1000 {BIN}"),
        ({"what": "table", "curves": "all", "second_start": 9},
         f"{SHOW} {where} --second-start 9 {BIN}"),
        ({"what": "table", "show": "current"}, where),
        ({"what": "distances"}, f"--what distances {SHOW} {where} --below sse {BIN}"),
        ({"what": "distances", "curves": "all", "options": {"below": "dot"}, "carry": "omit"},
         f"--what distances {where} --name mine --curves all --carry omit --below dot {BOTH}"),
        ({"what": "matrix", "curves": "all", "dtype": "float16"},
         f"--what matrix {SHOW} {where} --type float16 {BIN}".replace("type f", "dtype f")),
    ):  # fmt: skip
        line = flags.format_export_line(
            E, range(-5, 35), ExportRequest.from_exploration(RICH, **fields), "-x", PINNED
        )
        assert shlex.split(line) == shlex.split(f"pe-explorer export {PLACED} {words} -o ./-x")


def test_positions_that_are_none_are_refused():
    for text, fact in {
        "": "''", "5": "not a range", "1:2:3:4": "not a range", "1:9:0": "STEP", "1:x": "'x'",
        "5:5": "no position", "9:5": "no position", "5:9:-1": "no position", "5+0": "no position",
        "5+-2": "no position", "2^53:2^53+2": "'2^53+2'", "9007199254740993+1": "-2^53 to 2^53",
        "-9007199254740993:0": "-2^53 to 2^53",
        ":5": "''", "0+0": "no position", "1.5:3": "'1.5'", "nan:3": "'nan'", "0:1,5": "1,000",
        "10^12:10^12+50": "'10^12+50'", "9^9^9+1": "'9^9^9'", "8K+1": "8k or 8Ki",
    }.items():  # fmt: skip
        with pytest.raises(ParameterError) as caught:
            parse_positions(text)
        assert caught.value.name == "positions"
        assert fact in caught.value.problem
        assert repr(text) in caught.value.problem


def test_curves_of_unknown_encodings_are_refused_and_named():
    gone = Unknown("xpos", {}, "xpos is not known")
    request, pins = ExportRequest(what="distances", curves="all"), (Pin(gone, "old"),)
    for which in (request, replace(request, curves="one")):
        with pytest.raises(EncodingError) as caught:
            which.data(gone, range(5), pins)
        assert caught.value.name == "encoding"
        assert "xpos is not known" in caught.value.problem
        assert caught.value.problem.startswith("xpos ")  # the current one, not a pin
    assert [note.split()[0] for note in request.find_missing_curves(gone, range(5), pins)] == [
        "xpos",
        "old",
    ]
    assert [note.split()[0] for note in request.find_missing_curves(E, range(5), pins)] == ["old"]
    assert replace(request, curves="one").find_missing_curves(gone, range(5), pins) == ()
    for what in (flags.WINDOW, flags.PLATE, "heatmap"):
        with pytest.raises(EncodingError, match="xpos"):
            flags.check_image(what, Exploration(gone))
    names = ("the encoding that is current in all", "the encoding that is pinned in all here")
    data = replace(request, name=names[0]).data(E, range(5), (Pin(PINNED[0].encoding, names[1]),))
    assert data.curves == names


def test_a_request_is_checked_and_put_into_an_exploration():
    index, pins = encodings.create("index"), (Pin(encodings.create("sinusoidal"), "waves"),)
    for what, fields, is_there in (
        ("frequencies", {}, False),
        ("frequencies", {"show": "pinned"}, True),
        ("frequencies", {"show": "current pinned"}, False),
        ("frequencies", {"curves": "all"}, True),  # a note names the encodings without curves
        ("ratios", {"show": "current pinned"}, False),
        ("table", {"show": "current pinned"}, True),
        ("table", {"show": "difference"}, True),
    ):
        request = ExportRequest(what=what, **fields)
        with nullcontext() if is_there else pytest.raises(EncodingError):
            request.check(index, range(5), pins)
    for what, has_second in (("table", True), ("distances", False)):
        request = ExportRequest.from_exploration(
            RICH, what=what, curves="all", options={"below": "dot"}
        )
        state = request.apply_to(Exploration(E, pins=PINNED))
        names = ("metric", "reference", "position", "show", "name", "compared")
        assert [getattr(state, name) for name in names] == [getattr(RICH, name) for name in names]
        assert (pictures.find("heatmap")(state).options.second == 1000) == has_second
        assert (pictures.find("distances")(state).options.below == "dot") != has_second
    for view, what, show, curves, count in (
        ("heatmap", "angles", "current", "one", 2),
        ("heatmap", "angles", "current difference", "one", 1),
        ("heatmap", "angles", "current", "all", 1),
        ("heatmap", "table", "current", "one", 0),  # it is another picture's
        ("distances", "distances", "current", "one", 1),
        ("distances", "distances", "current", "all", 0),
    ):
        request = ExportRequest(what=what, show=show, curves=curves)
        assert len(flags.omissions(request, view, RICH)) == count


def test_what_a_view_shows_as_several_curves_or_windows():
    for below, second, pins, show in itertools.product(
        ("none", "dot"), (None, 1000), ((), PINNED), ("current", "current pinned")
    ):
        state = RICH.with_(pins=pins, show="current", compared=0)
        for view, options in (
            ("heatmap", {"second": second}),
            ("distances", {"below": below}),
            ("shift", {"part": "residual", "show": show}),
        ):
            state = pictures.with_options(state, view, **options)
        exported = {
            view: pictures.make_picture(view, state).quantity_name() for view in pictures.names()
        }
        several = {
            view for view, it in exported.items() if flags.has_several_curves(view, state, it)
        }
        assert several == {
            *(["heatmap"] if second else ()),
            *(["distances"] if pins or below == "dot" else ()),
            *(["frequencies", "properties"] if pins else ()),
            *(["shift"] if pins and " " in show else ()),
        }


def test_pins_can_be_typed_and_an_unknown_one_is_refused(capsys):
    line = ["sinusoidal base=500 dim=6", "binary name='two words' colour=teal"]
    first, second = flags.parse_pins(line)
    assert first.encoding == encodings.create("sinusoidal", base=500, dim=6)
    assert first.name == "sinusoidal d=6 b=500"
    assert second.encoding == encodings.create("binary")
    assert (second.name, second.colour) == ("two words", "teal")
    with pytest.raises(ParameterError, match="at most 8"):
        flags.parse_pins(["binary"] * 9)
    for text, fact in (
        ("", "sinusoidal, index"),
        ("sinusoidl", "'sinusoidal'"),
        ("sinusoidal bas=5", "'bas' is not a parameter of sinusoidal. Did you mean 'base'?"),
        ("sinusoidal base", "base: expected"),
        ("sinusoidal base=0", "got 0"),
        ("rope factor=3", "factor: "),
        ("rope rope-type=longrope short-factor=2", "short-factor: has 1 number for 64 pairs"),
        ("binary name='open", "quotation"),
        ("binary colour=pink", "colour: expected"),
    ):
        with pytest.raises(ParameterError, match=r"^pin: ") as caught:
            flags.parse_pins(["binary", text])
        problem = caught.value.problem
        assert fact in problem
        assert problem.startswith(repr(text))
    for command in ("export -o x.npy", "render heatmap -o x.png", "code"):
        for flag in ("--show difference", "--compared 3"):
            assert cli.main([*command.split(), *flag.split()]) == 2
            said = capsys.readouterr().err
            assert f"{flag.split()[0]}: there is no pin" in said


# -- words -----------------------------------------------------------------------------------------


def test_a_flag_is_no_value_of_another_and_other_words_are():
    words = ["--session", "--encoding", "index", "--help", "x", "-h", "--", "--pin", "a"]
    assert join_values(words) == ["--session", "--encoding=index", *words[3:]]
    assert join_values(["--positions", "-8:9", "-o", "-5"]) == ["--positions=-8:9", "-o=-5"]


FORMS = {"--{}": True, "--no-{}": False, "--{}=off": False, "--{} off": False, "--{} on": True}
SWITCHES = ["grid", "labels", "colour-bar", "upward", "pairs", "symmetric", "heatmap-upward"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_read_in_every_form_beside_the_word_for_the_view(name, form):
    switch, field = form.format(name).split(), name.removeprefix("heatmap-").replace("-", "_")
    for words in ([*switch, "heatmap"], ["heatmap", *switch]):
        view, state, style = render_request(*words, "--encoding", "alibi")
        options = pictures.find("heatmap")(state).options
        owners = [options] if "heatmap" in name else [style, state.encoding, options]
        owner = next(each for each in owners if hasattr(each, field))
        assert (view, getattr(owner, field)) == ("heatmap", FORMS[form])


# -- the session beside data -----------------------------------------------------------------------


def test_data_open_as_what_they_are(tmp_path, capsys):
    state = Exploration(start=-4, count=9, position=2, metric="sse")
    state = pictures.with_options(state, "heatmap", quantity="angle")
    session.write(tmp_path / "s.json", state, {"later": 1})
    given = ["--session", str(tmp_path / "s.json")]
    given += shlex.split("--encoding fraction --length 7 --what distances")
    for ending in (".npy", ".csv", ".NPY"):
        target = tmp_path / f"é 1{ending}"
        assert cli.main(["export", *given, "--reference", "5", "-o", str(target)]) == 0
        found = session.read(target)
        state = found.state
        assert state.encoding == encodings.create("fraction", length=7)
        assert (state.start, state.count) == (-4, 9)
        assert (state.position, state.metric, state.reference) == (2, "sse", 5)
        assert pictures.find("heatmap")(state).options.quantity == "angle"
        assert found.notes == ()
        assert found.extra == {"later": 1}  # and no command, which was about this file
        document = json.loads(session.to_side_path(target).read_text(encoding="utf-8"))
        assert list(document)[:3] == ["program", "schema", "encoding"]
        again = tmp_path / "again"
        again.mkdir(exist_ok=True)
        words = shlex.split(document["command"])
        assert cli.main([*words[1:-1], str(again / words[-1])]) == 0
        assert (again / target.name).read_bytes() == target.read_bytes()


def test_positions_that_are_no_exploration_are_covered(tmp_path):
    for spelled, covering in (
        ("10:0:-3", range(1, 11)),
        ("-4:5:4", range(-4, 5)),
        ("2^53:9007199254740993:5", range(LIMIT, LIMIT + 1)),
        ("-2^53:9007199254740993:4503599627370496", range(-LIMIT, 0)),  # clipped to 2^53
    ):
        words = ["export", "--dim", "2", "--positions", spelled, "-o", str(tmp_path / "t.npy")]
        assert cli.main(words) == 0
        assert session.read(tmp_path / "t.npy").state.positions == covering
        beside = json.loads((tmp_path / "t.npy.session.json").read_text())
        words = shlex.split(beside["command"])
        again = parse_positions(words[words.index("--positions") + 1])
        assert again == parse_positions(spelled)


def test_data_are_whole_where_their_session_cannot_be_written(tmp_path, capsys, monkeypatch):
    def full(path, **how):
        if Path(path).suffix == ".json":
            raise OutputError(path, "no space left on device", "nothing was changed")
        return atomic.replace_file(path, **how)

    monkeypatch.setattr(export, "replace_file", full)
    words = ["export", "--dim", "2", "--positions", "0:1", "-o", str(tmp_path / "t.npy")]
    assert cli.main(words) == 2
    said = (
        "no space left on device. The data in t.npy are complete, but the session could not be "
        "saved with them"
    )
    assert said in capsys.readouterr().err
    np.testing.assert_array_equal(np.load(tmp_path / "t.npy"), [[0, 1]])


def test_the_session_follows_a_link_as_the_data_do(tmp_path):
    target, link = tmp_path / "there" / "t.npy", tmp_path / "link.npy"
    target.parent.mkdir()
    assert cli.main(["export", "--base", "5", "-o", str(target)]) == 0
    link.symlink_to(target)
    assert cli.main(["export", "--base", "7", "-o", str(link)]) == 0
    assert {session.read(path).state.encoding.base for path in (target, link)} == {7.0}
    assert cli.main(["export", "--carry", "omit", "-o", str(link)]) == 0
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("show", ["pinned", "difference"])
def test_a_comparison_comes_back_as_what_it_was(tmp_path, show):
    first, again = tmp_path / "d.npy", tmp_path / "again.npy"
    words = shlex.split("export --pin index --pin 'sinusoidal base=500 dim=9' --compared 1 --show")
    assert cli.main([*words, show, "-o", str(first)]) == 0
    assert cli.main(["export", "--session", str(first), "-o", str(again)]) == 0
    assert again.read_bytes() == first.read_bytes()
    own = encodings.create("sinusoidal").table(range(50))[:, :9]
    its = encodings.create("sinusoidal", base=500.0, dim=9).table(range(50))
    np.testing.assert_allclose(np.load(first), its if show == "pinned" else own - its, atol=2e-15)
    assert cli.main(["export", "--session", str(first), "--show", "current", "-o", str(again)]) == 0
    assert np.load(again).shape == (50, 128)
    words = ["export", "--session", str(first), "--pin", "binary dim=4", "-o", str(again)]
    assert cli.main(words) == 0  # the only one is compared with
    assert np.load(again).shape == (50, 4)


@pytest.mark.parametrize("theirs", ["notes of mine", '{"my": "notes"}', None])
def test_what_is_no_session_does_not_give_way_to_one(tmp_path, capsys, theirs):
    target, side = tmp_path / "t.npy", tmp_path / "t.npy.session.json"
    side.mkdir() if theirs is None else side.write_text(theirs)
    flags = ["export", "--dim", "2", "--positions", "0:1", "-o", str(target)]
    assert cli.main(flags) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "t.npy.session.json: " in said
    assert not target.exists()
    assert cli.main([*flags, "--carry", "omit"]) == 0
    np.testing.assert_array_equal(np.load(target), [[0, 1]])
    assert side.is_dir() if theirs is None else side.read_text() == theirs


OLD, NEW, ONE, TWO = (session.dumps(Exploration(count=count)) for count in range(1, 5))


def test_at_no_moment_a_session_is_beside_other_data(tmp_path, monkeypatch):
    target, side, seen = tmp_path / "t.npy", tmp_path / "t.npy.session.json", []

    def pair():
        return int(np.load(target)[0, 0]), side.read_text() if side.exists() else None

    def watched(name):
        real = getattr(type(tmp_path), name)

        def step(self, *given, **named):
            seen.append(pair())
            real(self, *given, **named)
            seen.append(pair())

        monkeypatch.setattr(type(tmp_path), name, step)

    tables = [*map(index_rows, range(3))]
    export.write(tables[0], target, session_text=ONE)
    watched("replace")
    watched("rename")
    watched("unlink")
    export.write(tables[1], target, session_text=TWO)
    assert list(dict.fromkeys(seen)) == [(0, ONE), (0, None), (1, None), (1, TWO)]
    seen.clear()
    export.write(tables[2], target)
    assert list(dict.fromkeys(seen)) == [(1, TWO), (1, None), (2, None)]


def index_rows(first):
    return quantities.of("table", encodings.create("index", dim=1), range(first, first + 3))


def held(self, target):
    """Refuse to move a file, as where another program has it open."""
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize("beside", [NEW, None], ids=["new", "none"])
def test_old_data_stay_with_a_session_that_cannot_be_replaced(tmp_path, monkeypatch, beside):
    target, side = tmp_path / "t.npy", tmp_path / "t.npy.session.json"
    newer = session.dumps(Exploration()).replace('"schema": 1', '"schema": 99')

    def refused(says, text):
        with pytest.raises(OutputError, match=rf"t\.npy\.session\.json: {says}"):
            export.write(index_rows(5), target, session_text=beside)
        assert (np.load(target)[0, 0], side.read_text()) == (0, text)

    export.write(index_rows(0), target, session_text=newer)
    refused("a later version wrote it", newer)
    side.write_text(OLD)
    with monkeypatch.context() as system:
        system.setattr(type(tmp_path), "rename", held)
        refused(".*permission denied", OLD)
    with monkeypatch.context() as system:  # root may write anything
        system.setattr(atomic.os, "access", lambda path, mode: not str(path).endswith(".json"))
        refused("is read-only", OLD)


@pytest.mark.parametrize("suffix", export.WRITERS)
def test_data_that_cannot_be_put_in_place_leave_the_old_pair(tmp_path, monkeypatch, suffix):
    target, side = tmp_path / f"t{suffix}", tmp_path / f"t{suffix}.session.json"
    export.write(index_rows(0), target, session_text=OLD)
    before = target.read_bytes()
    real = type(tmp_path).replace

    def only_others(self, other):
        return held(self, other) if other == target else real(self, other)

    with monkeypatch.context() as system:
        system.setattr(type(tmp_path), "replace", only_others)
        with pytest.raises(OutputError, match="permission denied"):
            export.write(index_rows(5), target, session_text=NEW)
    assert (target.read_bytes(), side.read_text()) == (before, OLD)
    assert set(tmp_path.iterdir()) == {target, side}
    export.write(index_rows(5), target)
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", ["a\0.npy", "a\ud800.npy"], ids=ascii)
def test_a_name_that_no_file_can_have_is_in_no_line(name):
    e = encodings.create("index")
    for write in (
        lambda: flags.format_export_line(e, range(4), ExportRequest(), name),
        lambda: flags.format_render_line("heatmap", Exploration(e), (9, 9), RenderSettings(), name),
    ):
        with pytest.raises(ParameterError, match="not allowed in file names"):
            write()


@pytest.mark.skipif(os.name == "nt" or not shutil.which("bash"), reason="needs bash")
@pytest.mark.parametrize("name", [b"bytes\xff.npy", "é'\\ $x".encode() + b"\x80\n.npy"], ids=ascii)
def test_a_name_that_is_no_text_reaches_the_program_through_a_shell(tmp_path, name):
    e = encodings.create("learned", file=os.fsdecode(tmp_path / os.fsdecode(name)))
    state = Exploration(encoding=e, count=4, pins=(Pin(e, "its pin"),))
    output = tmp_path / os.fsdecode(b"out\xfe.npy")
    lines = (
        flags.format_export_line(e, range(4), ExportRequest(show="difference"), output, state.pins),
        flags.format_render_line(
            "heatmap", state, FigureSize(84, 60, "mm"), RenderSettings(), output
        ),
    )
    for line in lines:
        assert line.encode().decode() == line  # a clipboard and a JSON file can hold it
        said = subprocess.run(
            ["bash", "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True
        ).stdout
        words = [os.fsdecode(word) for word in said.split(b"\0")[:-1]]
        assert words[0] == "pe-explorer"
        assert words[words.index("--file") + 1] == os.fsdecode(name)
        assert words[words.index("-o") + 1] == output.name
        (pin,) = flags.parse_pins([words[words.index("--pin") + 1]])
        assert os.path.basename(pin.encoding.file) == os.fsdecode(name)
