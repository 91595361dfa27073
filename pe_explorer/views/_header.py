"""The most frequently used options of a view, in the header of its pane."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from pe_explorer.params import Choice, Declared, declared
from pe_explorer.widgets.choice_fields import Combo
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.layouts import lay_out_row
from pe_explorer.widgets.line_fields import LineField

ValueReceiver = Callable[[str, object], None]  # receives the name of a field and its new value
_LEFT_MARGIN, _GAP = 8, 5  # pixels before the row and between its parts


class Header(QWidget):
    """A row of labelled options; clicking a combo box keeps the focus in the picture."""

    changed = Signal()  # the width or the visibility of a part has changed

    def __init__(self, options: type[Declared]) -> None:
        """Create an empty row; `options` is the class that declares the options."""
        super().__init__()
        self._parameters = declared(options)
        self.combos: dict[str, Combo] = {}
        self.labels: dict[str, QLabel] = {}
        self.options: list[str] = []  # names of the options with a combo box
        self.lines: dict[str, LineField] = {}
        self._groups: list[QWidget] = []  # groups of widgets, most important first
        self._row_layout = lay_out_row(self, spacing=_GAP, margins=(_LEFT_MARGIN, 0, 0, 0))
        self._row_layout.addStretch(1)

    def add_option(self, field: str, choose: ValueReceiver, *, has_label: bool = True) -> Combo:
        parameter = self._parameters[field]
        assert isinstance(parameter, Choice)
        self.options.append(field)
        return self.add_choice(field, parameter, choose, has_label=has_label)

    def add_choice(
        self, field: str, parameter: Choice, choose: ValueReceiver, *, has_label: bool = True
    ) -> Combo:
        editor = ChoiceEditor(field, parameter, self)
        editor.edited.connect(choose)
        combo = self.combos[field] = editor.combo
        combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        combo.fit()
        if has_label:
            label = self.labels[field] = QLabel(parameter.label)
            label.setBuddy(combo)
            self.add(label, combo)
        else:
            self.add(combo)
        return combo

    def add_line_fields(self, text: str, width: int, **lines: LineField) -> QLabel:
        """Add a label, followed by fields with a fixed width in pixels; return the label."""
        label = QLabel(text)
        label.setBuddy(next(iter(lines.values())))
        for option, line in lines.items():
            line.setObjectName(option)
            line.setFixedWidth(width)
        self.lines |= lines
        self.add(label, *lines.values())
        return label

    def add(self, *widgets: QWidget, stretch: int = 0) -> None:
        """Add a group of widgets that are shown or hidden together."""
        group = QWidget()
        lay_out_row(group, *widgets, spacing=_GAP)
        self._groups.append(group)
        self._row_layout.insertWidget(self._row_layout.count() - 1, group, stretch)

    def fit(self, space: int) -> int:
        """Show the groups that fit into `space` pixels; return the width that the row requires."""
        used_width, is_full = 0, False
        for group in self._groups:
            width = group.minimumSizeHint().width()
            if not width:  # all widgets in the group are hidden
                continue
            width += _GAP if used_width else _LEFT_MARGIN
            is_full = is_full or used_width + width > space
            group.setVisible(not is_full)
            used_width += 0 if is_full else width
        return used_width

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.changed.emit()
        return super().event(event)

    def show_choice(self, field: str, value: object, *, is_offered: bool = True) -> None:
        """Show the value of an option; hide its widgets unless `is_offered`."""
        self.combos[field].display(str(value))
        for widget in (self.labels.get(field), self.combos[field]):
            if widget is not None and widget.isHidden() == is_offered:
                widget.setVisible(is_offered)
