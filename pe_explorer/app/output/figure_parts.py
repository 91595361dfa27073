"""What a click on a part of a figure lets one change: one table, and the popup that offers it."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from pe_explorer.figures.page import PagePart
from pe_explorer.figures.style import Style
from pe_explorer.params import Declared, Text, declare, declared
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.labels import bold_label
from pe_explorer.widgets.layouts import column_in

_WIDTH, _LABEL_WIDTH, _GAP = 320, 92, 4  # pixels


@dataclass(frozen=True)
class PartFields(Declared):
    """What a style says of a single part in a list of its own; empty for what the figure has."""

    text: str = declare(
        Text("", 200, shortest=0, label="Text", help="What stands there; empty for its own text.")
    )


class _Kind(NamedTuple):
    """What can be changed of a kind of part: fields of `PartFields`, and of the whole style."""

    title: str
    own: tuple[str, ...]
    fields: tuple[str, ...] = ()


_KINDS = {
    "x": _Kind("Lower axis", ("text",), ("x_limits",)),
    "y": _Kind("Left axis", ("text",), ("y_limits",)),
    "bar": _Kind("Colour bar", ("text",), ("limits", "colour_bar")),
    "curve": _Kind("Curve", ("text",)),
    "name": _Kind("Name", ("text",)),
    "panel": _Kind("Panel", (), ("colour_bar", "upward", "cursor", "clocks")),
}
_REACHED = {name for kind in _KINDS.values() for name in kind.fields} | {"texts"}

OWN_STYLE = {name: each.default for name, each in declared(Style).items() if name in _REACHED}
"""The values of fields with which no part differs from the figure's own."""

FORM_FIELDS = tuple(name for name in declared(Style) if name not in _REACHED)
"""The fields of a style that belong to no single part of a figure."""


def title_of(part: PagePart) -> str:
    """Return what a part is called above its popup."""
    of = " " if part.kind == "panel" else " of "
    return of.join(filter(None, (_KINDS[part.kind].title, part.panel)))


def changed(style: Style, part: PagePart, name: str, value: Any) -> Style:
    """Return a style with another value of a field that the popup of a part has."""
    if name in declared(Style):
        return replace(style, **{name: value})
    source = part.source
    texts = {old: text for old, text in style.texts if old != source.key}
    if value:
        texts[source.key] = value
    else:  # also where it stood for several
        texts = {old: text for old, text in texts.items() if text != source.text}
    return replace(style, texts=tuple(texts.items()))


class PartPopup(QFrame):
    """A small form about one part of a figure; a click elsewhere, Enter or Esc closes it."""

    edited = Signal(str, object)  # a field and its value, for `changed`
    checked = Signal()  # whether all that is typed is legal may have changed
    closed = Signal()

    def __init__(
        self, part: PagePart, style: Style, idle: Collection[str], parent: QWidget
    ) -> None:
        """Offer the fields of a part, but for those that are `idle`: without effect."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(title_of(part))
        kind, own = _KINDS[part.kind], {"text": part.source.text}
        fields = tuple(name for name in kind.fields if name not in idle)
        self.forms: list[FormFields] = []
        for cls, names, values in ((PartFields, kind.own, own), (Style, fields, vars(style))):
            if names:
                form = FormFields(cls, names, self, label_width=_LABEL_WIDTH, live=True)
                form.display(values)
                form.edited.connect(self.edited)
                form.refused.connect(self.checked)
                form.settled.connect(self.checked)
                self.forms.append(form)
        column_in(self, bold_label(title_of(part)), *self.forms, margins=(10, 8, 6, 8))
        self.setFixedWidth(_WIDTH)

    @property
    def bad(self) -> bool:
        """Whether something is typed that is not legal."""
        return any(form.bad for form in self.forms)

    def open_beside(self, place: QRect, room: QRect) -> None:
        """Open below a place on the screen or above it, as far as possible within some room."""
        self.adjustSize()
        top = place.bottom() + _GAP
        if top + self.height() > room.bottom():
            top = place.top() - _GAP - self.height()
        left = min(place.left(), room.left() + room.width() - self.width())
        self.move(max(room.left(), left), max(room.top(), top))
        self.show()
        if self.forms:
            self.forms[0].go_to(self.forms[0].names[0])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not self.bad:
                self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()
