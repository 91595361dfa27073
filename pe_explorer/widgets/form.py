"""A form for the declared fields of a class: a row for each, and a fold for those seldom used."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSizePolicy, QToolButton, QWidget

from pe_explorer.params import Declared, Parameter, declared, is_used
from pe_explorer.widgets._form_row import GAP, FormRow
from pe_explorer.widgets.choice_fields import Combo
from pe_explorer.widgets.editors import Editor
from pe_explorer.widgets.layouts import column_in


class Fold(QToolButton):
    """Shows and hides the fields that are seldom changed, and says how many of them were."""

    turned = Signal(bool)
    """Whether they are to be seen from now on."""

    def __init__(self, unfolded: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._is_unfolded = unfolded
        self.setAutoRaise(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip("<p>Shows and hides the parameters that are seldom changed.</p>")
        self.clicked.connect(self.turn)
        self.count(0)
        self._show_state()

    @Slot()
    def turn(self) -> None:
        """Show what is hidden, or hide what is shown."""
        self._is_unfolded = not self._is_unfolded
        self._show_state()
        self.turned.emit(self._is_unfolded)

    def count(self, changed: int) -> None:
        """Say how many of the fields are not at their defaults."""
        self.setText(f"More ({changed} changed)" if changed else "More")

    def _show_state(self) -> None:
        arrows = Qt.ArrowType
        self.setArrowType(arrows.DownArrow if self._is_unfolded else arrows.RightArrow)
        verb = "Hide" if self._is_unfolded else "Show"
        self.setAccessibleName(f"{verb} more parameters")


LABEL_WIDTH = 78
"""Width of the column of labels, so that forms line up."""


class FormFields(QWidget):
    """A row for each of the declared fields of a class, or for some of them.

    Where some fields are seldom changed, they are below the others, and folded away at first. Their
    rows are made when they are first asked for.
    """

    edited = Signal(str, object)
    """(name, value): another legal value was chosen."""
    refused = Signal(str)
    """A sentence about text that is not a legal value."""
    settled = Signal()
    """Refused text was dropped, or is being corrected."""
    picked = Signal(bool)
    """A word was picked from an open list; whether it was opened with the mouse."""

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

        Where it is live, a value is taken while it is typed, and text that is none stays until
        it is mended.
        """
        super().__init__(parent)
        self._label_width, self._is_live = label_width, live
        self.edits: type[Declared] | None = None
        """The class whose fields are edited; the model may have another until it is announced."""
        self._chosen: tuple[str, ...] = ()
        self._body: QWidget | None = None
        self._parameters: Mapping[str, Parameter] = {}
        self._often: tuple[str, ...] = ()
        self._seldom: tuple[str, ...] = ()  # the fields below the fold
        self._rows: dict[str, FormRow] = {}
        self._values: dict[str, Any] = {}
        self._reasons: Mapping[str, str] = {}
        self._is_unfolded = False
        self.fold: Fold | None = None
        """The button above the fields that are seldom changed, if there are any."""
        self._folded: QWidget | None = None  # the rows of those fields, once they are made
        self._column = self._layout = column_in(self)
        if cls:
            self.set_class(cls, names)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that can be edited, from top to bottom."""
        return (*self._often, *self._seldom)

    @property
    def stops(self) -> list[QWidget]:
        """What Tab goes to, from top to bottom."""
        rows, often = list(self._rows.values()), len(self._often)
        fold = [self.fold] if self.fold else []
        return [*_stops_of(rows[:often]), *fold, *_stops_of(rows[often:])]

    @property
    def bad(self) -> tuple[str, ...]:
        """The fields whose text is not a legal value, from top to bottom."""
        return tuple(name for name, row in self._rows.items() if row.bad)

    def check(self) -> None:
        """Raise `ParameterError` for the first text that is not a legal value."""
        for row in self._rows.values():
            row.check()

    def commit(self) -> None:
        """Take what is typed as values, also in the line that has the keyboard."""
        for row in self._rows.values():
            row.commit()

    def editor(self, name: str) -> Editor:
        """Return the editor of a field."""
        return self._row(name).editor

    def go_to(self, name: str) -> QWidget:
        """Move the keyboard to the editor of a field, and return where it is then."""
        if self.fold and name in self._seldom and not self._is_unfolded:
            self.fold.turn()
        editor = self.editor(name).main
        editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if isinstance(editor, QLineEdit):
            editor.selectAll()  # so that what is typed takes its place
        return editor

    def reset_button(self, name: str) -> QToolButton:
        """Return the button that resets a field to its default."""
        return self._row(name).reset

    def set_class(self, cls: type[Declared], names: Sequence[str] | None = None) -> None:
        """Show the editors of a class, or of some of its fields, unless they are shown already."""
        chosen = tuple(names or declared(cls))
        if (cls, chosen) == (self.edits, self._chosen):
            return
        self.edits, self._chosen = cls, chosen
        self._clear()
        self._body = QWidget(self)
        self._column = column = column_in(self._body, spacing=2)
        self._parameters = parameters = declared(cls)
        often = tuple(name for name in chosen if not parameters[name].seldom)
        self._often = often or chosen
        column.addWidget(self._grid_of(self._often))
        if len(self._often) < len(chosen):
            self._seldom = tuple(name for name in chosen if parameters[name].seldom)
            self.fold = Fold(self._is_unfolded, self._body)
            self.fold.turned.connect(self._unfold)
            column.addWidget(self.fold)
            self._unfold(self._is_unfolded)
        self._layout.addWidget(self._body)
        self._body.show()  # now, not after a frame without editors
        self._layout.activate()

    def display(self, values: Mapping[str, Any]) -> None:
        """Show the values of fields without a signal."""
        self._values |= {name: values[name] for name in self.names if name in values}
        for name, row in self._rows.items():
            if name in values:
                row.display(values[name])
            row.set_used(self._is_used(name))
        self._count_changed()

    def withhold(self, reasons: Mapping[str, str]) -> None:
        """Disable the fields that have no effect now, with the reason for each, and no others."""
        self._reasons, before = reasons, self.bad
        for name, row in self._rows.items():
            row.withhold(reasons.get(name, ""))
        if self.bad != before:
            self.settled.emit()

    # -- rows ------------------------------------------------------------------------------------

    def _row(self, name: str) -> FormRow:
        """Return the row of a field, made for this if nobody has asked for it yet."""
        if name in self._seldom and name not in self._rows:
            self._make_folded()
        return self._rows[name]

    def _clear(self) -> None:
        for row in self._rows.values():
            row.editor.blockSignals(True)  # from now on they would concern the class before
        self._rows.clear()
        self._values, self._reasons = {}, {}
        self._often = self._seldom = ()
        self.fold = self._folded = None
        if self._body:
            self._body.hide()
            self._layout.removeWidget(self._body)
            self._body.deleteLater()

    def _grid_of(self, names: Sequence[str]) -> QWidget:
        """Return a widget with a row for each name."""
        widget = QWidget(self._body)
        grid = QGridLayout(widget)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GAP)
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
        """Return whether a field counts with the choices that are shown."""
        return is_used(self._parameters[name], self._values)

    @Slot(str, object)
    def _receive_edit(self, name: str, value: Any) -> None:
        self._values[name] = value
        self._rows[name].reset.display(value)
        self._count_changed()
        self.edited.emit(name, value)

    # -- the fold --------------------------------------------------------------------------------

    def _make_folded(self) -> None:
        """Make the rows below the fold, as they would be by now."""
        assert self.fold is not None
        self._folded = self._grid_of(self._seldom)
        self._folded.hide()
        self._column.addWidget(self._folded)
        for name in self._seldom:
            if name in self._values:
                self._rows[name].display(self._values[name])
            self._rows[name].set_used(self._is_used(name))
            self._rows[name].withhold(self._reasons.get(name, ""))
        below = [self._rows[name] for name in self._seldom]
        for before, after in pairwise([self.fold, *_stops_of(below)]):
            self.setTabOrder(before, after)

    @Slot(bool)
    def _unfold(self, unfolded: bool) -> None:
        """Show or hide what is below the fold."""
        self._is_unfolded = unfolded
        if unfolded and self._folded is None:
            self._make_folded()
        if self._folded is not None:
            self._folded.setVisible(unfolded)

    def _count_changed(self) -> None:
        """Say on the fold how many of the fields below it are not at their defaults."""
        if self.fold is not None:
            shown = [n for n in self._seldom if n in self._values and self._is_used(n)]
            changed = [n for n in shown if self._values[n] != self._parameters[n].default]
            self.fold.count(len(changed))


def _stops_of(rows: Iterable[FormRow]) -> list[QWidget]:
    return [stop for row in rows for stop in row.stops]
