"""What a click on a part of a figure lets one change: one table, and the popup that offers it."""

import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QWidget

from pe_explorer import pictures
from pe_explorer.exploration import Exploration
from pe_explorer.figures.page import PagePart
from pe_explorer.figures.plates import wanted_of
from pe_explorer.figures.style import Style
from pe_explorer.flags import without_effect
from pe_explorer.params import Choice, Declared, ParameterError, Text, declare, declared
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.labels import bold_label
from pe_explorer.widgets.layouts import column_in

_WIDTH, _LABEL_WIDTH, _GAP = 320, 92, 4  # pixels


@dataclass(frozen=True)
class PartFields(Declared):
    """What a style says of a single part."""

    text: str = declare(
        Text("", 200, shortest=0, label="Text", help="What stands there; empty for its own text.")
    )


_VIEWS = {name: pictures.find(name).help for name in pictures.names()}
_WORDS = "What differs from the window, such as base=500 or show=pinned start=1000."


@dataclass(frozen=True)
class PlatePanel(Declared):
    """One of the texts of a plate."""

    view: str = declare(Choice("heatmap", _VIEWS, label="View", help="What is drawn."))
    only: str = declare(Text("", 60, 0, label="Part", help="The only part; empty for all of it."))
    letter: str = declare(Text("", 60, 0, label="Letter", help="Empty for a, b and so on."))
    words: str = declare(Text("", 900, 0, label="Options", help=_WORDS))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return what a text says; the last of several words for one thing counts."""
        try:
            view, *words = shlex.split(text)
        except ValueError:  # a quotation mark is missing, as will be said
            view, *words = text.split()
        named = {key: value for key, _, value in (word.partition("=") for word in words)}
        own = {key: named[key] for key in ("only", "letter") if key in named}
        others = [word for word in words if word.partition("=")[0] not in own]
        return cls(view, words=shlex.join(others), **own)

    def __str__(self) -> str:
        own = {"only": self.only, "letter": self.letter}
        words = shlex.join([self.view, *(f"{key}={text}" for key, text in own.items() if text)])
        return f"{words} {self.words}".strip()


class _Kind(NamedTuple):
    """What a kind of part is called, and the fields of each class that can be changed for it."""

    title: str
    fields: Mapping[type[Declared], tuple[str, ...]]


_TEXT: Mapping[type[Declared], tuple[str, ...]] = {PartFields: ("text",)}
_KINDS = {
    "x": _Kind("Lower axis", {**_TEXT, Style: ("x_limits", "x_scale", "x_ticks")}),
    "y": _Kind("Left axis", {**_TEXT, Style: ("y_limits", "y_scale", "y_ticks")}),
    "bar": _Kind("Colour bar", {**_TEXT, Style: ("limits", "colours", "bar_ticks", "colour_bar")}),
    "curve": _Kind("Curve", _TEXT),
    "name": _Kind("Name", _TEXT),
    "panel": _Kind(
        "Panel",
        {
            PlatePanel: ("view", "only", "letter", "words"),
            Style: ("colour_bar", "upward", "cursor", "clocks"),
        },
    ),
}
_REACHED = {name for kind in _KINDS.values() for name in kind.fields.get(Style, ())}
_REACHED |= {"texts", "panels"}

OWN_STYLE = {name: each.default for name, each in declared(Style).items() if name in _REACHED}
"""The values of fields with which no part differs from the figure's own."""

FORM_FIELDS = tuple(name for name in declared(Style) if name not in _REACHED)
"""The fields of a style that belong to no single part of a figure."""

_ARRANGEMENTS = ("Copy", "Remove", "Earlier", "Later")


def title_of(part: PagePart) -> str:
    """Return what a part is called above its popup."""
    of = " " if part.kind == "panel" else " of "
    return of.join(filter(None, (_KINDS[part.kind].title, part.panel)))


def idle_fields(part: PagePart, what: str, state: Exploration, style: Style, only: str) -> set[str]:
    """Return the fields of a style that change nothing of the panel of a part."""
    try:
        wanted = wanted_of(what, state, style, only)[part.figure]
    except (ParameterError, IndexError):  # of an older figure, while another is refused
        return set()
    view, state, only, *_ = wanted
    of_panel, of_all = (without_effect(view, state, it) for it in (part.panel or only, only))
    is_beside_curves = "x_limits" in of_panel and "x_limits" not in of_all
    return {*of_panel, *(("x_ticks", "y_ticks") if is_beside_curves else ())}


def changed(style: Style, part: PagePart, name: str, value: Any) -> Style:
    """Return a style with another value of a field that the popup of a part has."""
    if name in declared(Style):
        return replace(style, **{name: value})
    if name in declared(PlatePanel):
        panel = replace(PlatePanel.parse(style.panels[part.figure]), **{name: value})
        if name == "view":  # which has other parts and options
            panel = replace(panel, only="", words="")
        panels = list(style.panels)
        panels[part.figure] = str(panel)
        return replace(style, panels=tuple(panels))
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
        self._part = part
        self.forms: list[FormFields] = []
        inside = column_in(self, bold_label(title_of(part)), margins=(10, 8, 6, 8))
        for cls, offered in _KINDS[part.kind].fields.items():
            names = tuple(name for name in offered if name not in idle)
            if names and (cls is not PlatePanel or part.figure < len(style.panels)):
                form = FormFields(cls, names, self, label_width=_LABEL_WIDTH, live=True)
                form.edited.connect(self.edited)
                form.refused.connect(self.checked)
                form.settled.connect(self.checked)
                self.forms.append(form)
                inside.addWidget(form)
                if cls is PlatePanel:
                    inside.addLayout(self._buttons())
                elif cls is PartFields:
                    form.display({"text": part.source.text})
        self.display(style)
        self.setFixedWidth(_WIDTH)

    def display(self, style: Style) -> None:
        """Show the values of a style, but for the text, which may be being typed."""
        self._panels = list(style.panels)
        for form in self.forms:
            if form.edits is PlatePanel:
                form.display(vars(PlatePanel.parse(style.panels[self._part.figure])))
            elif form.edits is Style:
                form.display(vars(style))

    def _buttons(self) -> QHBoxLayout:
        row, group = QHBoxLayout(), QButtonGroup(self)
        for number, text in enumerate(_ARRANGEMENTS):
            button = QPushButton(text)
            button.setAutoDefault(False)
            group.addButton(button, number)
            row.addWidget(button)
        group.idClicked.connect(self._arrange)
        return row

    @Slot(int)
    def _arrange(self, number: int) -> None:
        """Copy or move the panel of the plate, or remove it."""
        panels, at = self._panels, self._part.figure
        own = panels.pop(at)
        panels[at:at] = [[own, own], [], [], []][number]
        if number > 1:
            panels.insert(max(0, at - 1 if number == 2 else at + 1), own)
        self.close()
        self.edited.emit("panels", tuple(panels))

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
