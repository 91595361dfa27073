"""The table of actions: menus, toolbar, shortcuts and the list of shortcuts come from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar

__all__ = ["ACTIONS", "MENUS", "Action", "fill_menus", "fill_toolbar", "make_actions"]

MENUS = ("&File", "&Edit", "&Positions", "&Play", "&View", "&Help")


@dataclass(frozen=True)
class Action:
    """One thing that can be done.

    `key` is also the name of the method that does it, unless `method` is: of the window, or
    of what `owner` names in it, such as ``model.playhead``.
    """

    key: str
    menu: str
    text: str
    help: str
    shortcuts: tuple[str, ...] = ()
    toolbar: bool = False
    separator: bool = False
    """Whether a line goes before it."""
    owner: str = ""
    method: str = ""

    def slot_in(self, window: QMainWindow) -> Callable[[], None]:
        """Return the method that does it."""
        slot: Callable[[], None] = attrgetter(
            ".".join(filter(None, (self.owner, self.method or self.key)))
        )(window)
        return slot


_FILES, _OUTPUT, _UNDOING, _PLACE, _PLAYHEAD = (
    "files",
    "output",
    "undoing",
    "navigation",
    "model.playhead",
)

ACTIONS = (
    Action(
        "new",
        "&File",
        "&New",
        "Begin anew, without a file: the paper's encoding, 50 positions.",
        ("Ctrl+N",),
        owner=_FILES,
    ),
    Action(
        "open",
        "&File",
        "&Open…",
        "Open a session, or a picture or data that carries one.",
        ("Ctrl+O",),
        owner=_FILES,
        toolbar=True,
    ),
    Action(
        "save",
        "&File",
        "&Save",
        "Save what is set up where it came from.",
        ("Ctrl+S",),
        owner=_FILES,
        toolbar=True,
    ),
    Action(
        "save_as",
        "&File",
        "Save &as…",
        "Save what is set up as another file.",
        ("Ctrl+Shift+S",),
        owner=_FILES,
    ),
    Action(
        "export_picture",
        "&File",
        "Export &picture…",
        "Draw a view or the whole window anew, at any size, into a PNG file.",
        ("Ctrl+E",),
        toolbar=True,
        separator=True,
        owner=_OUTPUT,
    ),
    Action(
        "export_data",
        "&File",
        "Export &data…",
        "Write what a view is made of to a .npy or .csv file.",
        ("Ctrl+D",),
        toolbar=True,
        owner=_OUTPUT,
    ),
    Action("quit", "&File", "&Quit", "Close the window.", ("Ctrl+Q",), separator=True),
    Action(
        "undo",
        "&Edit",
        "&Undo",
        "Take back the last change; moves of the cursor are none.",
        ("Ctrl+Z",),
        toolbar=True,
        owner=_UNDOING,
    ),
    Action(
        "redo",
        "&Edit",
        "&Redo",
        "Do again what was taken back.",
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        toolbar=True,
        owner=_UNDOING,
    ),
    Action(
        "show_history",
        "&Edit",
        "&History…",
        "List the changes; click on one to go back to it.",
        ("Ctrl+H",),
        owner=_UNDOING,
    ),
    Action(
        "pin",
        "&Edit",
        "&Pin encoding",
        "Keep the encoding as it is now, to compare with.",
        ("Ctrl+P",),
        separator=True,
        owner=_PLACE,
        toolbar=True,
    ),
    Action(
        "copy_picture",
        "&Edit",
        "&Copy picture",
        "Copy a picture of the view that has the focus to the clipboard.",
        ("Ctrl+Shift+C",),
        separator=True,
        owner=_OUTPUT,
    ),
    Action(
        "copy_code",
        "&Edit",
        "Copy as c&ode",
        "Copy a piece of NumPy code that makes the table on the screen.",
        ("Ctrl+Shift+K",),
        owner=_OUTPUT,
    ),
    Action(
        "copy_command",
        "&Edit",
        "Copy as co&mmand",
        "Copy the pe-explorer line that draws the view that has the focus.",
        ("Ctrl+Shift+M",),
        owner=_OUTPUT,
    ),
    Action(
        "zoom_in",
        "&Positions",
        "Zoom &in",
        "Show fewer positions, around the middle.",
        ("Ctrl++", "Ctrl+="),
        toolbar=True,
        owner=_PLACE,
    ),
    Action(
        "zoom_out",
        "&Positions",
        "Zoom &out",
        "Show more positions.",
        ("Ctrl+-",),
        toolbar=True,
        owner=_PLACE,
    ),
    Action(
        "to_cursor",
        "&Positions",
        "Centre on &cursor",
        "Move the shown positions so that the cursor is in their middle.",
        ("Ctrl+G",),
        owner=_PLACE,
    ),
    Action(
        "to_zero",
        "&Positions",
        "Back to &0",
        "Show the same number of positions from 0 on, or of offsets up to 0.",
        ("Ctrl+0",),
        owner=_PLACE,
    ),
    Action(
        "all_dimensions",
        "&Positions",
        "All &dimensions",
        "Show all dimensions in the heatmap.",
        ("Ctrl+9",),
        owner=_PLACE,
    ),
    Action(
        "set_reference",
        "&Positions",
        "&Measure from cursor",
        "Make the cursor's position the reference of the distances.",
        ("Ctrl+R",),
        separator=True,
        owner=_PLACE,
    ),
    Action(
        "reset",
        "&Positions",
        "&Start anew",
        "Put everything back: the paper's encoding, 50 positions.",
        ("Ctrl+Shift+R",),
        separator=True,
        owner=_PLACE,
    ),
    Action(
        "play",
        "&Play",
        "&Play or pause",
        "Move the cursor through the shown positions.",
        ("Space",),
        owner=_PLAYHEAD,
        method="toggle",
    ),
    Action(
        "step_back",
        "&Play",
        "Step &back",
        "Move the cursor one position back.",
        (",",),
        owner=_PLAYHEAD,
    ),
    Action(
        "step_forward",
        "&Play",
        "Step &forward",
        "Move the cursor one position forward.",
        (".",),
        owner=_PLAYHEAD,
    ),
    Action(
        "faster",
        "&Play",
        "F&aster",
        "The next higher of 1, 2, 5, 10 ... positions per second.",
        ("]",),
        separator=True,
        owner=_PLAYHEAD,
    ),
    Action(
        "slower",
        "&Play",
        "&Slower",
        "The next lower of 1, 2, 5, 10 ... positions per second.",
        ("[",),
        owner=_PLAYHEAD,
    ),
    Action(
        "loop",
        "&Play",
        "&Loop",
        "Start again at the end, or stop there.",
        ("Ctrl+L",),
        owner=_PLAYHEAD,
        method="toggle_loop",
    ),
    Action(
        "reset_layout",
        "&View",
        "&Reset layout",
        "Put all docks back where they were at first.",
        ("Ctrl+Shift+L",),
        separator=True,
    ),
    Action(
        "full_screen",
        "&View",
        "&Full screen",
        "Fill the screen with the window, or stop doing so.",
        ("F11",),
    ),
    Action(
        "show_shortcuts", "&Help", "&Shortcuts", "List what the keyboard and the mouse do.", ("F1",)
    ),
    Action(
        "show_about",
        "&Help",
        "&About PE Explorer",
        "Version, libraries, licences, where the log is, and diagnostics to copy.",
    ),
)


def make_actions(window: QMainWindow) -> dict[str, QAction]:
    """Return the actions, each connected to the method that does it."""
    made = {}
    for entry in ACTIONS:
        action = QAction(entry.text, window)
        action.setIconText(
            action.iconText()
        )  # the toolbar's, which stays when the menu's text tells more
        action.setShortcuts([QKeySequence(keys) for keys in entry.shortcuts])
        action.setStatusTip(entry.help)
        keys = (
            f" ({action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)})"
            if entry.shortcuts
            else ""
        )
        action.setToolTip(f"{entry.help}{keys}")
        action.triggered.connect(entry.slot_in(window))
        made[entry.key] = action
    return made


def fill_menus(window: QMainWindow, actions: dict[str, QAction]) -> dict[str, QMenu]:
    """Return the menus of the menu bar, filled."""
    menus = {title: window.menuBar().addMenu(title) for title in MENUS}
    for entry in ACTIONS:
        if entry.separator:
            menus[entry.menu].addSeparator()
        menus[entry.menu].addAction(actions[entry.key])
    return menus


def fill_toolbar(bar: QToolBar, actions: dict[str, QAction]) -> None:
    """Add the actions that belong on the toolbar, a line between menus."""
    last = None
    for entry in ACTIONS:
        if entry.toolbar:
            if last not in (None, entry.menu):
                bar.addSeparator()
            last = entry.menu
            bar.addAction(actions[entry.key])
