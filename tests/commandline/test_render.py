"""The command `render`, here and in processes without a display."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from unittest.mock import patch

import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_explorer import pictures
from pe_explorer.colours.themes import DARK
from pe_explorer.files import session
from tests.endurance.calls import outcome_of, without_windows
from tests.support import unknown
from tests.support.images import distinct, pixels
from tests.support.processes import ENVIRONMENT, ROOT, run_program


@pytest.fixture
def run(strict, working_folder):
    """Runs a command in an empty folder, with the application of all tests."""
    with without_windows():
        yield lambda *arguments: outcome_of(arguments)


WRITTEN = {
    "heatmap --size 84x60mm --dpi 150": (496, 354),
    "heatmap --size 3.3x2.4in --dpi 100 --scale 2": (660, 480),
    "heatmap --preset square --dpi 72": (340, 340),
    "heatmap --quantity angle --positions 1e15+100": (1600, 900),
    "heatmap --quantity error --positions 1e6+1e9": (1600, 900),
    "clocks --dim 18 --positions 0:100 --encoding-scale 0.5 --size 400x300 --scale 2": (800, 600),
    "distances --metric sse --reference -5 --theme dark --size 640x480": (640, 480),
    "window --heatmap-pixel sample --distances-values cividis --size 1280x800": (1280, 800),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("arguments", "size"), WRITTEN.items(), ids=range(len(WRITTEN)))
def test_a_picture_is_written(run, tmp_path, arguments, size):
    assert run("render", *shlex.split(arguments), "-o", "picture.png") == (0, "", "")
    image = QImage(str(tmp_path / "picture.png"))
    assert (image.width(), image.height()) == size
    assert [path.name for path in tmp_path.iterdir()] == ["picture.png"]
    assert len(distinct(pixels(image)[::5, ::5])) > 20


def test_a_heatmap_does_not_wait_for_pyqtgraph(tmp_path):
    program = f"""
import sys
sys.modules["pyqtgraph"] = None  # importing it fails
from pe_explorer.commandline.main import main
sys.exit(main({["render", "heatmap", "-o", "picture.png"]}))
"""
    run = run_program(tmp_path, program=("-c", program))
    assert (run.returncode, run.stderr) == (0, "")
    assert QImage(str(tmp_path / "picture.png")).size().toTuple() == (1600, 900)


def test_lengths_are_marked_also_by_the_flag_of_earlier_versions(run, tmp_path):
    labelled = "4096=training 8192=target"
    for view, flag, typed, lengths in (
        ("frequencies", "--lengths", labelled, ((4096, "training"), (8192, "target"))),
        ("frequencies", "--length", "8k", ((8000, ""),)),
        ("frequencies", "--length", "none", None),
        ("window", "--frequencies-length", "4096", ((4096, ""),)),
    ):
        assert run("render", view, flag, typed, "-o", "figure.png") == (0, "", "")
        state = session.read(tmp_path / "figure.png").state
        assert pictures.find("frequencies")(state).options.lengths == lengths


def test_a_figure_has_the_ground_that_was_asked_for(run, tmp_path):
    dark = ("--theme", "dark")
    for flags, ground in (
        ((), "#ffffff"),
        (dark, DARK.base),
        ((*dark, "--ground", "white"), "#ffffff"),
        (("--ground", "dark"), DARK.base),
        (("--session", "figure.png"), DARK.base),
        (("--session", "figure.png", "--theme", "light"), "#ffffff"),
    ):
        assert run("render", "heatmap", *flags, "-o", "figure.png") == (0, "", "")
        assert QImage(str(tmp_path / "figure.png")).pixelColor(0, 0).name() == ground


def test_a_figure_that_has_no_room_is_refused_with_a_size_that_has(run, tmp_path):
    plate = ("render", "plate", "--panes", "heatmap,clocks", "-o", "plate.pdf", "--size")
    refused = run(*plate, "40x40mm")
    assert refused.code == 2
    in_mm = run("render", "window", "--size", "90x90mm", "-o", "p.png")
    assert in_mm.code == 2
    assert re.search("--size: .*pixels.* 90x90mm", in_mm.err)
    (named,) = re.findall(r"--size: 40x40mm is .* (\d+x\d+mm)", refused.err)
    assert list(tmp_path.iterdir()) == []
    assert run(*plate, named).code == 0
    assert (tmp_path / "plate.pdf").exists()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("what", ["heatmap", "distances", "window"])
def test_a_picture_shows_the_rows_that_a_short_table_has_unless_others_are_asked_for(
    run, tmp_path, what
):
    np.save(tmp_path / "t.npy", np.arange(21.0).reshape(7, 3))
    line = ("render", what, *shlex.split("--encoding learned --file t.npy --size 600x400 -o p.png"))
    for asked, count in (((), 7), (("--positions", "0:50"), 50)):  # hatched where there are none
        assert run(*line, *asked) == (0, "", "")
        assert session.read(tmp_path / "p.png").state.positions == range(count)


STANDS_STILL = """
import sys, time
from pe_explorer.app.output import figure_order
def stand(*given, **named):
    print("drawing", flush=True)
    for _ in range(60_000):
        time.sleep(0.01)  # a signal that comes just before a sleep is noticed only after it
figure_order.lay_out_figures = stand
from pe_explorer.commandline.main import main
sys.exit(main(["render", "heatmap", "-o", "p.png"]))
"""
WHILE_WRITING = """
import contextlib, os, signal, sys
from pe_explorer.app.output import figure_files
real = figure_files.replace_file
@contextlib.contextmanager
def replace_file(path):
    with real(path) as file:
        yield file
        os.kill(os.getpid(), signal.SIGTERM)
figure_files.replace_file = replace_file
from pe_explorer.commandline.main import main
sys.exit(main(["render", "heatmap", "--size", "300x200", "-o", "p.png"]))
"""

WHILE_PACKING = """
import os, signal, sys
from pe_explorer.app.output import figure_files
real = figure_files.{writer}
def writer(*given, **named):
    for number, part in enumerate(real(*given, **named)):
        yield part
        if number == 2:
            assert any(name.startswith(".") for name in os.listdir())
            os.kill(os.getpid(), signal.{signal})
figure_files.{writer} = writer
from pe_explorer.commandline.main import main
sys.exit(main(["render", "heatmap", "--size", "300x200", "-o", "p{ending}"]))
"""


INTERRUPTED = (130, "pe-explorer render: interrupted; nothing was written\n", [])


def ended(folder, program, number=None):
    """Run a program, send it a signal once it draws, and return code, errors and files."""
    (folder / "out").mkdir()
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    how |= {"cwd": folder / "out", "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    process = subprocess.Popen([sys.executable, "-c", program], **how)
    if number is not None:
        assert process.stdout.readline() == "drawing\n"
        process.send_signal(number)
    _, said = process.communicate(timeout=60)
    return process.returncode, said, os.listdir(folder / "out")


def test_a_signal_is_seen_to_until_all_is_computed(run):
    with (
        patch("pe_explorer.commandline.process.raise_on_signal") as raised,
        patch("pe_explorer.commandline.process.ignore_signals") as ignored,
    ):  # once all is computed, a signal comes too late
        for command in ("code --figure heatmap", "export -o x.npy", "render clocks -o x.svg"):
            assert run(*command.split()).code == 0
            assert (raised.call_count, ignored.call_count > 0) == (1, command[:4] != "code")
            raised.reset_mock()
            ignored.reset_mock()
        assert run("render", "window", "--size", "800x560", "-o", "x.png").code == 0
    assert not raised.called  # Qt could not pass it on


@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_a_picture_is_drawn_ends_it_in_order(tmp_path, number):
    assert ended(tmp_path, STANDS_STILL, number) == INTERRUPTED


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("ending", "writer", "name"), [(".png", "png", "SIGINT"), (".svg", "make_svg_parts", "SIGTERM")]
)
def test_a_signal_while_a_picture_is_packed_ends_it_in_order(tmp_path, ending, writer, name):
    program = WHILE_PACKING.format(signal=name, writer=writer, ending=ending)
    assert ended(tmp_path, program) == INTERRUPTED


@pytest.mark.sampled(0)
def test_a_signal_while_a_picture_is_written_comes_too_late(tmp_path):
    assert ended(tmp_path, WHILE_WRITING) == (0, "", ["p.png"])
    assert not QImage(str(tmp_path / "out" / "p.png")).isNull()


def test_an_unknown_encoding_or_pin_is_refused_where_it_is_drawn(run, tmp_path):
    made = unknown.document(pins=[("a helix", unknown.LATER)])
    (tmp_path / "later.json").write_text(json.dumps(made))
    for view, refusal in (("heatmap", f"--pin: {unknown.NOT_KNOWN}"), ("clocks", "--show: ")):
        command = ("render", view, "--session", "later.json", "--size", "320x200", "-o", "x.png")
        done = run(*command)
        assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
        assert f"--session: later.json: {unknown.NOT_KNOWN}" in done.err
        chosen = (*command, "--encoding", "sinusoidal")
        done = run(*chosen, "--show", "difference")
        assert (done.code, refusal in done.err) == (2, True)
        assert not (tmp_path / "x.png").exists()
        assert run(*chosen).code == 0
        (pin,) = session.read(tmp_path / "x.png").state.pins
        assert pin.encoding.parameters == {"dim": 64, "theta": 5}
        (tmp_path / "x.png").unlink()


def test_parts_without_room_are_reported(run):
    words = ("render", "clocks", "--preset", "one-column", "-o", "figure.png", "--columns")
    assert "40 columns" in run(*words, "40").err
    assert run(*words, "3") == (0, "", "")


# A child's memory begins with that of who starts it, so a small process does.
MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("ending", [".png", ".pdf", ".svg"])
def test_a_figure_of_16_million_numbers_needs_little_memory(tmp_path, ending):
    path = tmp_path / f"f{ending}"
    words = f"render heatmap --dim 4096 --positions 0:4096 --size 4300x4300 --font-size 8 -o {path}"
    command = (sys.executable, "-c", MEASURED, sys.executable, "-m", "pe_explorer", *words.split())
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=True, timeout=120)
    assert int(done.stdout) * 1024 < 300 * 10**6
    assert path.stat().st_size > 10**6
