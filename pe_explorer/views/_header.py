"""The few choices of a view that are made most often: a row in the header of its pane."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from pe_explorer.params import Choice, Declared, declared
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.fields import Combo

__all__ = ["Header"]


class Header(QWidget):
    """A row of labelled choices, from the left; a click leaves the keys with the picture."""

    def __init__(self, options: type[Declared]) -> None:
        """`options` declares the view's own choices."""
        super().__init__()
        self._declared = declared(options)
        self.combos: dict[str, Combo] = {}
        self.labels: dict[str, QLabel] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 0, 0, 0)
        self._row.setSpacing(5)
        self._row.addStretch(1)

    def add_option(
        self, field: str, choose: Callable[[str, object], None], *, labelled: bool = True
    ) -> Combo:
        """Add a combo box for one of the view's own options."""
        parameter = self._declared[field]
        assert isinstance(parameter, Choice)
        return self.add_choice(field, parameter, choose, labelled=labelled)

    def add_choice(
        self,
        field: str,
        parameter: Choice,
        choose: Callable[[str, object], None],
        *,
        labelled: bool = True,
    ) -> Combo:
        """Add a combo box for a declared choice."""
        editor = ChoiceEditor(field, parameter, self)
        editor.edited.connect(choose)
        combo = self.combos[field] = editor.combo
        combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        combo.fit()
        if labelled:
            label = self.labels[field] = QLabel(parameter.label)
            label.setBuddy(combo)
            self.add(label)
        self.add(combo)
        return combo

    def add(self, widget: QWidget, stretch: int = 0) -> None:
        """Add a widget to the row."""
        self._row.insertWidget(self._row.count() - 1, widget, stretch)

    def show_choice(self, field: str, value: object, *, offered: bool = True) -> None:
        """Show what is chosen, or no choice where there is none."""
        self.combos[field].display(str(value))
        for widget in (self.labels.get(field), self.combos[field]):
            if widget is not None and widget.isHidden() == offered:
                widget.setVisible(offered)
