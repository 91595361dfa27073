"""A form for the declared fields of a class, with a fold for rarely used fields."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from pe_explorer.params import Declared, Parameter, declared, is_used
from pe_explorer.widgets.choice_fields import Combo
from pe_explorer.widgets.editors import Editor, editor_for
from pe_explorer.widgets.labels import (
    TintedLabel,
    default_text,
    escaped,
    parameter_tooltip,
    with_breaks,
)
from pe_explorer.widgets.layouts import column_in
from pe_explorer.widgets.line_fields import LineField

_GAP = 5  # horizontal gap in a row in pixels
_RESET = "\u21ba"  # an open circle arrow


class FormRow:
    """The row of one field: a label, an editor with a slider, and a reset button."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget, live: bool) -> None:
        self.parameter = parameter
        symbol = f" <i>{escaped(parameter.symbol)}</i>" if parameter.symbol else ""
        self.label = QLabel(f"{escaped(parameter.label)}{symbol}", parent)
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setWordWrap(True)
        self.label.setToolTip(parameter_tooltip(parameter))
        self.editor = editor_for(name, parameter, parent)
        self.complaint: _Complaint | None = None
        if self.line and live:  # the owner of a live form shows the errors
            self.line.make_live()
        elif self.line:
            self.complaint = _Complaint(self.editor, parent)
        self.reset = _Reset(self.editor, parent)
        self.label.setBuddy(self.editor.main)
        self._why_withheld = ""
        self._is_used = True

    def add_to(self, grid: QGridLayout) -> None:
        """Add the row at the bottom of a grid; a slider spans the whole width."""
        row, editor = grid.rowCount(), self.editor
        beside = QHBoxLayout()
        beside.setSpacing(_GAP)
        beside.addWidget(editor.main, 1)
        if editor.end:
            beside.addWidget(editor.end)
        grid.addWidget(self.label, row, 0)
        grid.addLayout(beside, row, 1)
        grid.addWidget(self.reset, row, 2)
        if editor.below:
            first, columns = (0, 2) if editor.wide else (1, 1)
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(editor.below, row + 1, first, 1, columns, top)
        if self.complaint:
            grid.addWidget(self.complaint, row + 2, 0, 1, 3)
        if editor.slider:
            grid.addWidget(editor.slider, row + 3, 0, 1, 3)

    @property
    def line(self) -> LineField | None:
        return self.editor.main if isinstance(self.editor.main, LineField) else None

    @property
    def bad(self) -> bool:
        """Whether the field has an effect and its text is invalid."""
        has_effect = self._is_used and not self._why_withheld
        return self.line is not None and self.line.bad and has_effect

    def check(self) -> None:
        """Raise `ParameterError` if the typed text is invalid."""
        if self.bad and self.line:
            self.line.read()

    def commit(self) -> None:
        if self.line:
            self.line.commit()

    @property
    def stops(self) -> list[QWidget]:
        """The widgets in Tab order."""
        stops = [self.editor.main, self.editor.slider, self.editor.end]
        if self.editor.below:
            stops += self.editor.below.findChildren(QAbstractButton) or [self.editor.below]
        return [widget for widget in (*stops, self.reset) if widget]

    def display(self, value: Any) -> None:
        self.editor.display(value)
        self.reset.display(value)

    def set_used(self, is_used: bool) -> None:
        """Show the row, or hide it if another choice makes the field irrelevant."""
        if is_used == self._is_used:
            return
        self._is_used = is_used
        for part in (self.label, *self.editor.parts, self.reset):
            part.setVisible(is_used)
        if self.complaint and not is_used:
            self.complaint.hide()

    def withhold(self, why: str) -> None:
        """Disable the row and show the reason in its tooltips, or enable it if `why` is empty."""
        if why == self._why_withheld:
            return
        self._why_withheld = why
        self.label.setEnabled(not why)
        self.label.setToolTip(parameter_tooltip(self.parameter, why))
        self.editor.withhold(why)


class _Complaint(TintedLabel):
    """The error message below a field, visible until the text is corrected or discarded."""

    def __init__(self, editor: Editor, parent: QWidget) -> None:
        super().__init__("", scale=0.9, parent=parent)
        self.set_shade("reference")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName(f"Error in {editor.parameter.label}")
        self.hide()
        editor.refused.connect(self.complain)
        editor.settled.connect(self.hide)

    @Slot(str)
    def complain(self, sentence: str) -> None:
        self.setText(with_breaks(sentence))
        self.show()


class _Reset(QToolButton):
    """A reset button, hidden while the value is the default."""

    def __init__(self, editor: Editor, parent: QWidget) -> None:
        super().__init__(parent)
        self._default = editor.parameter.default
        self.setAutoRaise(True)
        self.setFixedSize(20, 22)
        self.setAccessibleName(f"Reset {editor.parameter.label}")
        default = default_text(editor.parameter)
        self.setToolTip(f"<p>Reset to the default, {escaped(default)}.</p>")
        self.clicked.connect(editor.reset)
        self.display(self._default)

    def display(self, value: Any) -> None:
        differs = value != self._default
        self.setEnabled(differs)
        self.setText(_RESET if differs else "")


class Fold(QToolButton):
    """A button that shows or hides rarely used fields, with the number of changed fields."""

    turned = Signal(bool)  # whether the fields become visible

    def __init__(self, unfolded: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._is_unfolded = unfolded
        self.setAutoRaise(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip("<p>Show or hide rarely used parameters.</p>")
        self.clicked.connect(self.turn)
        self.count(0)
        self._show_state()

    @Slot()
    def turn(self) -> None:
        self._is_unfolded = not self._is_unfolded
        self._show_state()
        self.turned.emit(self._is_unfolded)

    def count(self, changed: int) -> None:
        self.setText(f"More ({changed} changed)" if changed else "More")

    def _show_state(self) -> None:
        arrows = Qt.ArrowType
        self.setArrowType(arrows.DownArrow if self._is_unfolded else arrows.RightArrow)
        verb = "Hide" if self._is_unfolded else "Show"
        self.setAccessibleName(f"{verb} more parameters")


LABEL_WIDTH = 78
"""Width of the column of labels in pixels, so that forms are aligned."""


class FormFields(QWidget):
    """Rows for all declared fields of a class, or for some of them.

    Rarely used fields are at the bottom and initially hidden; their rows are created on demand. The
    signals are those of `Editor` and `Combo`.
    """

    edited = Signal(str, object)
    refused = Signal(str)
    settled = Signal()
    picked = Signal(bool)

    def __init__(
        self,
        cls: type[Declared] | None = None,
        names: Sequence[str] | None = None,
        parent: QWidget | None = None,
        *,
        label_width: int = LABEL_WIDTH,
        live: bool = False,
    ) -> None:
        """Show the editors of a class, or of some of its fields.

        A live form accepts values during typing, and keeps invalid text until it is corrected.
        """
        super().__init__(parent)
        self._label_width, self._is_live = label_width, live
        # The displayed class; the model may already have another class.
        self.edits: type[Declared] | None = None
        self._field_names: tuple[str, ...] = ()
        self._body: QWidget | None = None
        self._parameters: Mapping[str, Parameter] = {}
        self._often: tuple[str, ...] = ()
        self._seldom: tuple[str, ...] = ()  # the fields below the fold
        self._rows: dict[str, FormRow] = {}
        self._values: dict[str, Any] = {}
        self._reasons: Mapping[str, str] = {}
        self._is_unfolded = False
        self.fold: Fold | None = None  # above the rarely used fields
        self._folded: QWidget | None = None  # the rows of rarely used fields, once created
        self._column = self._layout = column_in(self)
        if cls:
            self.set_class(cls, names)

    @property
    def names(self) -> tuple[str, ...]:
        return (*self._often, *self._seldom)

    @property
    def stops(self) -> list[QWidget]:
        """The widgets in Tab order."""
        fold = [self.fold] if self.fold else []
        return [*self._stops_of(self._often), *fold, *self._stops_of(self._seldom)]

    def _stops_of(self, names: Sequence[str]) -> list[QWidget]:
        return [stop for name in names if name in self._rows for stop in self._rows[name].stops]

    @property
    def bad(self) -> tuple[str, ...]:
        """The fields with invalid text, from top to bottom."""
        return tuple(name for name, row in self._rows.items() if row.bad)

    def check(self) -> None:
        """Raise `ParameterError` for the first invalid text."""
        for row in self._rows.values():
            row.check()

    def commit(self) -> None:
        """Accept all typed texts as values, including the text of the focused field."""
        for row in self._rows.values():
            row.commit()

    def editor(self, name: str) -> Editor:
        return self._row(name).editor

    def go_to(self, name: str) -> QWidget:
        """Move the focus to the editor of a field, and return its widget."""
        if self.fold and name in self._seldom and not self._is_unfolded:
            self.fold.turn()
        editor = self.editor(name).main
        editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if isinstance(editor, QLineEdit):
            editor.selectAll()  # so that typed text replaces the old text
        return editor

    def reset_button(self, name: str) -> QToolButton:
        return self._row(name).reset

    def set_class(self, cls: type[Declared], names: Sequence[str] | None = None) -> None:
        """Show the editors of a class, or of some of its fields; do nothing if already shown."""
        chosen = tuple(names or declared(cls))
        if (cls, chosen) == (self.edits, self._field_names):
            return
        self.edits, self._field_names = cls, chosen
        for row in self._rows.values():
            row.editor.blockSignals(True)  # the editors belong to the previous class
        self._rows.clear()
        self._values, self._reasons = {}, {}
        self._often = self._seldom = ()
        self.fold = self._folded = None
        if self._body:
            self._body.hide()
            self._layout.removeWidget(self._body)
            self._body.deleteLater()
        self._body = QWidget(self)
        self._column = column = column_in(self._body, spacing=2)
        self._parameters = parameters = declared(cls)
        often = tuple(name for name in chosen if not parameters[name].is_advanced)
        self._often = often or chosen
        column.addWidget(self._grid_of(self._often))
        if len(self._often) < len(chosen):
            self._seldom = tuple(name for name in chosen if parameters[name].is_advanced)
            self.fold = Fold(self._is_unfolded, self._body)
            self.fold.turned.connect(self._unfold)
            column.addWidget(self.fold)
            self._unfold(self._is_unfolded)
        self._layout.addWidget(self._body)
        self._body.show()  # immediately, to avoid a frame without editors
        self._layout.activate()

    def display(self, values: Mapping[str, Any]) -> None:
        """Show the values of fields without emitting a signal."""
        self._values |= {name: values[name] for name in self.names if name in values}
        for name, row in self._rows.items():
            if name in values:
                row.display(values[name])
            row.set_used(self._is_used(name))
        self._count_changed()

    def withhold(self, reasons: Mapping[str, str]) -> None:
        """Disable fields without an effect, with the reasons, and enable all others."""
        self._reasons, before = reasons, self.bad
        for name, row in self._rows.items():
            row.withhold(reasons.get(name, ""))
        if self.bad != before:
            self.settled.emit()

    def _row(self, name: str) -> FormRow:
        if name in self._seldom and name not in self._rows:
            self._make_folded()
        return self._rows[name]

    def _grid_of(self, names: Sequence[str]) -> QWidget:
        widget = QWidget(self._body)
        grid = QGridLayout(widget)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(_GAP)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for name in names:
            row = self._rows[name] = FormRow(name, self._parameters[name], widget, self._is_live)
            row.label.setFixedWidth(self._label_width)
            row.add_to(grid)
            row.editor.edited.connect(self._receive_edit)
            row.editor.refused.connect(self.refused)
            row.editor.settled.connect(self.settled)
            if isinstance(row.editor.main, Combo):
                row.editor.main.picked.connect(self.picked)
        return widget

    def _is_used(self, name: str) -> bool:
        return is_used(self._parameters[name], self._values)

    @Slot(str, object)
    def _receive_edit(self, name: str, value: Any) -> None:
        self._values[name] = value
        self._rows[name].reset.display(value)
        self._count_changed()
        self.edited.emit(name, value)

    def _make_folded(self) -> None:
        assert self.fold is not None
        self._folded = self._grid_of(self._seldom)
        self._folded.hide()
        self._column.addWidget(self._folded)
        for name in self._seldom:
            if name in self._values:
                self._rows[name].display(self._values[name])
            self._rows[name].set_used(self._is_used(name))
            self._rows[name].withhold(self._reasons.get(name, ""))
        for before, after in pairwise([self.fold, *self._stops_of(self._seldom)]):
            self.setTabOrder(before, after)

    @Slot(bool)
    def _unfold(self, unfolded: bool) -> None:
        self._is_unfolded = unfolded
        if unfolded and self._folded is None:
            self._make_folded()
        if self._folded is not None:
            self._folded.setVisible(unfolded)

    def _count_changed(self) -> None:
        if self.fold is not None:
            shown = [n for n in self._seldom if n in self._values and self._is_used(n)]
            changed = [n for n in shown if self._values[n] != self._parameters[n].default]
            self.fold.count(len(changed))
