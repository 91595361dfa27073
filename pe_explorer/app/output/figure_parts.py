"""What a click on a part of a figure lets one change: one table, and the popup that offers it."""

import shlex
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, make_dataclass
from functools import cache
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QMenu, QPushButton, QWidget

from pe_explorer import pictures
from pe_explorer.exploration import Exploration
from pe_explorer.figures.page import PagePart
from pe_explorer.figures.plates import wanted_of
from pe_explorer.figures.style import LEFT_OUT, CurveStyle, Style
from pe_explorer.flags import without_effect
from pe_explorer.params import Choice, Declared, Flag, ParameterError, Text, declare, declared
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.labels import bold_label
from pe_explorer.widgets.layouts import column_in

_WIDTH, _LABEL_WIDTH, _BOX_LABEL_WIDTH, _BELOW = 320, 92, 230, 24  # pixels
_SHOWN = "Whether it is in the figure."
_VIEWS = {name: pictures.find(name).help for name in pictures.names()}
_WORDS = "What differs from the window, such as base=500 or show=pinned start=1000."


@dataclass(frozen=True)
class PartFields(Declared):
    """What the lists of a style say of one part: of what stands there, or of a plate's panel."""

    text: str = declare(Text("", 200, 0, label="Text", help="Empty for the figure's own text."))
    shown: bool = declare(Flag(True, label="Show text", help=_SHOWN))
    drawn: bool = declare(Flag(True, label="Show curve", help=_SHOWN))
    view: str = declare(Choice("heatmap", _VIEWS, label="View", help="What is drawn."))
    only: str = declare(Text("", 60, 0, label="Part", help="The only part; empty for all of it."))
    letter: str = declare(Text("", 60, 0, label="Letter", help="Empty for a, b and so on."))
    words: str = declare(Text("", 900, 0, label="Options", help=_WORDS))


_KINDS = {
    "x": ("Lower axis", "text shown x_limits x_scale x_ticks"),
    "y": ("Left axis", "text shown y_limits y_scale y_ticks"),
    "bar": ("Colour bar", "text shown limits colours bar_ticks colour_bar"),
    "curve": ("Curve", "text drawn colour dash width"),
    "name": ("Name", "text shown"),
    "table": ("Table", ""),
    "panel": ("Panel", "view only letter words colour_bar upward cursor clocks"),
}
"""What kinds of parts are called, and the fields of `PartFields`, curves and styles for them."""
_OF_PLATE = ("view", "only", "letter", "words")
_ARRANGEMENTS = ("Copy", "Remove", "Earlier", "Later")

_Names = Collection[str]
_Pairs = tuple[tuple[str, str], ...]
_Panels = tuple[str, ...]
_fields = " ".join(fields for _, fields in _KINDS.values()).split()
OWN_STYLE = {
    name: kind.default
    for name, kind in declared(Style).items()
    if name in (*_fields, "texts", "curves", "hide", "panels")
}
"""The fields of a style that belong to parts, with the values for the figure's own."""


def title_of(part: PagePart) -> str:
    """Return what a part is called above its popup."""
    of = " " if part.kind == "panel" else " of "
    return of.join(filter(None, (_KINDS[part.kind][0], part.panel)))


def idle_fields(part: PagePart, what: str, state: Exploration, style: Style, only: str) -> _Names:
    """Return the fields of a style that change nothing of the panel of a part."""
    with suppress(ParameterError, IndexError):  # it is of an older figure, as another is refused
        view, state, only, *_ = wanted_of(what, state, style, only)[part.figure]
        idle = without_effect(view, state, part.panel or only)
        if "x_limits" in idle and "x_limits" not in without_effect(view, state, only):
            return {*idle, "x_ticks", "y_ticks"}  # which are those of curves beside it
        return idle
    return ()


@cache
def _boxes(words: tuple[str, ...]) -> type[Declared]:
    """Return a class with a box for each of some words."""
    labels = (word.capitalize() if word in LEFT_OUT else word for word in words)
    boxes = [declare(Flag(True, label=label, help=_SHOWN)) for label in labels]
    fields = [(f"box{number}", bool, box) for number, box in enumerate(boxes)]
    return make_dataclass("Boxes", fields, bases=(Declared,), frozen=True)


def _read_panel(text: str) -> dict[str, str]:
    """Return the fields of one of the panels of a plate."""
    try:
        view, *words = shlex.split(text)
    except ValueError:  # for want of a quotation mark, as will be said
        view, *words = text.split()
    named = dict(word.split("=", 1) for word in words if word.startswith(("only=", "letter=")))
    others = [word for word in words if word.split("=")[0] not in named]
    return {"view": view, "only": "", "letter": "", **named, "words": shlex.join(others)}


def _written_panel(panel: dict[str, str]) -> str:
    own = [f"{key}={panel[key]}" for key in ("only", "letter") if panel[key]]
    return f"{shlex.join([panel['view'], *own])} {panel['words']}".strip()


class PartPopup(QFrame):
    """A small form about one part of a figure; a click elsewhere, Enter or Esc closes it."""

    edited = Signal(str, object)  # a field of the style, and its value
    checked = Signal()  # whether all that is typed is legal may have changed
    closed = Signal()

    def __init__(
        self, part: PagePart, style: Style, panels: _Panels, idle: _Names, on: QWidget
    ) -> None:
        """Offer the fields of a part that are not `idle`; `panels` are those of its plate."""
        super().__init__(on, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.Box)  # which is seen on every ground
        self.setAccessibleName(title_of(part))
        self._part = part
        replaced = (old for old, new in style.texts if new == part.source.key)
        self._key = next(replaced, part.source.key)
        can_hide = part.kind in ("panel", "table")
        self._words = tuple(dict.fromkeys((*part.words, *style.hide))) if can_hide else ()
        self._is_of_plate = part.kind == "panel" and part.figure < len(panels)
        idle = {*idle, *(() if self._is_of_plate else _OF_PLATE)}
        boxes, inside = _boxes(self._words), column_in(self, margins=(10, 8, 6, 8))
        names = [it for it in (*_KINDS[part.kind][1].split(), *declared(boxes)) if it not in idle]
        inside.addWidget(bold_label(title_of(part)))
        self.forms: list[FormFields] = []
        for cls in (PartFields, boxes, CurveStyle, Style):
            if own := [name for name in names if name in declared(cls)]:
                width = _BOX_LABEL_WIDTH if cls is boxes else _LABEL_WIDTH
                form = FormFields(cls, own, self, label_width=width, live=True)
                for signal in (form.refused, form.settled):
                    signal.connect(self.checked)
                form.edited.connect(self._edit)
                self.forms.append(form)
                inside.addWidget(form)
        if self._is_of_plate:
            inside.insertLayout(2, self._buttons())
        self.display(style, panels)
        if "text" in names:
            self.forms[0].display({"text": part.source.text})
        self.setFixedWidth(_WIDTH)

    def display(self, style: Style, panels: _Panels) -> None:
        """Show the values of a style, but for the text, which may be being typed."""
        self._style, self._panels, self._is_taken = style, panels, True
        values: dict[str, Any] = {
            f"box{n}": word not in style.hide for n, word in enumerate(self._words)
        }
        values |= dict.fromkeys(("shown", "drawn"), self._key not in style.hide)
        values |= {**vars(style), **vars(self._curve), **self._panel}
        for form in self.forms:
            form.display(values)

    @property
    def _curve(self) -> CurveStyle:
        return CurveStyle.read("curves", dict(self._style.curves).get(self._key, ""))

    @property
    def _panel(self) -> dict[str, str]:
        return _read_panel(self._panels[self._part.figure]) if self._is_of_plate else {}

    @Slot(str, object)
    def _edit(self, name: str, value: Any) -> None:
        """Announce which field of the style an edit in this form changes."""
        if name in declared(CurveStyle):
            kinds, values = declared(CurveStyle), {**vars(self._curve), name: value}
            words = [f"{key}={kinds[key].format(each)}" for key, each in values.items() if each]
            name, value = "curves", self._with_own(self._style.curves, " ".join(words))
        elif name == "text":
            name, value = "texts", self._with_own(self._style.texts, value)
        elif name in _OF_PLATE:
            panel = {**self._panel, **({"only": "", "words": ""} if name == "view" else {})}
            panels, panel[name] = list(self._panels), value
            panels[self._part.figure] = _written_panel(panel)
            name, value = "panels", tuple(panels)
        elif name not in declared(Style):
            word = self._words[int(name[3:])] if name.startswith("box") else self._key
            others = [each for each in self._style.hide if each != word]
            name, value = "hide", (*others, *(() if value else (word,)))
        self._is_taken = False  # until the style is shown that has it
        self.edited.emit(name, value)

    def _with_own(self, pairs: _Pairs, value: str) -> _Pairs:
        """Return pairs with the one of this part; without, also what stood there for several."""
        others = [pair for pair in pairs if pair[0] != self._key]
        if value:
            return (*others, (self._key, value))
        return tuple(pair for pair in others if pair[1] != self._part.source.text)

    def _buttons(self) -> QHBoxLayout:
        row, group = QHBoxLayout(), QButtonGroup(self)
        for number, text in enumerate(_ARRANGEMENTS):
            button = QPushButton(text)
            group.addButton(button, number)
            row.addWidget(button)
        group.idClicked.connect(self._arrange)
        return row

    @Slot(int)
    def _arrange(self, number: int) -> None:
        """Copy or move the panel of the plate, or remove it."""
        how, panels, at = _ARRANGEMENTS[number], list(self._panels), self._part.figure
        own = panels[at] if how == "Copy" else panels.pop(at)
        if how != "Remove":
            panels.insert(max(0, at - 1) if how == "Earlier" else at + 1, own)
        self.close()
        self.edited.emit("panels", tuple(panels))

    def open_on(self, widget: QWidget, place: QPoint) -> None:
        """Open below a place of a widget or above it, as far as possible within the widget."""
        self.adjustSize()
        left = min(place.x() - _BELOW, widget.width() - self.width())
        top = place.y() + _BELOW
        if top + self.height() > widget.height():
            top = place.y() - _BELOW - self.height()
        self.move(widget.mapToGlobal(QPoint(max(0, left), max(0, top))))
        self.show()
        if self.forms:
            self.forms[0].go_to(self.forms[0].names[0])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif self._is_taken and not any(form.bad for form in self.forms):
            self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


class PartsButton(QPushButton):
    """Opens a menu of all parts of a figure, for the keyboard and screen readers."""

    chosen = Signal(object)  # a `PagePart`, or None to reset all of them

    def __init__(self, parts: Callable[[], Collection[PagePart]]) -> None:
        super().__init__("C&hange…")
        self._parts = parts
        self.setToolTip("A click on a part of the figure in the preview does the same.")
        self.setAutoDefault(False)
        self.setMenu(QMenu(self))
        self.menu().aboutToShow.connect(self._list_parts)
        self.menu().triggered.connect(self._choose)

    @Slot()
    def _list_parts(self) -> None:
        """List the parts of the figure, each once, with the numbers of the panels of a plate."""
        self.menu().clear()
        parts, titles = self._parts(), dict[str, PagePart]()
        is_plate = any(part.figure for part in parts)
        for part in parts:
            is_of_one = is_plate and part.kind not in ("curve", "name")
            number = f"{part.figure + 1}: " if is_of_one else ""
            titles[number + ": ".join(filter(None, (title_of(part), part.source.text)))] = part
        for title, part in titles.items():
            self.menu().addAction(title.replace("&", "&&")).setData(part)
        self.menu().addSeparator()
        self.menu().addAction("Reset all parts")

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        self.chosen.emit(action.data())
