"""The dialog that draws a view or the window into a picture file."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QLabel

from pe_explorer import pictures
from pe_explorer.app.output import picture
from pe_explorer.app.output.work_dialog import DialogContext, FileDialog
from pe_explorer.colours.themes import THEMES
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_request import FigureRequest, extra_with
from pe_explorer.flags import (
    CARRY,
    HEIGHT,
    SCALE,
    WIDTH,
    WINDOW,
    RenderSettings,
    check_drawn,
    render_line,
)
from pe_explorer.model.steps import Steps
from pe_explorer.params import Choice, Parameter
from pe_explorer.widgets.line_fields import NumberField


class PictureDialog(FileDialog):
    """Draws a view or the whole window into a PNG file, at any size and scale."""

    def __init__(self, about: DialogContext, size: QSize, make_window: picture.MakeWindow) -> None:
        """Offer to draw a view, or the window, in some size at first."""
        super().__init__(about, "Export picture", {".png": "PNG pictures"})
        self._make_window = make_window
        drawn = {name: pictures.find(name).help for name in pictures.names()}
        drawn[WINDOW] = "The whole window."
        what = Choice(about.view, drawn, label="Draw", help="What to draw.")
        self.what = self.add_choice("&Draw", what, about.view)
        self._add_size(size)
        current = "dark" if self.palette().window().color().lightness() < 128 else "light"
        themes = {name: THEMES[name] for name in ("light", "dark")}
        theme = Choice(current, themes, label="Theme", help="Colours of the picture.")
        self.theme = self.add_choice("&Theme", theme, current)
        self.carry = self.add_choice("Include s&ession", CARRY, CARRY.default)
        self.finish(self.what)

    def _add_size(self, size: QSize) -> None:
        """Add the fields for width, height and scale, in one row."""
        self.width_ = _field(WIDTH, size.width())
        self.height_ = _field(HEIGHT, size.height())
        self.scale = _field(SCALE, 2.0)
        row = QHBoxLayout()
        row.addWidget(self.width_)
        row.addWidget(QLabel("×"))
        row.addWidget(self.height_)
        row.addWidget(QLabel("scale"))
        row.addWidget(self.scale)
        self.add_row("&Size", row, self.width_)

    def check(self) -> None:
        check_drawn(self.what.currentData(), self._state)
        width = WIDTH.parse("width", self.width_.text())
        height = HEIGHT.parse("height", self.height_.text())
        scale = SCALE.parse("scale", self.scale.text())
        self._size = picture.check_size(width, height, scale)

    def command(self, target: Path) -> str:
        width, height, scale = self._size
        how = RenderSettings(
            scale=scale, carry=self.carry.currentData(), theme=self.theme.currentData()
        )
        return render_line(self.what.currentData(), self._state, (width, height), how, target)

    def work(self, target: Path) -> Steps[None]:
        width, height, scale = self._size
        columns, rows = round(width * scale), round(height * scale)
        state = None
        if self.carry.currentData() == "keep":
            state = picture.carried(self.what.currentData(), self._state)
        self.show_progress(f"Drawing {columns:,} × {rows:,} pixels…")
        image = yield from picture.drawing(
            self.what.currentData(),
            self._state,
            *self._size,
            self.theme.currentData(),
            make_window=self._make_window,
        )
        self.show_progress(f"Writing {target.name}…")
        what, extra = self.what.currentData(), self._extra
        if what != WINDOW and state is not None:
            style = Style(ground="dark" if self.theme.currentData() == "dark" else "white")
            request = FigureRequest(what, FigureSize(width, height), style, scale)
            extra = extra_with(request, state, extra, target)
        yield partial(picture.save, image, target, state, extra)


def _field(parameter: Parameter, value: float) -> NumberField:
    field = NumberField(parameter)
    field.make_live()  # a text that is no number stays; drawing reports it
    field.display(value)
    return field
