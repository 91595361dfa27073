"""The dialogs: export of pictures and data, the history, the list of shortcuts."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QImage, QKeySequence, QPalette, QUndoStack
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QUndoView,
    QVBoxLayout,
    QWidget,
)

from pe_explorer import quantities, views
from pe_explorer.analysis.comparison import Subject, chosen
from pe_explorer.app.output import picture
from pe_explorer.app.output.file_dialog import FileDialog
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.colours.themes import THEMES
from pe_explorer.encodings import EncodingError, require_known
from pe_explorer.files import export
from pe_explorer.files.atomic import replacing
from pe_explorer.flags import CARRY, Print, Request, export_line, render_line
from pe_explorer.model import Exploration, Model
from pe_explorer.model.chain import Steps
from pe_explorer.params import Choice, ParameterError, declared
from pe_explorer.progress import report
from pe_explorer.quantities import Asked, Data
from pe_explorer.views.distances import Distances
from pe_explorer.views.heatmap import Heatmap
from pe_explorer.widgets.fields import Combo

__all__ = [
    "DataDialog",
    "HistoryDialog",
    "PictureDialog",
    "ShortcutsDialog",
    "copying",
    "picture_command",
]

_COPIED = Print(scale=2.0)  # a figure, whatever the theme of the window

_MOUSE = (
    ("Wheel", "zoom the positions, at the mouse"),
    ("Ctrl + wheel, Shift + wheel", "zoom the dimensions of the heatmap"),
    ("Drag", "move through positions and dimensions"),
    (
        "Point",
        "see what is there: the number, its formula, its place in the other views; nothing is set",
    ),
    ("Click", "set the cursor, which all views share"),
    ("Double-click in Distances", "measure from that position"),
    ("Arrow keys", "move the cursor: up and down by a position, left and right by a dimension"),
    ("Page Up, Page Down", "move it by a tenth of the shown positions"),
    ("Home, End", "move it to the first or last shown position"),
    (
        "Up, Down, Enter, F2, Delete",
        "in the list of pins: choose one, take it back, rename it, unpin it",
    ),
    ("Drop a file", "open a session, a picture or data that carry one"),
)


class _ExportDialog(FileDialog):
    """A dialog that writes what a command writes, too, and tells that command."""

    def finish(self, what: Combo) -> None:
        copy = self.buttons.addButton("&Copy command", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setToolTip(
            "Copy the pe-explorer line that makes this file, for a terminal or a script."
        )
        copy.setAutoDefault(False)
        copy.clicked.connect(self._copy_command)
        super().finish(what)

    def line(self, target: Path) -> str:
        """Return the command that writes the same file."""
        raise NotImplementedError

    @Slot()
    def _copy_command(self) -> None:
        try:
            self.check()
            QApplication.clipboard().setText(self.line(self._checked_target()))
        except ParameterError as error:
            self.message.setText(error.sentence)
        else:
            self.message.setText("Command copied.")


class PictureDialog(_ExportDialog):
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
    ) -> None:
        """`extra` is what the opened session holds that is not known here.

        The picture carries it, too.
        """
        super().__init__(parent, model, "Export picture", {".png": "PNG pictures"}, folder)
        self._extra = extra
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
            self.what.currentData(), self._state, *self._size, self.theme.currentData()
        )
        self.say(f"Writing {target.name}…")
        yield partial(_save, image, target, state, self._extra)


class DataDialog(_ExportDialog):
    """Writes the numbers of a view to a file, with progress and cancel."""

    def __init__(
        self,
        parent: QWidget,
        model: Model,
        view: str,
        folder: str = "",
        *,
        extra: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """`extra` is what the opened session holds that is not known here.

        The session beside the data has it, too.
        """
        super().__init__(parent, model, "Export data", {".npy": "Arrays", ".csv": "Text"}, folder)
        self._extra = extra
        choices = declared(Request)
        what, show = _made_of(view, self._state)
        self.what = self.add_choice("&Write", choices["what"], what)
        self.of = self.add_choice("&Of", choices["show"], show)
        if not self._state.pins:
            self.form.setRowVisible(self.of, False)
        self.dtype = self.add_choice("&Numbers", choices["dtype"], choices["dtype"].default)
        self.carry = self.add_choice("S&ession", CARRY, CARRY.default)
        self.rows = QLabel()
        self.form.addRow(self.rows, QLabel(f"{self._state.count:,} from {self._state.start:,} on"))
        self._offer()
        if self._lack(what):
            there = [name for name in quantities.names() if not self._lack(name)]
            self.what.display(there[0] if there else what)
        self._name_rows()
        self.what.currentIndexChanged.connect(self._name_rows)
        self.of.currentIndexChanged.connect(self._offer)
        self.of.currentIndexChanged.connect(self._name_rows)
        self.finish(self.what)

    @Slot()
    def _name_rows(self) -> None:
        """Call the numbers of the range what they are for what is written."""
        subject = self._subject()
        rows = subject.encoding.rows.plural if subject else "positions"
        if quantities.find(self.what.currentData()).by_offset:
            rows = "offsets"
        self.rows.setText(rows.capitalize())

    @Slot()
    def _offer(self) -> None:
        """Grey out what there are no numbers of; the tooltips say why."""
        for name in quantities.names():
            self.what.withhold(name, self._lack(name))

    def _lack(self, what: str) -> str:
        """Return why there are no such numbers, or an empty text."""
        state, subject = self._state, self._subject()
        if subject is None:  # the export itself says so
            return ""
        asked = Asked(subject, state.positions, state.metric, state.reference)
        return quantities.lack(what, asked)

    def _subject(self) -> Subject | None:
        """Return what the numbers are of, None where that is not known here."""
        pinned = self._state.pin.encoding if self._state.pin else None
        try:
            return chosen(self.of.currentData(), self._state.encoding, pinned)
        except EncodingError:
            return None

    def check(self) -> None:
        state = self._state
        chosen = {"what": self.what, "show": self.of, "dtype": self.dtype, "carry": self.carry}
        self._request = Request.of(
            state, **{name: combo.currentData() for name, combo in chosen.items()}
        )
        self._data = self._request.data(state.encoding, state.positions, state.pins)

    def line(self, target: Path) -> str:
        return export_line(
            require_known(self._state.encoding),
            self._state.positions,
            self._request,
            target,
            self._state.pins,
        )

    def work(self, target: Path) -> Steps[None]:
        beside = export.session_beside(
            self._state, self._state.positions, self._request, target, self._extra
        )
        yield partial(_write, self._data, target, self._request.dtype, beside)


def _made_of(view: str, state: Exploration) -> tuple[str, str]:
    """Return what numbers a view is made of, and of which encoding they are, in the words of
    `Request`.
    """
    if view != Heatmap.name:
        return "distances" if view == Distances.name else "table", "current"
    return "angles" if state.options[view].quantity == "angle" else "table", state.show  # type: ignore[attr-defined]


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


def _write(
    data: Data, target: Path, dtype: str, beside: str | None, request: threading.Event
) -> None:
    """Write a file in the worker."""
    written = 0

    def progress(rows: int) -> None:
        nonlocal written
        written += rows
        report(request, written / len(data.index))

    export.write(data, target, dtype, progress, beside=beside)


class HistoryDialog(QDialog):
    """The changes, newest last; a click goes back to one, or forward again."""

    def __init__(self, parent: QWidget, stack: QUndoStack) -> None:
        super().__init__(parent)
        self.setWindowTitle("History")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.steps = QUndoView(stack)
        self.steps.setEmptyLabel("As it was at first")
        self.steps.setAccessibleName("Changes")
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.steps)
        layout.addWidget(close)
        self.resize(320, 420)


class ShortcutsDialog(QDialog):
    """What the keyboard and the mouse do, from the table of actions."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rows = [
            (", ".join(QKeySequence(keys).toString() for keys in entry.shortcuts), entry.help)
            for entry in ACTIONS
            if entry.shortcuts
        ]
        rows += list(_MOUSE)
        self.table = QTableWidget(len(rows), 2, self)
        self.table.setHorizontalHeaderLabels(["Keys or mouse", "What it does"])
        for i, row in enumerate(rows):
            for j, text in enumerate(row):
                self.table.setItem(i, j, QTableWidgetItem(text))
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.resizeColumnsToContents()
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.table)
        layout.addWidget(close)
        self.resize(680, 560)


def copying(view: views.View, state: Exploration) -> Steps[None]:
    """Copy a picture of a view, a figure of its own size and twice as sharp.

    See `picture.drawing`.
    """
    width, height = _drawn_size(view.size())
    image = yield from picture.drawing(
        view.name, state, width, height, _COPIED.scale, _COPIED.theme
    )
    QApplication.clipboard().setImage(image)


def picture_command(view: str, state: Exploration, size: QSize) -> str:
    """Return the command that draws, into a file, the picture that `copying` copies."""
    return render_line(view, state, _drawn_size(size), _COPIED, f"{view}.png")


def _drawn_size(size: QSize) -> tuple[int, int]:
    return max(size.width(), picture.WIDTH.low), max(size.height(), picture.HEIGHT.low)
