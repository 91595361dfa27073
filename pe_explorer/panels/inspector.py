"""The inspector: the values of the active view at the cursor, or at the mouse, digit by digit."""

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QObject, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent, QTextOption
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QSizePolicy,
    QTextEdit,
    QWidget,
)

from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.panels._captioned import (
    HELP,
    SMALL,
    Caption,
    CaptionedGrid,
    ReadingPage,
    ValueLabel,
    shown_value,
    tooltip,
)
from pe_explorer.panels.cursor_panel import CursorPanel, axis_of, cursor_parameter
from pe_explorer.panels.follower import Follower
from pe_explorer.params import declared, printed
from pe_explorer.pictures.inspection import Inspection
from pe_explorer.widgets.icon_button import IconButton
from pe_explorer.widgets.labels import TintedLabel, raised_and_lowered, text_label
from pe_explorer.widgets.layouts import column_in
from pe_explorer.widgets.line_fields import NumberField
from pe_explorer.widgets.scrolling import scroll_area

_LINES = 8
_SCALE = 0.92  # size of the font, relative to the usual one


class FormulaBox(QTextEdit):
    """A box of fixed height with lines of a formula, which are wrapped and can be selected."""

    def __init__(self, tooltip: str) -> None:
        super().__init__()
        self._lines: tuple[str, ...] = ()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setAccessibleName("Formula")
        self.setToolTip(tooltip)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * _SCALE)
        self.setFont(font)
        self.setFixedHeight(_LINES * self.fontMetrics().lineSpacing() + 4)
        self.setMinimumWidth(0)

    def display(self, lines: Sequence[str]) -> None:
        """Show lines with raised exponents and lowered indices; equal ones keep the selection."""
        if tuple(lines) != self._lines:
            self._lines = tuple(lines)
            paragraphs = (f"<p style='margin: 0'>{raised_and_lowered(line)}</p>" for line in lines)
            self.setHtml("".join(paragraphs))
            self.setAccessibleDescription(self.typed)

    @property
    def typed(self) -> str:
        """The formula as plain text, with marks for powers and indices."""
        return "\n".join(self._lines)

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return the selected lines as plain text: 10000⁻² must not become 10000-2."""
        cursor, document = self.textCursor(), self.document()
        ends = cursor.selectionStart(), cursor.selectionEnd()
        first, last = (document.findBlock(end).blockNumber() for end in ends)
        data = super().createMimeDataFromSelection()  # at exit Qt crashes on one made in Python
        data.text()  # Qt fills it on first use, which must come before it is cleared
        data.clear()
        data.setText("\n".join(self._lines[first : last + 1]))
        return data


_FIELDS = ("position", "dimension", "second", "reference")
_CURSOR_FIELDS = ("position", "dimension")
"""The fields that the play-head moves."""
_PAGES_IN_ALL = 10  # large steps through all dimensions, or through the positions shown


class CursorFields(QObject):
    """Shows and sets the fields of an exploration that a picture is inspected at."""

    refused = Signal(str)
    """A sentence on text that is not a legal value; the state is unchanged."""

    def __init__(self, grid: CaptionedGrid, panel: Follower) -> None:
        """Set the fields of the model that a panel follows."""
        super().__init__(panel)
        self._grid, self._panel = grid, panel
        self._named_for: tuple[object, ...] = ()
        """The axes, width and fields that the fields are set up for now."""
        self.by_name: dict[str, NumberField] = {}
        for name in _FIELDS:
            field = self.by_name[name] = NumberField(declared(Exploration)[name])
            field.setObjectName(name)
            field.refused.connect(self.refused)
            field.entered.connect(self._set)
            field.stepped.connect(self._step)
            grid.add(name.capitalize(), field)

    # -- what the user does --------------------------------------------------------------

    @Slot(object)
    def _set(self, value: int) -> None:
        if self._panel.attached:
            self._panel.model.set(**{self.sender().objectName(): value})

    @Slot(int, bool)
    def _step(self, direction: int, page: bool) -> None:
        if not self._panel.attached:
            return
        model, name = self._panel.model, self.sender().objectName()
        state, playhead, e = model.state, model.playhead, model.state.encoding
        if name == "position":
            playhead.step(direction, "page" if page else name)
        elif name == "dimension":
            if not isinstance(e, Unknown):
                steps = max(e.width // _PAGES_IN_ALL, 1) if page else 1
                playhead.step(direction * steps, name)
        else:
            steps = max(state.count // _PAGES_IN_ALL, 1) if page else 1
            domain = Encoding().domain if isinstance(e, Unknown) else e.domain
            moved = getattr(state, name) + direction * steps
            model.set(**{name: min(max(moved, domain[0]), domain[-1])})

    # -- what is shown -------------------------------------------------------------------

    def show(self, state: Exploration, inspected: tuple[str, ...]) -> None:
        """Show some fields of an exploration, named after its rows and columns."""
        e = state.encoding
        width = 0 if isinstance(e, Unknown) else e.width
        named_for = (axis_of("position", e), axis_of("dimension", e), width, inspected)
        if named_for != self._named_for:
            self._named_for = named_for
            for name in self.by_name:
                self._name_field(name, e, inspected)
        for name, field in self.by_name.items():
            field.display(getattr(state, name))

    def _name_field(self, name: str, e: Encoding | Unknown, inspected: tuple[str, ...]) -> None:
        """Name and limit a field, and show it where it is one of those inspected."""
        parameter = cursor_parameter(name, axis_of(name, e), inspected)
        if name == "dimension" and not isinstance(e, Unknown):
            parameter = dataclasses.replace(parameter, high=e.width - 1)  # type: ignore[call-arg]
        field = self.by_name[name]
        field.set_parameter(parameter)
        key = name.capitalize()
        caption = self._grid.captions[key]
        short_title = parameter.label if name in _CURSOR_FIELDS else key
        caption.setText(f"{short_title} <i>{parameter.symbol}</i>")
        caption.setToolTip(tooltip(key, HELP[key].format(parameter.label, parameter.symbol)))
        for widget in (field, caption):
            widget.setVisible(name in inspected)


_MIN_WIDTH = 250
_SIDE = 20  # pixels of the button beside a number
_PLACE_HELP = (
    "<p>Where the values are read: at the cursor, or under the mouse while it is over a picture. "
    "A click moves the cursor there, unless it is locked.</p>"
)
_COPY_HELP = "<p><b>Copy value</b><br>Copies the number beside it, with all its digits.</p>"


class Inspector(CursorPanel):
    """The numbers of the active view at the cursor, or at the mouse, and their formula.

    Its fields show and set the cursor, wherever the mouse is. It reads nothing while it is hidden.
    """

    reader = "inspector"
    refused = Signal(str)
    """A sentence on text that is not a legal value; the state is unchanged."""
    reported = Signal(str)
    """A sentence on what was copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(_MIN_WIDTH)
        self._stale = True
        """Whether something has changed since it was hidden."""
        self._copies = False
        """Whether the next answer is copied."""
        self._grid = CaptionedGrid()
        self._fields = CursorFields(self._grid, self)
        self._fields.refused.connect(self.refused)
        self.place = TintedLabel("At the cursor", scale=SMALL)
        self.place.setTextFormat(Qt.TextFormat.PlainText)
        self.place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.place.setAccessibleName("Where the values are read")
        self.place.setToolTip(_PLACE_HELP)
        self._grid.add_wide(self.place)
        self._value = ValueLabel("Value")
        self.copy = IconButton("copy", "Copy value")
        self.copy.setFixedSize(_SIDE, _SIDE)
        self.copy.setToolTip(_COPY_HELP)
        self.copy.clicked.connect(self.copy_value)
        self._grid.add("Value", self._value, self.copy)
        self.formula = FormulaBox(tooltip("Formula"))
        self._formula_caption = Caption("Formula", self.formula)
        self._page = ReadingPage()
        self.lack = text_label("muted")
        self.lack.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.lack.setContentsMargins(0, 8, 0, 0)
        content = QWidget()
        column = column_in(content, spacing=2, margins=(10, 6, 4, 6))
        column.addLayout(self._grid)
        for widget in (self._formula_caption, self.formula, self._page, self.lack):
            column.addWidget(widget)
        column.addStretch(1)
        column_in(self, scroll_area(content, "Numbers at the cursor"))

    @property
    def fields(self) -> dict[str, NumberField]:
        """The fields of the cursor and of the rows that it is compared with, by name."""
        return self._fields.by_name

    @property
    def values(self) -> dict[str, ValueLabel]:
        """The labels of all values, by name."""
        return {self.picture.main_number: self._value, **self._page.values}

    @property
    def captions(self) -> dict[str, Caption]:
        """The captions of the fields of the cursor, by name."""
        return self._grid.captions

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale and self.attached:
            self.synchronise()

    # -- what is shown -------------------------------------------------------------------

    @Slot()
    def synchronise(self) -> None:
        self._stale = not self.isVisible()
        if self._stale:
            return
        self._fields.show(self.model.state, self.picture.inspected)
        self._show_place()
        self.read()

    def show_waiting(self) -> None:
        self._show_main("…")
        self._page.display(())
        self._show_formula(())
        self.lack.hide()

    def show_answer(self, answer: Inspection) -> None:
        """Show the values, or the sentence on why there are none at the cursor."""
        self._show_main(shown_value(answer.values[0].text) if answer.values else "")
        self.copy.setEnabled(bool(answer.number))
        self._page.display(answer.values[1:])
        self._show_formula(answer.formula)
        self.lack.setText(printed.text(answer.lack))
        self.lack.setVisible(bool(answer.lack))
        if self._copies:
            self._copies = False
            report = f"Nothing was copied. {answer.lack}"
            if answer.number:
                QApplication.clipboard().setText(answer.number)
                report = f"{answer.values[0].name} copied: {answer.number}."
            self.reported.emit(report)

    def _show_main(self, text: str) -> None:
        name = self.picture.main_number
        if self._value.accessibleName() != name:
            self._value.set_name(name)
            self._grid.captions["Value"].set_name(name)
        self._value.setText(text)

    def _show_formula(self, lines: tuple[str, ...]) -> None:
        self.formula.display(lines)
        for widget in (self._formula_caption, self.formula):
            widget.setVisible(bool(lines))

    def _show_place(self) -> None:
        """Show whether the values are those at the cursor or under the mouse."""
        preview = self.model.preview
        if preview is None:
            self.place.setText("At the cursor")
            self.place.set_shade("muted")
            return
        places = [
            printed.text(f"{symbol} = {getattr(preview, field):,}")
            for field, _, symbol in self.places(preview)
        ]
        numbers = ", ".join(places)
        with_mouse = f"Mouse: {numbers}"
        fits = self.place.fontMetrics().horizontalAdvance(with_mouse) <= self.place.width()
        self.place.setText(with_mouse if fits else numbers)
        self.place.set_shade("accent")

    # -- copying -------------------------------------------------------------------------

    @Slot()
    def copy_value(self) -> None:
        """Copy the main number of the active view at the cursor, with all its digits.

        It is the value of a cell of the heatmap, the distance of two positions, the angle of a
        clock; that under the mouse, while the mouse is over a picture.
        """
        if self.attached:
            self._copies = True
            self.read()
