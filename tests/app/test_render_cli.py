"""The command `render`, in processes without a display."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

ROOT = Path(__file__).parents[2]


def run(folder, *arguments, **environment):
    """Run the program in a folder, without a display; a variable that is None is taken away."""
    kept = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    kept = {**kept, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        [sys.executable, "-m", "pe_explorer", *arguments], cwd=folder, env=kept, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "size"),
    [
        (("heatmap", "--quantity", "angle", "--positions", "1e15+100"), (1600, 900)),
        (("clocks", "--dim", "18", "--positions", "0:100", "--size", "400x300", "--scale", "2", "--encoding-scale", "0.5"), (800, 600)),
        (("distances", "--metric", "manhattan", "--reference", "-5", "--encoding", "binary", "--theme", "dark", "--size", "640x480"), (640, 480)),
        (
            ("window", "--heatmap-pixel", "sample", "--clocks-direction", "cos-sin", "--distances-values", "cividis", "--size", "1280x800"),
            (1280, 800),
        ),
    ],
    ids=lambda value: value[0] if isinstance(value[0], str) else "",
)
def test_a_picture_is_written(tmp_path, arguments, size):
    folder = tmp_path / "out"
    folder.mkdir()
    done = run(folder, "render", *arguments, "-o", "picture.png")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    image = QImage(str(folder / "picture.png"))
    assert (image.width(), image.height()) == size
    assert [path.name for path in folder.iterdir()] == ["picture.png"]
    colours = {image.pixel(x, y) for x in range(0, image.width(), 5) for y in range(0, image.height(), 5)}
    assert len(colours) > 20


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("heatmp", "-o", "a.png"), "'heatmp'"),
        (("heatmap", "--size", "big", "-o", "a.png"), "--size: 'big' is not a size"),
        (("heatmap", "--quantity", "angles", "-o", "a.png"), "--quantity: 'angles' is not one of value, angle; did you mean 'angle'"),
        (("heatmap", "--positions", "0:50:2", "-o", "a.png"), "--positions: a picture shows consecutive positions"),
        (("heatmap", "-o", "a.jpg"), "--output: a.jpg: the name must end in .png"),
        (("heatmap", "-o", "nowhere/a.png"), "there is no folder"),
        (("clocks", "--quantity", "angle", "-o", "a.png"), "--quantity: no such flag"),
        (("heatmap",), "-o"),
    ],
)
def test_bad_input_is_one_line_and_no_file(tmp_path, arguments, says):
    folder = tmp_path / "out"
    folder.mkdir()
    done = run(folder, "render", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(folder.iterdir()) == []
