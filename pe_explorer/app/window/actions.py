"""The table of actions, which defines the menus, the toolbar and the shortcuts."""

from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow


class Action(NamedTuple):
    """An action of the window."""

    key: str
    text: str
    keys: str  # its shortcuts, with a space between them
    slot: str
    """The path from the window to the method that performs it; empty if it is connected
    elsewhere."""
    help: str
    toolbar: bool = False
    separator: bool = False  # whether a line goes before it in the menu
    lack: str = "not possible now"  # why it is disabled, if it is
    switch: str = ""  # the path to the signal of its state, if it is checkable

    @property
    def shortcuts(self) -> tuple[str, ...]:
        return tuple(self.keys.split())


# fmt: off
_FILE = (
    Action("new", "&New", "Ctrl+N", "files.new",
           "Start a new exploration, without a file: sinusoidal encoding, 50 positions."),
    Action("open", "&Open…", "Ctrl+O", "files.open",
           "Open a session, a figure or data with one, a model's config.json, or a table.",
           toolbar=True),
    Action("compare", "&Compare with…", "Ctrl+Shift+O", "files.compare",
           "Pin what another model's config.json means, and compare with it."),
    Action("save", "&Save", "Ctrl+S", "files.save",
           "Save the session to its file.", toolbar=True),
    Action("save_as", "Save &as…", "Ctrl+Shift+S", "files.save_as",
           "Save the session to another file."),
    Action("gallery", "&Gallery", "Ctrl+G", "centre.toggle_gallery",
           "Show figures of well-known explanations and lessons, or the panes again.",
           separator=True),
    Action("next_exhibit", "Nex&t exhibit", "Alt+PgDown", "centre.strip.go_on",
           "Open the next exhibit of the gallery; in a lesson, its next step."),
    Action("previous_exhibit", "Pre&vious exhibit", "Alt+PgUp", "centre.strip.go_back",
           "Open the previous exhibit of the gallery; in a lesson, its previous step."),
    Action("export_figure", "Export &figure…", "Ctrl+E", "output.export_figure",
           "Draw a view, or all panes, as a figure for print: PDF, SVG or PNG.",
           toolbar=True, separator=True),
    Action("export_picture", "Export &picture…", "Ctrl+Shift+E", "output.export_picture",
           "Make a picture of the whole window, or of a view: a PNG file of any size."),
    Action("export_data", "Export &data…", "Ctrl+D", "output.export_data",
           "Write the numbers that a view shows to a .npy or .csv file.", toolbar=True),
    Action("print_figure", "Pr&int…", "", "output.print_figure",
           "Print a view, or all panes, as a figure: with the settings of the last figure, but on "
           "white paper.", separator=True),
    Action("quit", "&Quit", "Ctrl+Q", "close",
           "Close the window.", separator=True),
)
_EDIT = (
    Action("undo", "&Undo", "Ctrl+Z", "editing.undo",
           "Undo the last change; moving the cursor does not count as one.", toolbar=True,
           lack="nothing has been changed yet"),
    Action("redo", "&Redo", "Ctrl+Shift+Z Ctrl+Y", "editing.redo",
           "Redo the change that was undone last.", toolbar=True,
           lack="nothing has been undone"),
    Action("show_history", "&History…", "Ctrl+H", "editing.show_history",
           "List the changes; click on one to go back to it."),
    Action("pin", "&Pin encoding", "Ctrl+P", "editing.pin",
           "Pin the encoding as it is now, to compare others with it.",
           toolbar=True, separator=True),
    Action("copy_picture", "&Copy picture", "Ctrl+Shift+C", "output.copy_picture",
           "Copy the figure of the active view as a picture: as large as its pane, twice as sharp, "
           "and otherwise with the settings of the last figure.",
           separator=True),
    Action("copy_code", "Copy as c&ode", "Ctrl+Shift+K", "output.copy_code",
           "Copy NumPy code that computes the table on the screen."),
    Action("copy_figure_code", "Copy as fi&gure code", "Ctrl+Shift+G", "output.copy_figure_code",
           "Copy a script for matplotlib that draws the figure of the active view, with the size "
           "and the settings of the last figure."),
    Action("copy_command", "Copy as co&mmand", "Ctrl+Shift+M", "output.copy_command",
           "Copy the pe-explorer command that draws the picture that 'Copy picture' copies."),
    Action("copy_value", "Copy &value", "Ctrl+Shift+V", "right_panel.copy_value",
           "Copy the number at the cursor of the active view, with all its digits."),
)
_POSITIONS = (
    Action("zoom_in", "Zoom &in", "Ctrl++ Ctrl+=", "editing.zoom_in",
           "Show fewer positions, around the middle."),
    Action("zoom_out", "Zoom &out", "Ctrl+-", "editing.zoom_out",
           "Show more positions."),
    Action("to_cursor", "Centre on &cursor", "Ctrl+J", "editing.to_cursor",
           "Move the shown positions so that the cursor is in their middle."),
    Action("to_zero", "Back to &0", "Ctrl+0", "editing.to_zero",
           "Show the same number of positions from 0 on, or of offsets up to 0."),
    Action("all_dimensions", "All &dimensions", "Ctrl+9", "editing.all_dimensions",
           "Show all dimensions in the heatmap."),
    Action("reset_zoom", "Reset &zoom", "Ctrl+8", "editing.reset_zoom",
           "Show the first positions again, as many as at the start, and all dimensions."),
    Action("set_reference", "&Measure from cursor", "Ctrl+R", "editing.set_reference",
           "Measure the distances from the position of the cursor.", separator=True),
    Action("reset", "&Reset everything", "Ctrl+Shift+R", "editing.reset",
           "Go back to how the program starts: sinusoidal encoding, 50 positions.", separator=True),
)
_PLAY = (
    Action("play", "&Play or pause", "Space", "model.playhead.toggle",
           "Move the cursor through the shown positions."),
    Action("step_back", "Step &back", ",", "model.playhead.step_back",
           "Move the cursor one position back."),
    Action("step_forward", "Step &forward", ".", "model.playhead.step_forward",
           "Move the cursor one position forward."),
    Action("faster", "F&aster", "]", "model.playhead.faster",
           "Play at the next higher of 1, 2, 5, 10 ... positions per second.", separator=True),
    Action("slower", "&Slower", "[", "model.playhead.slower",
           "Play at the next lower of 1, 2, 5, 10 ... positions per second."),
    Action("loop", "&Loop", "Ctrl+L", "model.playhead.toggle_loop",
           "At the last position, start again from the first, or stop.",
           switch="model.playhead.loop_changed"),
    Action("stepwise", "S&tep from position to position", "", "model.playhead.toggle_stepwise",
           "Play without motion between positions, also where an encoding has values there.",
           switch="model.playhead.stepwise_changed"),
    Action("lock", "Loc&k the cursor", "Ctrl+Shift+P", "model.lock.toggle",
           "Keep the cursor where it is, whatever the mouse does; keys and playing still move it.",
           separator=True, switch="model.lock.changed"),
)
_VIEW = (
    Action("one", "&One pane", "Ctrl+Alt+1", "",
           "Show the active view alone.", separator=True),
    Action("beside", "Side &by side", "Ctrl+Alt+2", "",
           "Show two views side by side."),
    Action("stacked", "Two &stacked", "Ctrl+Alt+3", "",
           "Show two views, one below the other."),
    Action("over-two", "One o&ver two", "Ctrl+Alt+4", "",
           "Show one view above two."),
    Action("three", "&Three side by side", "Ctrl+Alt+5", "",
           "Show three views side by side, where the window is wide."),
    Action("next_pane", "&Next pane", "F6", "workspace.next_pane",
           "Go to the next pane.", separator=True),
    Action("previous_pane", "&Previous pane", "Shift+F6", "workspace.previous_pane",
           "Go to the previous pane."),
    Action("maximise", "M&aximise pane", "Ctrl+M", "workspace.maximise",
           "Let the active pane fill the place of all panes, or show them again."),
    Action("own_window", "Open in &window", "Ctrl+Shift+W", "workspace.own_window",
           "Move the active view to a window of its own, or put it back."),
    Action("close_pane", "C&lose pane", "Ctrl+W", "workspace.close_pane",
           "Close the active view; the last one stays."),
    Action("encoding", "&Encoding panel", "F7", "",
           "Open or fold the panel on the left: encoding, parameters, positions.", separator=True),
    Action("explain", "E&xplain panel", "F8", "",
           "Open or fold the panel on the right: explanations, numbers, pins."),
    Action("inspect", "Inspe&ct", "Shift+F8", "right_panel.show_inspector",
           "Show the numbers at the cursor of the active view, in the panel on the right."),
    Action("pins", "P&ins", "Ctrl+F8", "right_panel.show_pins",
           "Show the pinned encodings, in the panel on the right."),
    Action("model", "&Model", "Ctrl+Shift+F8", "right_panel.show_model",
           "Show what the configuration of the open model means, in the panel on the right.",
           lack="no model is open"),
    Action("reset_layout", "&Reset layout", "Ctrl+Shift+L", "places.reset",
           "Put panels, bars and splitters back, and all views into the panes.", separator=True),
    Action("full_screen", "&Full screen", "F11", "places.full_screen",
           "Fill the screen with the window, or leave full screen."),
)
_HELP = (
    Action("find", "&Find anything…", "Ctrl+K", "open_palette",
           "Find a view, option, exhibit, lesson, action, parameter or recent file by its words."),
    Action("start_here", "&Start here", "", "start_cards.open",
           "Show the cards that a newcomer can begin with, above the panes."),
    Action("show_keys", "&Keys and mouse", "F1", "show_keys",
           "List what the keyboard and the mouse do.", separator=True),
    Action("show_about", "&About PE Explorer", "", "show_about",
           "Show version, libraries and licences, where the log is, and diagnostics to copy."),
)
# fmt: on

MENUS = {
    "&File": _FILE,
    "&Edit": _EDIT,
    "&Positions": _POSITIONS,
    "P&lay": _PLAY,
    "&View": _VIEW,
    "&Help": _HELP,
}
ACTIONS = tuple(chain.from_iterable(MENUS.values()))


def make_actions(window: QMainWindow) -> dict[str, QAction]:
    """Return the actions by key; each first applies text that is being typed."""
    actions = {}
    for entry in ACTIONS:
        action = actions[entry.key] = QAction(entry.text, window)
        # The text of the toolbar, which stays when the text in the menu names an undo step.
        action.setIconText(action.iconText())
        action.setShortcuts([QKeySequence(keys) for keys in entry.shortcuts])
        action.setStatusTip(entry.help)
        action.setToolTip(entry.help)
        if entry.shortcuts:
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(f"{entry.help} ({keys})")
        action.triggered.connect(attrgetter("files.finish_typing")(window))
        if entry.slot:
            action.triggered.connect(attrgetter(entry.slot)(window))
        if entry.switch:
            action.setCheckable(True)
            attrgetter(entry.switch)(window).connect(action.setChecked)
    return actions
