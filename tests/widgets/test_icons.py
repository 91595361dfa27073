"""Icons are read from files, tinted, and never scaled where a screen's ratio is a usual one."""

import logging

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from pe_explorer.assets import asset
from pe_explorer.panels.transport import TransportBar
from pe_explorer.widgets import icons
from pe_explorer.widgets.theme import apply_theme, colours

NAMES = sorted(path.stem for path in asset("icons").glob("*.svg"))
every_icon = pytest.mark.parametrize("name", NAMES)


def opaque_colours(pixmap):
    image = pixmap.toImage()
    return {
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder in the place of `resources/`."""
    (tmp_path / "icons").mkdir()
    monkeypatch.setattr(icons, "asset", tmp_path.joinpath)
    icons._svg.cache_clear()
    yield tmp_path
    icons._svg.cache_clear()


def test_there_are_icons():
    assert {"play", "pause", "step-back", "step-forward", "slower", "faster", "loop"} <= {*NAMES}


@pytest.mark.parametrize("theme", ["light", "dark"])
@every_icon
def test_icons_have_the_colours_of_the_palette(qtbot, theme, name):
    app = QApplication.instance()
    apply_theme(app, theme)
    drawn = icons.icon(name, app.palette())
    shades = colours(app.palette())
    assert shades.text in opaque_colours(drawn.pixmap(32, 32, QIcon.Mode.Normal))
    disabled = opaque_colours(drawn.pixmap(32, 32, QIcon.Mode.Disabled))
    assert shades.line in disabled
    assert shades.text not in disabled
    apply_theme(app, "light")


@every_icon
@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0])
def test_icons_have_a_drawing_for_every_usual_ratio(qtbot, name, ratio):
    drawn = icons.icon(name, QApplication.palette())
    side = round(16 * ratio)
    assert QSize(side, side) in drawn.availableSizes()
    assert drawn.pixmap(QSize(16, 16), ratio).size() == QSize(side, side)


@pytest.mark.parametrize("content", [None, b"", b"no drawing", b"\xff\x00"])
def test_a_missing_or_damaged_file_leaves_the_name_on_the_button(qtbot, folder, caplog, content):
    if content is not None:
        (folder / "icons" / "play.svg").write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert icons.icon("play", QApplication.palette()).isNull()
    assert "play.svg" in caplog.text
    bar = TransportBar()
    qtbot.addWidget(bar)
    bar.show()
    assert bar.play.text() == "Play"
