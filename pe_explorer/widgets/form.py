"""A form for the declared fields of a class; rarely used fields can be hidden."""

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
    QVBoxLayout,
    QWidget,
)

from pe_explorer.params import Declared, Parameter, declared, is_used
from pe_explorer.widgets.choice_fields import Combo
from pe_explorer.widgets.editors import Editor, make_editor
from pe_explorer.widgets.labels import (
    TintedLabel,
    add_breaks,
    escape_html,
    format_default,
    format_paragraph,
    make_parameter_tooltip,
)
from pe_explorer.widgets.layouts import lay_out_column
from pe_explorer.widgets.line_fields import LineField

_GAP = 5  # horizontal gap in a row in pixels


class FormRow:
    """The row of one field: a label, an editor with a slider, and a reset button."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget, is_live: bool) -> None:
        symbol = f" <i>{escape_html(parameter.symbol)}</i>" if parameter.symbol else ""
        self.label = QLabel(parent, textFormat=Qt.TextFormat.RichText, wordWrap=True)
        self.label.setText(f"{escape_html(parameter.label)}{symbol}")
        self.label.setToolTip(make_parameter_tooltip(parameter))
        self.editor = make_editor(name, parameter, parent)
        self.line = self.editor.main if isinstance(self.editor.main, LineField) else None
        self.error_label: _ErrorLabel | None = None
        if self.line and is_live:  # the owner of a live form shows the errors
            self.line.make_live()
        elif self.line:
            self.error_label = _ErrorLabel(self.editor, parent)
        self.reset_button = _ResetButton(self.editor, parent)
        self.label.setBuddy(self.editor.main)
        self._disabled_reason = ""  # why the field is disabled, or an empty string
        self._is_used = True

    def add_to(self, grid: QGridLayout) -> None:
        """Add the row at the bottom of a grid; a slider spans the whole width."""
        row, editor = grid.rowCount(), self.editor
        fields = QHBoxLayout()
        fields.setSpacing(_GAP)
        fields.addWidget(editor.main, 1)
        if editor.end:
            fields.addWidget(editor.end)
        grid.addWidget(self.label, row, 0)
        grid.addLayout(fields, row, 1)
        grid.addWidget(self.reset_button, row, 2)
        if editor.lower_widget:
            first, columns = (0, 2) if editor.is_wide else (1, 1)
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(editor.lower_widget, row + 1, first, 1, columns, top)
        if self.error_label:
            grid.addWidget(self.error_label, row + 2, 0, 1, 3)
        if editor.slider:
            grid.addWidget(editor.slider, row + 3, 0, 1, 3)

    @property
    def is_invalid(self) -> bool:
        """Whether the field has an effect and its text is invalid."""
        has_effect = self._is_used and not self._disabled_reason
        return self.line is not None and self.line.is_invalid and has_effect

    @property
    def tab_stops(self) -> list[QWidget]:
        """The widgets in Tab order."""
        stops = [self.editor.main, self.editor.slider, self.editor.end]
        if lower_widget := self.editor.lower_widget:
            stops += lower_widget.findChildren(QAbstractButton) or [lower_widget]
        return [widget for widget in (*stops, self.reset_button) if widget]

    def display(self, value: Any) -> None:
        self.editor.display(value)
        self.reset_button.display(value)

    def set_used(self, is_used: bool) -> None:
        """Show the row, or hide it if another choice makes the field irrelevant."""
        if is_used != self._is_used:
            self._is_used = is_used
            for part in (self.label, *self.editor.parts, self.reset_button):
                part.setVisible(is_used)
            if self.error_label and not is_used:
                self.error_label.hide()

    def set_unavailable(self, reason: str) -> None:
        """Disable the row and show the reason, or enable the row if `reason` is empty."""
        if reason != self._disabled_reason:
            self._disabled_reason = reason
            self.label.setEnabled(not reason)
            self.label.setToolTip(make_parameter_tooltip(self.editor.parameter, reason))
            self.editor.set_unavailable(reason)


class _ErrorLabel(TintedLabel):
    """The error message below a field, visible until the text is corrected or discarded."""

    def __init__(self, editor: Editor, parent: QWidget) -> None:
        super().__init__("", scale=0.9, parent=parent)
        self.set_shade("reference")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName(f"Error in {editor.parameter.label}")
        self.hide()
        editor.refused.connect(self.show_error)
        editor.settled.connect(self.hide)

    @Slot(str)
    def show_error(self, sentence: str) -> None:
        self.setText(add_breaks(sentence))
        self.show()


class _ResetButton(QToolButton):
    """A reset button, disabled and empty while the value is the default."""

    def __init__(self, editor: Editor, parent: QWidget) -> None:
        super().__init__(parent, autoRaise=True)
        self._default_value = editor.parameter.default
        self.setFixedSize(20, 22)
        self.setAccessibleName(f"Reset {editor.parameter.label}")
        self.setToolTip(
            format_paragraph(f"Reset to the default, {format_default(editor.parameter)}.")
        )
        self.clicked.connect(editor.reset)
        self.display(self._default_value)

    def display(self, value: Any) -> None:
        differs = value != self._default_value
        self.setEnabled(differs)
        self.setText("↺" if differs else "")


class FoldButton(QToolButton):
    """A button that shows or hides rarely used fields, and shows how many have changed."""

    state_changed = Signal(bool)  # whether the fields become visible

    def __init__(self, is_unfolded: bool, parent: QWidget) -> None:
        super().__init__(parent, autoRaise=True)
        self._is_unfolded = is_unfolded
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip("<p>Show or hide rarely used parameters.</p>")
        self.clicked.connect(self.change_state)
        self.set_changed_count(0)
        self._show_state()

    @Slot()
    def change_state(self) -> None:
        self._is_unfolded = not self._is_unfolded
        self._show_state()
        self.state_changed.emit(self._is_unfolded)

    def set_changed_count(self, count: int) -> None:
        self.setText(f"More ({count} changed)" if count else "More")

    def _show_state(self) -> None:
        arrow = Qt.ArrowType.DownArrow if self._is_unfolded else Qt.ArrowType.RightArrow
        self.setArrowType(arrow)
        self.setAccessibleName(f"{'Hide' if self._is_unfolded else 'Show'} more parameters")


LABEL_WIDTH = 78  # pixels; all forms use it, so that their fields are aligned


class FormFields(QWidget):
    """Rows for all or some of the declared fields of a class.

    Rarely used fields are at the bottom and initially hidden; their rows are created on
    demand. The signals are those of `Editor` and `Combo`.
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
        is_live: bool = False,
    ) -> None:
        """Show editors for the fields of a class; if `is_live`, accept values during typing."""
        super().__init__(parent)
        self._label_width, self._is_live = label_width, is_live
        self.edited_class: type[Declared] | None = None  # None before `set_class` is called
        self._field_names: tuple[str, ...] = ()
        self._body_widget: QWidget | None = None
        self._body_layout: QVBoxLayout
        self._parameters: Mapping[str, Parameter] = {}
        self._common_names: tuple[str, ...] = ()
        self._rare_names: tuple[str, ...] = ()  # fields below `fold_button`
        self._rows: dict[str, FormRow] = {}
        self._values: dict[str, Any] = {}
        self._disabled_reasons: Mapping[str, str] = {}
        self._is_unfolded = False
        self.fold_button: FoldButton | None = None  # button above the rarely used fields, if any
        self._rare_rows: QWidget | None = None  # rows of the rarely used fields, once created
        self._layout = lay_out_column(self)
        if cls:
            self.set_class(cls, names)

    @property
    def names(self) -> tuple[str, ...]:
        return (*self._common_names, *self._rare_names)

    @property
    def tab_stops(self) -> list[QWidget]:
        """The widgets in Tab order."""
        common_stops, rare_stops = map(self._list_tab_stops, (self._common_names, self._rare_names))
        return [*common_stops, *([self.fold_button] if self.fold_button else []), *rare_stops]

    def _list_tab_stops(self, names: Sequence[str]) -> list[QWidget]:
        return [stop for name in names if name in self._rows for stop in self._rows[name].tab_stops]

    @property
    def invalid_fields(self) -> tuple[str, ...]:
        """The fields with invalid text, from top to bottom."""
        return tuple(name for name, row in self._rows.items() if row.is_invalid)

    def check(self) -> None:
        """Raise `ParameterError` for the first invalid text."""
        for row in self._rows.values():
            if row.is_invalid and row.line:
                row.line.read()

    def commit(self) -> None:
        """Accept all typed texts as values, including the text of the focused field."""
        for row in self._rows.values():
            if row.line:
                row.line.commit()

    def editor(self, name: str) -> Editor:
        return self._find_row(name).editor

    def go_to(self, name: str) -> QWidget:
        """Move the focus to the editor of a field, and return its widget."""
        if self.fold_button and name in self._rare_names and not self._is_unfolded:
            self.fold_button.change_state()
        editor = self.editor(name).main
        editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if isinstance(editor, QLineEdit):
            editor.selectAll()  # so that typed text replaces the old text
        return editor

    def reset_button(self, name: str) -> QToolButton:
        return self._find_row(name).reset_button

    def set_class(self, cls: type[Declared], names: Sequence[str] | None = None) -> None:
        """Show editors for all or some fields of a class, unless they are already shown."""
        field_names = tuple(names or declared(cls))
        if (cls, field_names) == (self.edited_class, self._field_names):
            return
        self.edited_class, self._field_names = cls, field_names
        for row in self._rows.values():
            row.editor.blockSignals(True)  # the editors belong to the previous class
        self._rows.clear()
        self._values, self._disabled_reasons = {}, {}
        self._common_names = self._rare_names = ()
        self.fold_button = self._rare_rows = None
        if self._body_widget:
            self._body_widget.hide()
            self._layout.removeWidget(self._body_widget)
            self._body_widget.deleteLater()
        self._body_widget = QWidget(self)
        self._body_layout = lay_out_column(self._body_widget, spacing=2)
        self._parameters = parameters = declared(cls)
        common_names = tuple(name for name in field_names if not parameters[name].is_advanced)
        self._common_names = common_names or field_names
        self._body_layout.addWidget(self._make_grid(self._common_names))
        if len(self._common_names) < len(field_names):
            self._rare_names = tuple(name for name in field_names if parameters[name].is_advanced)
            self.fold_button = FoldButton(self._is_unfolded, self._body_widget)
            self.fold_button.state_changed.connect(self._set_unfolded)
            self._body_layout.addWidget(self.fold_button)
            self._set_unfolded(self._is_unfolded)
        self._layout.addWidget(self._body_widget)
        self._body_widget.show()  # immediately, to avoid a frame without editors
        self._layout.activate()

    def display(self, values: Mapping[str, Any]) -> None:
        """Show the values of fields without emitting a signal."""
        self._values |= {name: values[name] for name in self.names if name in values}
        for name, row in self._rows.items():
            if name in values:
                row.display(values[name])
            row.set_used(self._is_used(name))
        self._update_count()

    def set_unavailable(self, reasons: Mapping[str, str]) -> None:
        """Disable the fields in `reasons`, show the reasons, and enable all other fields."""
        self._disabled_reasons, before = reasons, self.invalid_fields
        for name, row in self._rows.items():
            row.set_unavailable(reasons.get(name, ""))
        if self.invalid_fields != before:
            self.settled.emit()

    def _find_row(self, name: str) -> FormRow:
        if name in self._rare_names and name not in self._rows:
            self._make_rare_rows()
        return self._rows[name]

    def _make_grid(self, names: Sequence[str]) -> QWidget:
        widget = QWidget(self._body_widget)
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
        self._rows[name].reset_button.display(value)
        self._update_count()
        self.edited.emit(name, value)

    def _make_rare_rows(self) -> None:
        assert self.fold_button is not None
        self._rare_rows = self._make_grid(self._rare_names)
        self._rare_rows.hide()
        self._body_layout.addWidget(self._rare_rows)
        for name in self._rare_names:
            row = self._rows[name]
            if name in self._values:
                row.display(self._values[name])
            row.set_used(self._is_used(name))
            row.set_unavailable(self._disabled_reasons.get(name, ""))
        for before, after in pairwise([self.fold_button, *self._list_tab_stops(self._rare_names)]):
            self.setTabOrder(before, after)

    @Slot(bool)
    def _set_unfolded(self, is_unfolded: bool) -> None:
        self._is_unfolded = is_unfolded
        if is_unfolded and self._rare_rows is None:
            self._make_rare_rows()
        if self._rare_rows is not None:
            self._rare_rows.setVisible(is_unfolded)

    def _update_count(self) -> None:
        if self.fold_button is not None:
            names = [n for n in self._rare_names if n in self._values and self._is_used(n)]
            changes = (self._values[n] != self._parameters[n].default for n in names)
            self.fold_button.set_changed_count(sum(changes))
