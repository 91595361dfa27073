"""Icons are read from files, tinted, and never scaled where a screen's ratio is a usual one."""

import itertools
import logging

import pytest
from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from pe_explorer.assets import find_asset
from pe_explorer.panels.transport import TransportBar
from pe_explorer.widgets import icons
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.theme import apply_theme, colours

NAMES = sorted(path.stem for path in find_asset("icons").glob("*.svg"))


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
    monkeypatch.setattr(icons, "find_asset", tmp_path.joinpath)
    icons._drawing.cache_clear()
    yield tmp_path
    icons._drawing.cache_clear()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_icons_have_the_colours_of_the_palette(qapp, theme):
    apply_theme(qapp, theme)
    shades = colours(qapp.palette())
    for name in NAMES:
        drawn = icons.icon(name, qapp.palette(), 32)
        assert shades.text in opaque_colours(drawn.pixmap(32, 32, QIcon.Mode.Normal)), name
        disabled = opaque_colours(drawn.pixmap(32, 32, QIcon.Mode.Disabled))
        assert shades.line in disabled, name
        assert shades.text not in disabled, name
        drawing = icons.picture(name, "#ff0000", 16, 2.0)
        assert drawing.size() == QSize(32, 32)
        assert opaque_colours(drawing) == {"#ff0000"}
        assert min(drawing.toImage().pixelColor(x, 0).alpha() for x in range(32)) == 0
    apply_theme(qapp, "light")


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.3, 4.0])
def test_icons_are_not_scaled_in_pictures_of_any_ratio(qapp, ratio):
    icons.add_picture_ratio(ratio)
    for name, side in itertools.product(NAMES, (16, 20)):
        drawn = icons.icon(name, qapp.palette(), side).pixmap(QSize(side, side), ratio)
        assert drawn.size() == QSize(round(side * ratio), round(side * ratio)), name


def test_a_button_takes_the_icon_again_where_the_ratio_of_its_screen_changes(qtbot, monkeypatch):
    button = IconButton("play", "Play")
    qtbot.addWidget(button)
    sharp = QSize(72, 72)
    assert button.icon().pixmap(QSize(16, 16), 4.5).size() != sharp
    screen = QApplication.primaryScreen()
    monkeypatch.setattr(type(screen), "devicePixelRatio", lambda self: 4.5)
    QApplication.sendEvent(button, QEvent(QEvent.Type.DevicePixelRatioChange))
    assert button.icon().pixmap(QSize(16, 16), 4.5).size() == sharp


@pytest.mark.parametrize("content", [None, b"", b"no drawing", b"\xff\x00"])
def test_a_missing_or_damaged_file_leaves_the_name_on_the_button(qtbot, folder, caplog, content):
    if content is not None:
        (folder / "icons" / "play.svg").write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert icons.icon("play", QApplication.palette()).isNull()
        assert icons.picture("play", "#ff0000", 16, 2.0).isNull()
    assert "play.svg" in caplog.text
    bar = TransportBar()
    qtbot.addWidget(bar)
    bar.show()
    assert bar.play_button.text() == "Play"
