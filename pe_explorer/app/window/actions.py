"""The table of actions, which defines the menus, the toolbar and the shortcuts."""

from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow


class Action(NamedTuple):
    """An action of the window."""

    key: str
    text: str
    keys: str  # the shortcuts, separated by spaces
    slot: str
    """The attribute path from the window to the slot; empty if other code connects the action."""
    help: str
    is_in_toolbar: bool = False
    separator: bool = False  # whether a separator precedes the action in the menu
    unavailable_reason: str = "the window is closing"  # reason why the action may be disabled
    state_signal_path: str = ""  # path to the signal with the checked state; empty if it has none


# fmt: off
MENUS = {
  "&File": (
    Action("new", "&New exploration", "Ctrl+N", "files.new",
           "Start a new exploration with the sinusoidal encoding and 50 positions."),
    Action("open", "&Open…", "Ctrl+O", "files.open",
           "Open a session, an exported figure or data file, a model's config.json, or a table.",
           is_in_toolbar=True),
    Action("compare", "&Compare with…", "Ctrl+Shift+O", "files.compare",
           "Pin the encodings of another model's config.json, and compare with them."),
    Action("save", "&Save", "Ctrl+S", "files.save",
           "Save the session to its file.", is_in_toolbar=True),
    Action("save_as", "Save &as…", "Ctrl+Shift+S", "files.save_as",
           "Save the session to another file."),
    Action("gallery", "Show &gallery", "Ctrl+G", "centre.toggle_gallery",
           "Show the gallery of exhibits and lessons, or return to the panes.", separator=True),
    Action("next_exhibit", "Go to nex&t exhibit", "Alt+PgDown", "centre.strip.go_forward",
           "Open the next exhibit of the gallery, or the next step of a lesson."),
    Action("previous_exhibit", "Go to pre&vious exhibit", "Alt+PgUp", "centre.strip.go_back",
           "Open the previous exhibit of the gallery, or the previous step of a lesson."),
    Action("export_figure", "Export &figure…", "Ctrl+E", "output.export_figure",
           "Write a view or all panes as a figure for a paper: PDF, SVG or PNG.",
           is_in_toolbar=True, separator=True),
    Action("export_picture", "Export &picture…", "Ctrl+Shift+E", "output.export_picture",
           "Write a PNG picture of the whole window or of a view, in any size."),
    Action("export_data", "Export &data…", "Ctrl+D", "output.export_data",
           "Write the values of a view to a .npy or .csv file.", is_in_toolbar=True),
    Action("print_figure", "Pr&int figure…", "", "output.print_figure",
           "Print a view or all panes on white paper, in the style of the last figure.",
           separator=True),
    Action("quit", "&Quit", "Ctrl+Q", "close",
           "Close the window.", separator=True),
  ),
  "&Edit": (
    Action("undo", "&Undo", "Ctrl+Z", "editing.undo",
           "Undo the last change; cursor movements are not recorded.", is_in_toolbar=True,
           unavailable_reason="there is nothing to undo; make a change first"),
    Action("redo", "&Redo", "Ctrl+Shift+Z Ctrl+Y", "editing.redo",
           "Redo the last undone change.", is_in_toolbar=True,
           unavailable_reason="there is nothing to redo; undo a change first"),
    Action("show_history", "Show &history…", "Ctrl+H", "editing.show_history",
           "List all changes; click one to return to it."),
    Action("pin", "&Pin encoding", "Ctrl+P", "editing.pin",
           "Keep this encoding to compare other encodings with it.",
           is_in_toolbar=True, separator=True),
    Action("copy_picture", "&Copy picture", "Ctrl+Shift+C", "output.copy_picture",
           "Copy the active view as a picture, with twice the pixels of its pane and in the style "
           "of the last figure.", separator=True),
    Action("copy_code", "Copy as c&ode", "Ctrl+Shift+K", "output.copy_code",
           "Copy NumPy code that computes the encoding of the positions shown."),
    Action("copy_figure_code", "Copy as fi&gure code", "Ctrl+Shift+G", "output.copy_figure_code",
           "Copy a matplotlib script that draws the active view, in the size and style of the "
           "last figure."),
    Action("copy_command", "Copy as co&mmand", "Ctrl+Shift+M", "output.copy_command",
           "Copy the pe-explorer command that draws the same picture as Copy picture."),
    Action("copy_value", "Copy &value", "Ctrl+Shift+V", "right_panel.copy_value",
           "Copy the value at the cursor in the active view, with all digits."),
  ),
  "&Positions": (
    Action("zoom_in", "Zoom &in", "Ctrl++ Ctrl+=", "editing.zoom_in",
           "Show fewer positions around the middle of the range."),
    Action("zoom_out", "Zoom &out", "Ctrl+-", "editing.zoom_out",
           "Show more positions around the middle of the range."),
    Action("to_cursor", "Centre on &cursor", "Ctrl+J", "editing.go_to_cursor",
           "Centre the range of positions on the cursor."),
    Action("to_zero", "Go back to &0", "Ctrl+0", "editing.go_to_zero",
           "Show a range of the same length that starts at position 0, or ends at offset 0."),
    Action("all_dimensions", "Show all &dimensions", "Ctrl+9", "editing.show_all_dimensions",
           "Show all dimensions in the heatmap."),
    Action("reset_zoom", "Reset &zoom", "Ctrl+8", "editing.reset_zoom",
           "Show the initial range of positions and all dimensions."),
    Action("set_reference", "&Measure from cursor", "Ctrl+R", "editing.set_reference",
           "Measure distances from the position of the cursor.", separator=True),
    Action("reset", "&Reset everything", "Ctrl+Shift+R", "editing.reset",
           "Return to the initial state: the sinusoidal encoding, 50 positions.", separator=True),
  ),
  "P&lay": (
    Action("play", "&Play or pause", "Space", "model.playhead.toggle",
           "Start or stop moving the cursor through the positions shown."),
    Action("step_back", "Step &back", ",", "model.playhead.step_back",
           "Move the cursor back by one position."),
    Action("step_forward", "Step &forward", ".", "model.playhead.step_forward",
           "Move the cursor forward by one position."),
    Action("faster", "Play f&aster", "]", "model.playhead.speed_up",
           "Play at the next higher speed: 1, 2, 5, 10 … positions per second.", separator=True),
    Action("slower", "Play &slower", "[", "model.playhead.slow_down",
           "Play at the next lower speed: 1, 2, 5, 10 … positions per second."),
    Action("loop", "&Loop playback", "Ctrl+L", "model.playhead.toggle_loop",
           "After the last position shown, continue with the first position shown.",
           state_signal_path="model.playhead.loop_changed"),
    Action("stepwise", "S&tep from position to position", "", "model.playhead.toggle_stepwise",
           "Move the cursor only to whole positions, even if the encoding is defined between them.",
           state_signal_path="model.playhead.stepwise_changed"),
    Action("lock", "Loc&k the cursor", "Ctrl+Shift+P", "model.lock.toggle",
           "Stop the mouse from moving the cursor; keys and playback still move it.",
           separator=True, state_signal_path="model.lock.changed"),
  ),
  "&View": (
    Action("one", "Show &one view", "Ctrl+Alt+1", "",
           "Show only the active view.", separator=True),
    Action("beside", "Show two side &by side", "Ctrl+Alt+2", "",
           "Show two views side by side."),
    Action("stacked", "Show two &stacked", "Ctrl+Alt+3", "",
           "Show two views, one below the other."),
    Action("over-two", "Show one o&ver two", "Ctrl+Alt+4", "",
           "Show one view above two."),
    Action("three", "Show &three side by side", "Ctrl+Alt+5", "",
           "Show three views side by side if the window is wide enough."),
    Action("next_pane", "Go to &next pane", "F6", "workspace.next_pane",
           "Move the focus to the next pane.", separator=True),
    Action("previous_pane", "Go to &previous pane", "Shift+F6", "workspace.previous_pane",
           "Move the focus to the previous pane."),
    Action("maximise", "M&aximise pane", "Ctrl+M", "workspace.maximise",
           "Switch between showing the active pane and showing all panes."),
    Action("own_window", "Open in &window", "Ctrl+Shift+W", "workspace.own_window",
           "Move the active view to its own window, or back to the panes."),
    Action("close_pane", "C&lose pane", "Ctrl+W", "workspace.close_pane",
           "Close the active pane, unless it is the only pane."),
    Action("encoding", "Show &encoding panel", "F7", "",
           "Open or fold the left panel: encoding, parameters and positions.", separator=True),
    Action("explain", "Show e&xplain panel", "F8", "",
           "Open or fold the right panel: explanation, values and pins."),
    Action("inspect", "Inspe&ct values", "Shift+F8", "right_panel.show_inspector",
           "Show the values at the cursor in the right panel."),
    Action("pins", "Show p&ins", "Ctrl+F8", "right_panel.show_pins",
           "Show the pinned encodings in the right panel."),
    Action("model", "Explain &model", "Ctrl+Shift+F8", "right_panel.show_model",
           "Explain the configuration of the open model in the right panel.",
           unavailable_reason="no model is open; open a model's config.json first"),
    Action("reset_layout", "&Reset layout", "Ctrl+Shift+L", "places.reset",
           "Move panels, bars, splitters and views back to their initial places.",
           separator=True),
    Action("full_screen", "Enter or leave &full screen", "F11", "places.full_screen",
           "Fill the screen with the window, or restore its size."),
  ),
  "&Help": (
    Action("find", "&Find anything…", "Ctrl+K", "open_palette",
           "Find a view, option, exhibit, lesson, action, parameter or recent file."),
    Action("start_here", "&Start here", "", "start_cards.open",
           "Show a lesson and exhibits for newcomers above the panes."),
    Action("show_keys", "&Keys and mouse", "F1", "show_keys",
           "List keyboard shortcuts and mouse actions.", separator=True),
    Action("show_about", "&About PE Explorer", "", "show_about",
           "Show versions, licences, the citation, the log and diagnostics to copy."),
  ),
}
# fmt: on
ACTIONS = tuple(chain.from_iterable(MENUS.values()))


class WindowAction(QAction):
    """An action whose tooltip includes the reason why it is unavailable."""

    def __init__(self, entry: Action, window: QMainWindow) -> None:
        super().__init__(entry.text, window)
        self._entry = entry
        # Keep the initial text in the toolbar, because the menu text may name an undo step.
        self.setIconText(self.iconText())
        self.setShortcuts([QKeySequence(keys) for keys in entry.keys.split()])
        self.enabledChanged.connect(self.show_help)
        self.show_help()

    @Slot()
    def show_help(self) -> None:
        """Update the tooltip and status tip, with a reason if the action is unavailable."""
        entry, text = self._entry, self._entry.help
        why = "" if self.isEnabled() else f" Unavailable: {entry.unavailable_reason}."
        self.setStatusTip(f"{text}{why}")
        if self.text() != entry.text:  # the text names an undo step
            text = f"{self.text().removeprefix('&').replace('&&', '&')}."
        if entry.keys:
            keys = self.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            text = f"{text.removesuffix('.')} ({keys})."
        self.setToolTip(f"{text}{why}")


def make_actions(window: QMainWindow) -> dict[str, WindowAction]:
    """Return the actions by key; each action first applies text that is being typed."""
    actions = {}
    for entry in ACTIONS:
        action = actions[entry.key] = WindowAction(entry, window)
        action.triggered.connect(attrgetter("files.finish_typing")(window))
        if entry.slot:
            action.triggered.connect(attrgetter(entry.slot)(window))
        if entry.state_signal_path:
            action.setCheckable(True)
            attrgetter(entry.state_signal_path)(window).connect(action.setChecked)
    return actions
