"""The inspector: the values of the active view at the cursor or the mouse, with all digits."""

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QShowEvent, QTextOption
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QTextEdit, QWidget

from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.panels.cursor import CursorPanel, axis_of, make_cursor_parameter
from pe_explorer.panels.follower import ModelFollower
from pe_explorer.params import declared, printed
from pe_explorer.pictures.inspection import Inspection, Value
from pe_explorer.widgets.fonts import choose_text, make_scaled_font
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.labels import TintedLabel, escape_html, format_formula, make_text_label
from pe_explorer.widgets.layouts import lay_out_column, make_scroll_area
from pe_explorer.widgets.line_fields import NumberField

_CAPTION_SCALE = 0.85  # font size of captions as a fraction of the normal size
_MAX_CAPTION_WIDTH = 110  # in pixels, because the name of a pin may be wider than the panel

_HELP = {
    "Position": "{} of the cursor, {}. Type an integer up to 2^53, or press the arrow keys.",
    "Dimension": "{} of the cursor, {}, counted from 0. Press the arrow keys to change it.",
    "Second": (
        "{}, {}, for comparison with the cursor. Type an integer up to 2^53, or press the arrow "
        "keys."
    ),
    "Reference": (
        "{}, {}, from which distances are measured. Type an integer up to 2^53, or press the "
        "arrow keys."
    ),
    "Value": "The value, with enough digits to identify the float64 number.",
    "Formula": "The formula of the encoding, then the same formula with the current values.",
    "Angle": "The angle within the current turn, computed from the exact phase.",
    "Whole turns": "The exact number of turns that the wave has completed at this position.",
    "Part of a turn": "The completed part of the current turn, computed from the exact phase.",
    "Wavelength in positions": "The number of positions per turn of the wave.",
    "Frequency in rad per position": "The angle ω by which the wave turns per position.",
    "Wave": "The number of the wave in this column. Wave 0 has the highest frequency.",
    "Frequency divided by": "The factor by which scaling divides the frequency of this pair.",
    "Why": "Why scaling changes the frequency of this pair, or leaves it unchanged.",
}  # help for values by name, with placeholders for the names and symbols of fields

_SHORT_CAPTIONS = {
    "Position": "Position <i>p</i>",
    "Dimension": "Dimension <i>j</i>",
    "Part of a turn": "Part of turn",
    "Wavelength in positions": "λ, positions",
    "Frequency in rad per position": "ω, rad/pos",
}


def make_tip(name: str, help_text: str = "") -> str:
    """Return the tooltip of a value; `help_text` defaults to the help for `name`."""
    return f"<p>{help_text or _HELP.get(name, name)}</p>"


def format_value(value: str) -> str:
    """Return a value as text for the screen, with its unit."""
    number, space, unit = value.partition(" ")
    number, degree_sign, _ = number.partition("°")
    return f"{printed.format_plain_number(number)}{degree_sign}{printed.text(f'{space}{unit}')}"


class Caption(TintedLabel):
    """The name of a value, small and muted."""

    def __init__(self, name: str, widget: QWidget) -> None:
        super().__init__(scale=_CAPTION_SCALE)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setBuddy(widget)
        self.set_name(name)

    def set_name(self, name: str) -> None:
        elide_mode = Qt.TextElideMode.ElideRight
        text = self.fontMetrics().elidedText(name, elide_mode, _MAX_CAPTION_WIDTH)
        self.is_truncated = text != name  # whether the name is truncated
        self.setText(_SHORT_CAPTIONS.get(name, escape_html(text)))
        self.setToolTip(make_tip(name))


class ValueLabel(QLabel):
    """A selectable value whose length does not change the layout."""

    def __init__(self, name: str) -> None:
        super().__init__("0")
        flags = Qt.TextInteractionFlag
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_name(name)

    def set_name(self, name: str) -> None:
        self.setAccessibleName(name)
        self.setToolTip(make_tip(name))


class CaptionedGrid(QGridLayout):
    """A column of widgets, each beside its caption."""

    def __init__(self) -> None:
        super().__init__()
        self.captions: dict[str, Caption] = {}
        self.setHorizontalSpacing(6)
        self.setVerticalSpacing(1)
        self.setColumnMinimumWidth(0, 64)
        self.setColumnStretch(1, 1)

    def add(self, name: str, widget: QWidget, button: QWidget | None = None) -> None:
        row = self.rowCount()
        caption = self.captions[name] = Caption(name, widget)
        if button is None:
            self.addWidget(caption, row, 0)
        else:
            caption_row = QHBoxLayout()
            caption_row.setSpacing(0)
            caption_row.addWidget(caption, 1)
            caption_row.addWidget(button)
            self.addLayout(caption_row, row, 0)
        self.addWidget(widget, row, 1)


class ValuesPage(QWidget):
    """Rows with the values at the cursor except the main value; they are reused to save memory."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, ValueLabel] = {}  # labels of visible values by name
        self._rows: list[tuple[Caption, ValueLabel]] = []
        self._grid = CaptionedGrid()
        column = lay_out_column(self)
        column.addLayout(self._grid)
        column.addStretch(1)

    def display(self, values: Sequence[Value]) -> None:
        while len(self._rows) < len(values):
            name = values[len(self._rows)].name
            label = ValueLabel("")
            self._grid.add(name, label)
            self._rows.append((self._grid.captions[name], label))
        for number, (caption, label) in enumerate(self._rows):
            is_shown = number < len(values)
            if is_shown:
                value = values[number]
                label.setText(format_value(value.text))
                help_text = make_tip(value.name, value.help)
                if (label.accessibleName(), label.toolTip()) != (value.name, help_text):
                    caption.set_name(value.name)
                    label.set_name(value.name)
                    label.setToolTip(help_text)
                    full_name = (
                        f"<p><b>{escape_html(value.name)}</b></p>" if caption.is_truncated else ""
                    )
                    caption.setToolTip(f"{full_name}{help_text}")
            caption.setVisible(is_shown)
            label.setVisible(is_shown)
        visible_rows = zip(values, self._rows, strict=False)
        self.values = {value.name: label for value, (_, label) in visible_rows}
        self.setVisible(bool(values))


class FormulaBox(QTextEdit):
    """A box of fixed height that shows a formula in wrapped, selectable lines."""

    def __init__(self) -> None:
        super().__init__(readOnly=True, tabChangesFocus=True)
        self._lines: tuple[str, ...] = ()
        self.setFrameShape(self.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Formula")
        self.setToolTip(make_tip("Formula"))
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.setFont(make_scaled_font(0.92))
        self.setFixedHeight(8 * self.fontMetrics().lineSpacing() + 4)
        self.setMinimumWidth(0)

    def display(self, lines: Sequence[str]) -> None:
        """Show lines with superscripts and subscripts; keep the selection if they are unchanged."""
        if tuple(lines) != self._lines:
            self._lines = tuple(lines)
            paragraphs = (f"<p style='margin: 0'>{format_formula(line)}</p>" for line in lines)
            self.setHtml("".join(paragraphs))
            self.setAccessibleDescription(self.plain_formula)

    @property
    def plain_formula(self) -> str:
        """The formula as plain text, with ``^`` before superscripts and ``_`` before subscripts."""
        return "\n".join(self._lines)

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return whole selected lines as plain text, so that 10000⁻² is not copied as 10000-2."""
        cursor, document = self.textCursor(), self.document()
        ends = cursor.selectionStart(), cursor.selectionEnd()
        first, last = (document.findBlock(end).blockNumber() for end in ends)
        data = super().createMimeDataFromSelection()
        replace_text(data, "\n".join(self._lines[first : last + 1]))
        return data


def replace_text(data: QMimeData, text: str) -> None:
    """Replace the content of clipboard data that Qt has created.

    The object is reused, because Qt crashes at exit on a `QMimeData` created in Python.
    """
    data.text()  # load the data before clearing them, because Qt loads them on first access
    data.clear()
    data.setText(text)


_CURSOR_FIELDS = ("position", "dimension")  # fields that the playhead changes
_PAGE_STEPS = 10  # number of page steps from the first to the last dimension or visible position


class CursorFields(QObject):
    """Fields that show and change the coordinates of the inspected values."""

    refused = Signal(str)  # reason why typed text is invalid; the state is unchanged

    def __init__(self, grid: CaptionedGrid, panel: ModelFollower) -> None:
        super().__init__(panel)
        self._grid, self._panel = grid, panel
        self._label_inputs: tuple[object, ...] = ()  # axes, width and fields of the current labels
        self.fields: dict[str, NumberField] = {}
        for name in (*_CURSOR_FIELDS, "second", "reference"):
            field = self.fields[name] = NumberField(declared(Exploration)[name])
            field.setObjectName(name)
            field.refused.connect(self.refused)
            field.entered.connect(self._set_field)
            field.stepped.connect(self._step)
            grid.add(name.capitalize(), field)

    @Slot(object)
    def _set_field(self, value: int) -> None:
        if self._panel.is_attached:
            self._panel.model.set(**{self.sender().objectName(): value})

    @Slot(int, bool)
    def _step(self, direction: int, page: bool) -> None:
        if not self._panel.is_attached:
            return
        model, name = self._panel.model, self.sender().objectName()
        state, playhead, e = model.state, model.playhead, model.state.encoding
        if name == "position":
            playhead.step(direction, "page" if page else name)
        elif name == "dimension":
            if not isinstance(e, Unknown):
                steps = max(e.width // _PAGE_STEPS, 1) if page else 1
                playhead.step(direction * steps, name)
        else:
            steps = max(state.count // _PAGE_STEPS, 1) if page else 1
            domain = Encoding().domain if isinstance(e, Unknown) else e.domain
            target = getattr(state, name) + direction * steps
            model.set(**{name: min(max(target, domain[0]), domain[-1])})

    def show(self, state: Exploration, cursor_fields: tuple[str, ...]) -> None:
        e = state.encoding
        width = 0 if isinstance(e, Unknown) else e.width
        label_inputs = (axis_of("position", e), axis_of("dimension", e), width, cursor_fields)
        is_unchanged, self._label_inputs = label_inputs == self._label_inputs, label_inputs
        for name, field in self.fields.items() if not is_unchanged else ():
            parameter = make_cursor_parameter(name, axis_of(name, e), cursor_fields)
            if name == "dimension" and not isinstance(e, Unknown):
                parameter = dataclasses.replace(parameter, high=width - 1)  # type: ignore[call-arg]
            field.set_parameter(parameter)
            key = name.capitalize()
            caption = self._grid.captions[key]
            short_title = parameter.label if name in _CURSOR_FIELDS else key
            caption.setText(f"{short_title} <i>{parameter.symbol}</i>")
            caption.setToolTip(make_tip(key, _HELP[key].format(parameter.label, parameter.symbol)))
            for widget in (field, caption):
                widget.setVisible(name in cursor_fields)
        for name, field in self.fields.items():
            field.display(getattr(state, name))


_PLACE_HELP = (
    "<p>Shows the values under the mouse pointer, or at the cursor if the pointer is not over a "
    "view. Click in a view to move the cursor, unless the cursor is locked.</p>"
)
_COPY_HELP = "<p><b>Copy value</b><br>Copy the value at the cursor with all digits.</p>"
_EMPTY_HELP = "<p>The active view has no value at the cursor. Move the cursor to a value first.</p>"


class Inspector(CursorPanel):
    """The values and the formula at the cursor or the mouse, updated only while visible."""

    owner = "inspector"
    refused = Signal(str)  # reason why typed text is invalid; the state is unchanged
    reported = Signal(str)  # message about the copied value

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(250)
        self._is_stale = True  # whether anything changed while the panel was hidden
        self._should_copy_answer = False  # whether to copy the main value of the next answer
        self._grid = CaptionedGrid()
        self._fields = CursorFields(self._grid, self)
        self._fields.refused.connect(self.refused)
        self.fields, self.captions = self._fields.fields, self._grid.captions
        self.place = TintedLabel("At the cursor", scale=_CAPTION_SCALE)
        self.place.setTextFormat(Qt.TextFormat.PlainText)
        self.place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.place.setAccessibleName("Place of the values")
        self.place.setToolTip(_PLACE_HELP)
        self._grid.addWidget(self.place, self._grid.rowCount(), 0, 1, 2)
        self._value_label = ValueLabel("Value")
        self.copy = IconButton("copy", "Copy value", side=20)
        self.copy.setToolTip(_COPY_HELP)
        self.copy.clicked.connect(self.copy_value)
        self._grid.add("Value", self._value_label, self.copy)
        self.formula = FormulaBox()
        self._formula_caption = Caption("Formula", self.formula)
        self._page = ValuesPage()
        self.missing_reason = make_text_label("muted")
        self.missing_reason.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.missing_reason.setContentsMargins(0, 8, 0, 0)
        content = QWidget()
        column = lay_out_column(content, spacing=2, margins=(10, 6, 4, 6))
        column.addLayout(self._grid)
        for widget in (self._formula_caption, self.formula, self._page, self.missing_reason):
            column.addWidget(widget)
        column.addStretch(1)
        lay_out_column(self, make_scroll_area(content, "Numbers at the cursor"))

    @property
    def values(self) -> dict[str, ValueLabel]:
        return {self.picture.main_value_name: self._value_label, **self._page.values}

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale and self.is_attached:
            self.synchronise()

    @Slot()
    def synchronise(self) -> None:
        self._is_stale = not self.isVisible()
        if self._is_stale:
            return
        self._fields.show(self.model.state, self.picture.cursor_fields)
        self._show_coordinates()
        self.read()

    def show_waiting_state(self) -> None:
        self._show_main_value("…")
        self._page.display(())
        self._show_formula(())
        self.missing_reason.hide()

    def show_answer(self, answer: Inspection) -> None:
        self._show_main_value(format_value(answer.values[0].text) if answer.values else "")
        self.copy.setEnabled(bool(answer.number))
        self.copy.setToolTip(_COPY_HELP if answer.number else _COPY_HELP + _EMPTY_HELP)
        self._page.display(answer.values[1:])
        self._show_formula(answer.formula)
        self.missing_reason.setText(printed.text(answer.missing_reason))
        self.missing_reason.setVisible(bool(answer.missing_reason))
        if self._should_copy_answer:
            self._should_copy_answer = False
            report = f"Nothing was copied. {answer.missing_reason}"
            if answer.number:
                QGuiApplication.clipboard().setText(answer.number)
                report = f"{answer.values[0].name} copied: {answer.number}."
            self.reported.emit(report)

    def _show_main_value(self, text: str) -> None:
        name = self.picture.main_value_name
        if self._value_label.accessibleName() != name:
            self._value_label.set_name(name)
            self._grid.captions["Value"].set_name(name)
        self._value_label.setText(text)

    def _show_formula(self, lines: tuple[str, ...]) -> None:
        self.formula.display(lines)
        for widget in (self._formula_caption, self.formula):
            widget.setVisible(bool(lines))

    def _show_coordinates(self) -> None:
        preview, text = self.model.preview, "At the cursor"
        if preview is not None:
            items = self.coordinates(preview)
            texts = [f"{symbol} = {getattr(preview, field):,}" for field, _, symbol in items]
            numbers = ", ".join(map(printed.text, texts))
            choices, metrics = (f"Mouse: {numbers}", numbers), self.place.fontMetrics()
            text = choose_text(choices, metrics, self.place.width()) or numbers
        self.place.setText(text)
        self.place.set_shade("muted" if preview is None else "accent")

    @Slot()
    def copy_value(self) -> None:
        """Copy the main value of the active view at the cursor or mouse, with all digits."""
        if self.is_attached:
            self._should_copy_answer = True
            self.read()
