"""What all editors of a parameter have in common."""

from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.params import Parameter
from pe_explorer.widgets._tooltips import parameter_tooltip
from pe_explorer.widgets.sliders import Slider


class Editor(QObject):
    """The widgets that edit one parameter: `main`, its `slider` and `end` are beside its label.

    `below` is under them.

    All but `FlagEditor` can edit an optional parameter of their kind: None has a text, too.
    """

    edited = Signal(str, object)
    """(name, value): another legal value was chosen."""
    refused = Signal(str)
    """A sentence about text that is not a legal value."""
    settled = Signal()
    """Refused text was dropped, or is being corrected."""

    main: QWidget
    slider: Slider | None = None
    end: QWidget | None = None
    below: QWidget | None = None
    wide = True
    """Whether `below` is also under the label."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = name
        self.parameter = parameter

    @property
    def parts(self) -> list[QWidget]:
        """The widgets that there are."""
        found = (self.main, self.slider, self.end, self.below)
        return [widget for widget in found if widget]

    def display(self, value: Any) -> None:
        """Show a value without a signal."""
        raise NotImplementedError

    def withhold(self, why: str) -> None:
        """Disable the editor, whose tooltip then shows why; an empty text enables it again."""
        for widget in self.parts:
            widget.setEnabled(not why)
        for widget in filter(None, (self.main, self.slider)):
            widget.setToolTip(parameter_tooltip(self.parameter, why))

    def _describe(self, widget: QWidget) -> None:
        """Give a widget the name, the description and the tooltip of the parameter."""
        widget.setAccessibleName(self.parameter.label)
        widget.setAccessibleDescription(self.parameter.help)
        widget.setToolTip(parameter_tooltip(self.parameter))

    @Slot()
    def reset(self) -> None:
        """Go back to the default."""
        self._edit(self.parameter.default)

    @Slot(object)
    def _edit(self, value: Any) -> None:
        self.display(value)
        self.edited.emit(self.name, value)
