"""The dialog that exports a view or the window as an image file."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QLabel

from pe_explorer import flags, pictures
from pe_explorer.app.output import picture
from pe_explorer.app.output.work_dialog import DialogContext, FileDialog
from pe_explorer.colours.themes import THEMES
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_request import FigureRequest, make_embedded_state, make_session_values
from pe_explorer.model.steps import Steps
from pe_explorer.params import Choice, Parameter
from pe_explorer.widgets.line_fields import NumberField


class PictureDialog(FileDialog):
    """A dialog that exports a view or the window as a PNG file, at any size and scale."""

    def __init__(
        self, context: DialogContext, size: QSize, make_window: picture.WindowFactory
    ) -> None:
        """Create the dialog; `size` is the initial size of the picture."""
        super().__init__(context, "Export picture", {".png": "PNG pictures"})
        self._make_window = make_window
        descriptions = {name: pictures.find(name).help for name in pictures.names()}
        descriptions[flags.WINDOW] = "Draw the whole window."
        views = Choice(context.view, descriptions, label="Draw", help="What the picture shows.")
        self.view_combo = self.add_choice("&Draw", views, context.view)
        self.width_field = _make_field(flags.WIDTH, size.width())
        self.height_field = _make_field(flags.HEIGHT, size.height())
        self.scale = _make_field(flags.SCALE, 2.0)
        row = QHBoxLayout()
        for part in (self.width_field, QLabel("×"), self.height_field, QLabel("scale"), self.scale):
            row.addWidget(part)
        self.add_row("&Size", row, self.width_field)
        current = "dark" if self.palette().window().color().lightness() < 128 else "light"
        themes = {name: THEMES[name] for name in ("light", "dark")}
        theme = Choice(current, themes, label="Theme", help="The colour theme of the picture.")
        self.theme = self.add_choice("&Theme", theme, current)
        self.carry = self.add_choice("Include s&ession", flags.SESSION_CHOICE)
        self.finish(self.view_combo)

    def check(self) -> None:
        flags.check_image(self.view_combo.currentData(), self._state)
        width = flags.WIDTH.parse("width", self.width_field.text())
        height = flags.HEIGHT.parse("height", self.height_field.text())
        scale = flags.SCALE.parse("scale", self.scale.text())
        self._size = picture.check_size(width, height, scale)

    def command(self, target: Path) -> str:
        view, (width, height, scale) = self.view_combo.currentData(), self._size
        carry, theme = self.carry.currentData(), self.theme.currentData()
        settings = flags.RenderSettings(scale=scale, carry=carry, theme=theme)
        return flags.format_render_line(view, self._state, (width, height), settings, target)

    def work(self, target: Path) -> Steps[None]:
        view, theme = self.view_combo.currentData(), self.theme.currentData()
        (width, height, scale), extra = self._size, self._extra_fields
        columns, rows = round(width * scale), round(height * scale)
        carry = self.carry.currentData() == "keep"
        state = make_embedded_state(view, self._state) if carry else None
        self.show_progress(f"Drawing {columns:,} × {rows:,} pixels…")
        image = yield from picture.draw(view, self._state, *self._size, theme, self._make_window)
        self.show_progress(f"Writing {target.name}…")
        if view != flags.WINDOW and state is not None:
            style = Style(ground="dark" if theme == "dark" else "white")
            request = FigureRequest(view, FigureSize(width, height), style, scale)
            extra = make_session_values(request, state, extra, target)
        yield partial(picture.save, image, target, state, extra)


def _make_field(parameter: Parameter, value: float) -> NumberField:
    field = NumberField(parameter)
    field.make_live()  # invalid text stays in the field, and drawing reports the error
    field.display(value)
    return field
