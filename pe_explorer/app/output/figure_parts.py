"""The settings of one part of a figure, and the popup form for editing them."""

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
from pe_explorer.figures.plates import make_picture_requests
from pe_explorer.figures.style import HIDEABLE_PARTS, CurveStyle, Style
from pe_explorer.flags import find_ineffective_fields
from pe_explorer.params import Choice, Declared, Flag, ParameterError, Text, declare, declared
from pe_explorer.widgets.editors import LineEditor
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.labels import make_bold_label
from pe_explorer.widgets.layouts import lay_out_column

_POPUP_WIDTH, _LABEL_WIDTH, _BOX_LABEL_WIDTH, _POPUP_OFFSET = 320, 92, 230, 24  # pixels
_SHOW_HELP = "Show this part in the figure."
_VIEW_HELP = {name: pictures.find(name).help for name in pictures.names()}
_OPTIONS_HELP = "Settings for this panel only, such as base=500 or show=pinned start=1000."


@dataclass(frozen=True)
class PartFields(Declared):
    """Form fields for the text and visibility of a part, or for a panel of a plate."""

    text: str = declare(Text("", 200, 0, label="Text", help="Leave empty to use the default text."))
    show_text: bool = declare(Flag(True, label="Show text", help=_SHOW_HELP))
    show_curve: bool = declare(Flag(True, label="Show curve", help=_SHOW_HELP))
    view: str = declare(Choice("heatmap", _VIEW_HELP, label="View", help="The view to draw."))
    only: str = declare(Text("", 60, 0, label="Part", help="Leave empty to draw all parts."))
    letter: str = declare(Text("", 60, 0, label="Letter", help="Leave empty for a, b and so on."))
    words: str = declare(Text("", 900, 0, label="Options", help=_OPTIONS_HELP))


_PART_KINDS = {
    "x": ("Lower axis", "text show_text x_limits x_scale x_ticks"),
    "y": ("Left axis", "text show_text y_limits y_scale y_ticks"),
    "bar": ("Colour bar", "text show_text limits colours bar_ticks colour_bar"),
    "curve": ("Curve", "text show_curve colour dash width"),
    "name": ("Name", "text show_text"),
    "table": ("Table", ""),
    "panel": ("Panel", "view only letter words colour_bar upward cursor clocks"),
}
"""The title of each kind of part, and its fields in `PartFields`, `CurveStyle` and `Style`."""
_PLACEHOLDERS = {"colour": "#d62728 or teal", "dash": "dashed, dotted or 4,2"}
_PLATE_FIELDS = ("view", "only", "letter", "words")
_PANEL_ACTIONS = ("Copy", "Remove", "Earlier", "Later")

_TextPairs = tuple[tuple[str, str], ...]
_FIELDS = " ".join(
    ["texts curves hide panels", *(names for _, names in _PART_KINDS.values())]
).split()
PART_STYLE = {name: kind.default for name, kind in declared(Style).items() if name in _FIELDS}
"""The default values of the style fields that belong to parts."""


def make_title(part: PagePart) -> str:
    """Return the title of a part's popup."""
    separator = " " if part.kind == "panel" else " of "
    return separator.join(filter(None, (_PART_KINDS[part.kind][0], part.panel)))


def unused_fields(
    part: PagePart, view: str, state: Exploration, style: Style, only: str
) -> Collection[str]:
    """Return the style fields that do not affect the panel of a part."""
    with suppress(ParameterError, IndexError):  # the part may belong to an earlier valid figure
        view, state, only, *_ = make_picture_requests(view, state, style, only)[part.figure]
        names = find_ineffective_fields(view, state, part.panel or only)
        if "x_limits" in names and "x_limits" not in find_ineffective_fields(view, state, only):
            # The ticks belong to the curves beside the panel.
            return {*names, "x_ticks", "y_ticks"}
        return names
    return ()


@cache
def _declare_boxes(words: tuple[str, ...]) -> type[Declared]:
    """Return a form class with a check box for each part that can be hidden."""
    labels = (word.capitalize() if word in HIDEABLE_PARTS else word for word in words)
    boxes = [declare(Flag(True, label=label, help=_SHOW_HELP)) for label in labels]
    fields = [(f"box{number}", bool, box) for number, box in enumerate(boxes)]
    return make_dataclass("Boxes", fields, bases=(Declared,), frozen=True)


class PartPopup(QFrame):
    """A popup form for one part of a figure; an outside click, Enter or Esc closes it."""

    edited = Signal(str, object)  # name of a style field, and its new value
    validity_changed = Signal()  # typed text may have become valid or invalid
    closed = Signal()

    def __init__(
        self,
        part: PagePart,
        style: Style,
        panels: tuple[str, ...],
        unused_names: Collection[str],
        parent: QWidget,
    ) -> None:
        """Offer the fields of a part except `unused_names`; `panels` are those of the plate."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.Box)  # visible on every background
        self.setAccessibleName(make_title(part))
        self._part = part
        old_texts = (old for old, new in style.texts if new == part.source.key)
        self._key = next(old_texts, part.source.key)
        can_hide = part.kind in ("panel", "table")
        self._words = tuple(dict.fromkeys((*part.words, *style.hide))) if can_hide else ()
        self._is_plate_panel = part.kind == "panel" and part.figure < len(panels)
        unused_names = {*unused_names, *(() if self._is_plate_panel else _PLATE_FIELDS)}
        boxes, column = _declare_boxes(self._words), lay_out_column(self, margins=(10, 8, 6, 8))
        fields = [*_PART_KINDS[part.kind][1].split(), *declared(boxes)]
        fields = [name for name in fields if name not in unused_names]
        column.addWidget(make_bold_label(make_title(part)))
        self.forms: list[FormFields] = []
        for cls in (PartFields, boxes, CurveStyle, Style):
            if names := [name for name in fields if name in declared(cls)]:
                width = _BOX_LABEL_WIDTH if cls is boxes else _LABEL_WIDTH
                form = FormFields(cls, names, self, label_width=width, is_live=True)
                form.refused.connect(self.validity_changed)
                form.settled.connect(self.validity_changed)
                form.edited.connect(self._edit)
                for name in _PLACEHOLDERS.keys() & set(names):
                    editor = form.editor(name)
                    assert isinstance(editor, LineEditor)
                    editor.field.setPlaceholderText(_PLACEHOLDERS[name])
                self.forms.append(form)
                column.addWidget(form)
        if self._is_plate_panel:
            row, group = QHBoxLayout(), QButtonGroup(self)
            for number, action in enumerate(_PANEL_ACTIONS):
                button = QPushButton(action)
                group.addButton(button, number)
                row.addWidget(button)
            group.idClicked.connect(self._change_panels)
            column.insertLayout(2, row)
        self.display(style, panels)
        if "text" in fields:
            self.forms[0].display({"text": part.source.text})
        self.setFixedWidth(_POPUP_WIDTH)

    def display(self, style: Style, panels: tuple[str, ...]) -> None:
        """Show the values of a style, except the text, which the user may be editing."""
        self._style, self._panels, self._is_applied = style, panels, True
        boxes = {f"box{n}": word not in style.hide for n, word in enumerate(self._words)}
        visibility = dict.fromkeys(("show_text", "show_curve"), self._key not in style.hide)
        for form in self.forms:
            form.display(
                {
                    **boxes,
                    **visibility,
                    **vars(style),
                    **vars(self._curve_style),
                    **self._panel_fields,
                }
            )

    @property
    def _curve_style(self) -> CurveStyle:
        return CurveStyle.read("curves", dict(self._style.curves).get(self._key, ""))

    @property
    def _panel_fields(self) -> dict[str, str]:
        """The fields for the panel of a plate, or {} if the part is not a plate's panel."""
        if not self._is_plate_panel:
            return {}
        text = self._panels[self._part.figure]
        try:
            view, *words = shlex.split(text)
        except ValueError:  # a quotation mark is missing; drawing the figure reports the error
            view, *words = text.split()
        fields = dict(word.split("=", 1) for word in words if word.startswith(("only=", "letter=")))
        options = shlex.join(word for word in words if word.split("=")[0] not in fields)
        return {"view": view, "only": "", "letter": "", **fields, "words": options}

    @Slot(str, object)
    def _edit(self, name: str, value: Any) -> None:
        if name in declared(CurveStyle):
            kinds, values = declared(CurveStyle), {**vars(self._curve_style), name: value}
            words = [f"{key}={kinds[key].format(value)}" for key, value in values.items() if value]
            name, value = "curves", self._replace_entry(self._style.curves, " ".join(words))
        elif name == "text":
            name, value = "texts", self._replace_entry(self._style.texts, value)
        elif name in _PLATE_FIELDS:
            panel = self._panel_fields | ({"only": "", "words": ""} if name == "view" else {})
            panel[name], panels = value, list(self._panels)
            fields = [f"{key}={panel[key]}" for key in ("only", "letter") if panel[key]]
            text = f"{shlex.join([panel['view'], *fields])} {panel['words']}"
            panels[self._part.figure] = text.strip()
            name, value = "panels", tuple(panels)
        elif name not in declared(Style):
            word = self._words[int(name[3:])] if name.startswith("box") else self._key
            hidden_words = (hidden_word for hidden_word in self._style.hide if hidden_word != word)
            name, value = "hide", (*hidden_words, *(() if value else (word,)))
        self._is_applied = False  # until `display` shows the new style
        self.edited.emit(name, value)

    def _replace_entry(self, pairs: _TextPairs, value: str) -> _TextPairs:
        """Return pairs with a new value for this part, or without this part for an empty value."""
        other_pairs = tuple(pair for pair in pairs if pair[0] != self._key)
        if value:
            return (*other_pairs, (self._key, value))
        return tuple(pair for pair in other_pairs if pair[1] != self._part.source.text)

    @Slot(int)
    def _change_panels(self, number: int) -> None:
        action, panels, index = _PANEL_ACTIONS[number], list(self._panels), self._part.figure
        panel = panels[index] if action == "Copy" else panels.pop(index)
        if action != "Remove":
            panels.insert(max(0, index - 1) if action == "Earlier" else index + 1, panel)
        self.close()
        self.edited.emit("panels", tuple(panels))

    def open_at(self, widget: QWidget, place: QPoint) -> None:
        """Open above or below a point in a widget, inside the widget if possible."""
        self.adjustSize()
        left = min(place.x() - _POPUP_OFFSET, widget.width() - self.width())
        top = place.y() + _POPUP_OFFSET
        if top + self.height() > widget.height():
            top = place.y() - _POPUP_OFFSET - self.height()
        self.move(widget.mapToGlobal(QPoint(max(0, left), max(0, top))))
        self.show()
        if self.forms:
            self.forms[0].go_to(self.forms[0].names[0])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif self._is_applied and not any(form.invalid_fields for form in self.forms):
            self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


class PartsButton(QPushButton):
    """A button with a menu of all parts of a figure, for keyboard and screen-reader users."""

    chosen = Signal(object)  # a `PagePart`, or None to reset all parts

    def __init__(self, parts: Callable[[], Collection[PagePart]]) -> None:
        super().__init__("C&hange part…", autoDefault=False)
        self._parts = parts
        self.setToolTip("Choose a part of the figure to change, or click it in the preview.")
        self.setMenu(QMenu(self))
        self.menu().aboutToShow.connect(self._fill_menu)
        self.menu().triggered.connect(self._choose)

    @Slot()
    def _fill_menu(self) -> None:
        self.menu().clear()
        parts, titles = self._parts(), dict[str, PagePart]()
        is_plate = any(part.figure for part in parts)
        for part in parts:
            has_number = is_plate and part.kind not in ("curve", "name")
            number = str(part.figure + 1) if has_number else ""
            titles[": ".join(filter(None, (number, make_title(part), part.source.text)))] = part
        for title, part in titles.items():
            self.menu().addAction(title.replace("&", "&&")).setData(part)
        self.menu().addSeparator()
        self.menu().addAction("Reset all parts")

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        self.chosen.emit(action.data())
