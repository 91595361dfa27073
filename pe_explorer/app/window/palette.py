"""The command palette, which searches views, settings, actions and files."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from pe_explorer import encodings, pictures
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.app.window import search
from pe_explorer.app.window.actions import MENUS, WindowAction
from pe_explorer.app.window.bars import Menus
from pe_explorer.app.window.centre import Centre
from pe_explorer.app.window.walks import ExhibitWalk, LessonWalk
from pe_explorer.encodings import Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.guide import explain
from pe_explorer.gallery.lessons import lessons
from pe_explorer.gallery.models import NOTE, models
from pe_explorer.gallery.tries import Try
from pe_explorer.model import Model
from pe_explorer.panels.encoding import EncodingPanel
from pe_explorer.params import Choice, Flag, Parameter, declared, find_used_parameters, sections
from pe_explorer.widgets.labels import ElidedLabel, format_paragraph
from pe_explorer.widgets.layouts import lay_out_column

_RANGE_FIELDS = sections(Exploration)["positions"]

_SHARED_OPTIONS = {"metric": "distances", "show": "heatmap"}
"""Options that several views share, each with the view to show if no visible view has it."""
_NO_PIN_REASON = "no encoding is pinned; pin one first (Ctrl+P)"


@dataclass(frozen=True, eq=False)
class Entry:
    """An entry of the palette."""

    name: str
    kind: str  # the kind of entry, such as ``View``
    run: Callable[[], object]
    help: str = ""  # a sentence for a tooltip
    keys: str = ""  # the shortcut in the notation of the system
    unavailable_reason: str = ""  # reason why the entry is unavailable; empty if available
    words: search.SearchWords | None = None
    """The search words; None to use the words of `name`, `kind` and `help`."""

    @cached_property
    def search_words(self) -> search.SearchWords:
        return self.words or search.make_search_words(self.name, (), (self.kind, self.help))


class PaletteWindow(Protocol):
    """The parts of a window that the palette uses."""

    actions_by_key: dict[str, WindowAction]
    centre: Centre
    exhibit_walk: ExhibitWalk
    files: FileActions
    lesson_walk: LessonWalk
    menus: Menus
    model: Model
    panel: EncodingPanel
    settings: SettingsFile


def list_entries(window: PaletteWindow) -> list[Entry]:
    """Return all palette entries for the current state of a window."""
    sources = (_list_items, _list_parameters, _list_options, _list_tries, _list_menu_actions)
    return [entry for source in sources for entry in source(window)]


def find_entries(entries: Iterable[Entry], text: str) -> list[Entry]:
    """Return the entries that match a query, best match first."""
    query = search.Search(text)
    entries_by_rank: dict[int, list[Entry]] = {}
    for entry in entries:
        rank = query.rank(entry.search_words)
        if rank is not None:
            entries_by_rank.setdefault(rank, []).append(entry)
    return list(chain.from_iterable(entries_by_rank[rank] for rank in sorted(entries_by_rank)))


def _list_items(window: PaletteWindow) -> Iterator[Entry]:
    for name in pictures.names():
        picture, run = pictures.find(name), partial(window.centre.show_view, name)
        yield Entry(picture.title, "View", run, picture.help)
    for exhibit in exhibits().values():
        run = partial(window.exhibit_walk.open, exhibit.id)
        words = search.make_exhibit_words(exhibit)
        yield Entry(exhibit.title, "Exhibit", run, exhibit.note, words=words)
    for lesson in lessons().values():
        run, words = partial(window.lesson_walk.begin, lesson.id), search.make_lesson_words(lesson)
        yield Entry(lesson.title, "Lesson", run, lesson.about, words=words)
    for known_model in models().values():
        run = partial(window.model.apply, known_model.exploration, known_model.step)
        words = search.make_search_words(known_model.title, (known_model.name,), ("model", NOTE))
        yield Entry(known_model.title, "Model", run, NOTE, words=words)
    for name in encodings.names():
        scheme, run = encodings.find(name), partial(window.model.choose_encoding, name)
        yield Entry(scheme.title(), "Encoding", run, f"Use {scheme.title()}: {scheme.summary()}.")


def _list_menu_actions(window: PaletteWindow) -> Iterator[Entry]:
    for title, menu in MENUS.items():
        kind = f"{title.replace('&', '')} menu"
        for action in menu:
            menu_action = window.actions_by_key[action.key]
            name = re.sub("&(.)", r"\1", menu_action.text()).removesuffix("…")
            keys = menu_action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            reason = "" if menu_action.isEnabled() else action.unavailable_reason
            yield Entry(name, kind, menu_action.trigger, action.help, keys, reason)
    for theme in window.menus.themes.actions():
        yield Entry(theme.text(), "Theme", theme.trigger, theme.statusTip())
    window.settings.refresh()  # other windows may have added files
    for path in map(Path, window.settings.settings.recent):
        name = f"{path.name} in {path.parent.name}" if path.parent.name else path.name
        run = partial(window.files.open_file, str(path))
        yield Entry(name, "Recent file", run, f"Open {path}.")


def _list_parameters(window: PaletteWindow) -> Iterator[Entry]:
    encoding, explored_fields = window.model.state.intention.encoding, declared(Exploration)
    parameters, reasons = {}, {}
    if not isinstance(encoding, Unknown):
        parameters, reasons = find_used_parameters(encoding), encoding.ineffective_parameters
    for name, parameter in {**parameters, **{n: explored_fields[n] for n in _RANGE_FIELDS}}.items():
        title = f"{parameter.label} {parameter.symbol}".rstrip()
        run, reason = partial(window.panel.go_to, name), reasons.get(name, "")
        yield Entry(title, "Parameter", run, parameter.help, unavailable_reason=reason)


def _list_options(window: PaletteWindow) -> Iterator[Entry]:
    for name in pictures.names():
        picture = pictures.find(name)
        for option, parameter in declared(picture.Options).items():
            if option == "show":  # `_list_shared_options` lists this option
                continue
            for value, text, help_text in _list_values(parameter):
                run = partial(_set_option, window, name, option, value)
                title = f"{picture.title}: {parameter.label} {text}"
                reason = picture(window.model.state).unavailable_reason(option, value)
                yield Entry(title, "Option", run, help_text, unavailable_reason=reason)
    yield from _list_shared_options(window)


def _list_values(parameter: Parameter) -> Iterator[tuple[Any, str, str]]:
    """Yield the values of a parameter, each with its text and help."""
    if isinstance(parameter, Choice):
        for value, meaning in parameter.choices.items():
            text = parameter.texts.get(value, value)
            yield value, text, f"{parameter.help.partition('. ')[0].rstrip('.')} – {meaning}."
    elif isinstance(parameter, Flag):
        yield True, "on", parameter.help
        yield False, "off", f"Do not {parameter.help[0].lower()}{parameter.help[1:]}"


def _set_option(window: PaletteWindow, view: str, option: str, value: object) -> None:
    window.centre.show_view(view)
    window.model.set_options(view, **{option: value})


def _list_shared_options(window: PaletteWindow) -> Iterator[Entry]:
    for field, view in _SHARED_OPTIONS.items():
        parameter = declared(Exploration)[field]
        reason = _NO_PIN_REASON if field == "show" and not window.model.state.pins else ""
        for value, text, help_text in _list_values(parameter):
            run, name = partial(_set_field, window, field, value, view), f"{parameter.label} {text}"
            yield Entry(name, "Option", run, help_text, unavailable_reason=reason)


def _set_field(window: PaletteWindow, field: str, value: object, view: str) -> None:
    """Set a field; show the view first if no visible view depends on the field."""
    panes = window.model.state.panes
    shown_views = panes.views if panes else ()
    if not any(field in pictures.find(name).shown_fields for name in shown_views):
        window.centre.show_view(view)
    window.model.set(**{field: value})


def _list_tries(window: PaletteWindow) -> Iterator[Entry]:
    state, walk = window.model.state, window.exhibit_walk
    exhibit, texts, suggestions = walk.exhibit, walk.texts, []
    if exhibit and texts:
        for suggestion, outcome in zip(exhibit.tries, texts.outcomes, strict=True):
            suggestions.append((exhibit.title, suggestion._replace(outcome=outcome)))
    for view in state.panes.views if state.panes else ():
        title = pictures.find(view).title
        suggestions += [(title, suggestion) for suggestion in explain(view, state).tries]
    for title, suggestion in suggestions:
        run, reason = partial(_apply_try, window.model, suggestion), suggestion.unavailable_reason
        name = f"Try in {title}: {suggestion.label}"
        yield Entry(name, "Try", run, suggestion.outcome, unavailable_reason=reason)


def _apply_try(model: Model, suggestion: Try) -> None:
    model.emit_changes()  # so that pending changes become a separate undo step
    model.try_change(suggestion.apply)


_MAX_SIZE = QSize(620, 420)  # maximum size in pixels; always fits the main window
_MIN_ROW_SIZE = QSize(0, 22)  # minimum size of a row in pixels
_PROMPT = "Search views, options, exhibits, lessons, actions, encodings and files"
_NO_RESULTS_ENTRY = Entry("No results. Try fewer words.", "", list)
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class PaletteDialog(QDialog):
    """A search field with a list of the matching entries below it."""

    def __init__(self, window: QWidget, entries: Sequence[Entry]) -> None:
        super().__init__(window, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Find anything")
        self._window, self._entries = window, entries
        self.line = QLineEdit(placeholderText=_PROMPT, clearButtonEnabled=True)
        self.line.setAccessibleName("Search")
        self.line.setToolTip(
            "<p>Type words, or beginnings of words, from names or descriptions, in any order.</p>"
        )
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self._fill_list)
        self.line.returnPressed.connect(self._choose)
        self.list = QTreeWidget(columnCount=3)
        self.list.setAccessibleName("Results")
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setIndentation(0)
        self.list.setUniformRowHeights(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the search field forwards the arrow keys
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._items = {entry: self._make_item(entry) for entry in (*entries, _NO_RESULTS_ENTRY)}
        self.list.addTopLevelItems([*self._items.values()])
        for item in self._items.values():
            for section in (1, 2):  # otherwise, the header measures all texts again for each key
                hint = self.list.sizeHintForIndex(self.list.indexFromItem(item, section))
                item.setSizeHint(section, hint)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.currentItemChanged.connect(self._show_help)
        self.help = ElidedLabel()  # help text of the current entry
        self.list.itemClicked.connect(self._choose)
        self._row_entries: list[Entry] = []  # the entry of each row
        frame = QFrame(frameShape=QFrame.Shape.Box)
        frame.setForegroundRole(QPalette.ColorRole.Mid)
        column = QVBoxLayout(frame)
        column.addWidget(self.line)
        column.addWidget(self.list)
        column.addWidget(self.help)
        lay_out_column(self, frame)
        self.resize(_MAX_SIZE)
        corner = QPoint((window.width() - self.width()) // 2, 40)
        self.move(window.mapToGlobal(corner))
        self._fill_list("")
        self.line.setFocus()

    def done(self, result: int) -> None:
        super().done(result)
        self._window.activateWindow()

    def _make_item(self, entry: Entry) -> QTreeWidgetItem:
        reason = entry.unavailable_reason
        name = f"{entry.name} — {reason}" if reason else entry.name
        item = QTreeWidgetItem([name, f"{entry.kind}  ", f"{entry.keys} "])
        tooltip = format_paragraph(entry.help)
        for column in range(item.columnCount()):
            item.setToolTip(column, tooltip)
        item.setSizeHint(0, _MIN_ROW_SIZE)
        item.setData(2, Qt.ItemDataRole.AccessibleTextRole, entry.keys or "no shortcut")
        item.setDisabled(bool(reason) or entry is _NO_RESULTS_ENTRY)
        return item

    @Slot(str)
    def _fill_list(self, text: str) -> None:
        entries = self._row_entries = find_entries(self._entries, text)
        items = [self._items[entry] for entry in entries] or [self._items[_NO_RESULTS_ENTRY]]
        self.list.setCurrentIndex(QModelIndex())  # otherwise removing a row selects the next row
        self.list.invisibleRootItem().takeChildren()  # unlike `clear`, does not delete the items
        self.list.addTopLevelItems(items)
        if not items[0].isDisabled():
            self.list.setCurrentItem(items[0])
        self.list.scrollToTop()
        other_height = self.sizeHint().height() - self.list.sizeHint().height()
        height = other_height + (len(entries) + 1) * _MIN_ROW_SIZE.height()
        self.resize(self.width(), min(height, _MAX_SIZE.height()))

    @Slot()
    def _show_help(self) -> None:
        row = self.list.currentIndex().row()
        self.help.setText(self._row_entries[row].help if row >= 0 else "")

    @Slot()
    @Slot(QTreeWidgetItem)
    def _choose(self, item: QTreeWidgetItem | None = None) -> None:
        row = self.list.indexOfTopLevelItem(item or self.list.currentItem())
        if 0 <= row < len(self._row_entries) and not self._row_entries[row].unavailable_reason:
            self.accept()
            self._row_entries[row].run()  # after the window has regained the focus

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_press = event.type() == QEvent.Type.KeyPress
        if is_press and isinstance(event, QKeyEvent) and event.key() in _LIST_KEYS:
            QApplication.sendEvent(self.list, event)
            return True
        return super().eventFilter(watched, event)
