"""The dialog that draws a view or the window into a picture file."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from pe_explorer import views
from pe_explorer.app.output import picture
from pe_explorer.app.output.export_dialog import ExportDialog
from pe_explorer.colours.themes import THEMES
from pe_explorer.files.atomic import replacing
from pe_explorer.flags import CARRY, Print, render_line
from pe_explorer.model import Exploration, Model
from pe_explorer.model.chain import Steps
from pe_explorer.params import Choice

__all__ = ["PictureDialog"]


class PictureDialog(ExportDialog):
    """Draws a view or the window into a PNG file of a typed size and scale."""

    def __init__(
        self,
        parent: QWidget,
        model: Model,
        view: str,
        size: QSize,
        folder: str = "",
        *,
        extra: Mapping[str, Any] = MappingProxyType({}),
        make_window: picture.MakeWindow,
    ) -> None:
        """`extra` is what the opened session holds that is not known here.

        The picture carries it, too.
        """
        super().__init__(parent, model, "Export picture", {".png": "PNG pictures"}, folder)
        self._extra, self._make_window = extra, make_window
        titles = {name: views.find(name).help for name in views.names()} | {
            picture.WINDOW: "The whole window."
        }
        self.what = self.add_choice(
            "&Draw", Choice(view, titles, label="Draw", help="What to draw."), view
        )
        self.width_, self.height_, self.scale = (
            QLineEdit(text) for text in (str(size.width()), str(size.height()), "2")
        )
        sizes = QHBoxLayout()
        for field, title, parameter in (
            (self.width_, "", picture.WIDTH),
            (self.height_, "×", picture.HEIGHT),
            (self.scale, "scale", picture.SCALE),
        ):
            field.setToolTip(f"{parameter.help} {parameter.limits}.")
            field.setAccessibleName(parameter.label)
            if title:
                sizes.addWidget(QLabel(title))
            sizes.addWidget(field)
        self.add_row("&Size", sizes, self.width_)
        theme = _theme_of(self.palette())
        themes = {name: THEMES[name] for name in ("light", "dark")}
        self.theme = self.add_choice(
            "&Theme", Choice(theme, themes, label="Theme", help="Colours of the picture."), theme
        )
        self.carry = self.add_choice("S&ession", CARRY, CARRY.default)
        self.finish(self.what)

    def check(self) -> None:
        picture.check(self.what.currentData(), self._state)
        width = picture.WIDTH.parse("width", self.width_.text())
        height = picture.HEIGHT.parse("height", self.height_.text())
        self._size = picture.check_size(
            width, height, picture.SCALE.parse("scale", self.scale.text())
        )

    def line(self, target: Path) -> str:
        width, height, scale = self._size
        how = Print(scale=scale, carry=self.carry.currentData(), theme=self.theme.currentData())
        return render_line(self.what.currentData(), self._state, (width, height), how, target)

    def work(self, target: Path) -> Steps[None]:
        width, height, scale = self._size
        state = self._state if self.carry.currentData() == "keep" else None
        self.say(f"Drawing {round(width * scale):,} × {round(height * scale):,} pixels…")
        image = yield from picture.drawing(
            self.what.currentData(),
            self._state,
            *self._size,
            self.theme.currentData(),
            make_window=self._make_window,
        )
        self.say(f"Writing {target.name}…")
        yield partial(_save, image, target, state, self._extra)


def _theme_of(palette: QPalette) -> str:
    return "dark" if palette.window().color().lightness() < 128 else "light"


def _save(
    image: QImage,
    target: Path,
    state: Exploration | None,
    extra: Mapping[str, Any],
    cancelled: threading.Event,
) -> None:
    """Write a picture in the worker."""
    data = picture.png(image, state, extra, target.parent)
    if cancelled.is_set():
        raise CancelledError
    with replacing(target) as file:
        file.write(data)
