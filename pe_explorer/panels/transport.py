"""The transport bar: play, pause, step, speed, loop and position."""

from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QWidget

from pe_explorer.encodings import Encoding, Unknown, find_axes
from pe_explorer.model import Exploration, Model
from pe_explorer.model.playhead import SPEED
from pe_explorer.panels.cursor import CursorChip, make_cursor_parameter
from pe_explorer.panels.follower import ModelPanel
from pe_explorer.params import Parameter, capitalise, declared
from pe_explorer.pictures.inspection import HiddenCursor, make_hidden_cursor
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.layouts import lay_out_row
from pe_explorer.widgets.line_fields import NumberField
from pe_explorer.widgets.sliders import Slider

_MAX_SLIDER_STEPS = 10_000  # maximum number of slider steps; Qt's sliders have only 32 bits
_FIELD_PADDING = 20  # horizontal padding of a field in pixels
_LOCK_TIP = "Stop the mouse from moving the cursor; keys and playback still move it (Ctrl+Shift+P)."
_SPEED_PAGE_STEPS = 3  # number of speed steps per press of a page key, such as from 1 to 10


def count_slider_steps(count: int) -> int:
    """Return the last step, counted from 0, of a slider over `count` positions."""
    return min(count - 1, _MAX_SLIDER_STEPS)


def find_position(step: int, start: int, count: int) -> int:
    """Return the position at a step of the slider."""
    steps = max(count_slider_steps(count), 1)
    return start + (step * (count - 1) + steps // 2) // steps


def find_step(position: int, start: int, count: int) -> int:
    """Return the step nearest to a position, limited to the range of the slider."""
    steps, last = count_slider_steps(count), max(count - 1, 1)
    nearest_step = ((position - start) * steps + last // 2) // last
    return min(max(nearest_step, 0), steps)


class _ShrinkingField(NumberField):
    """A field that fits `usual_text`, but shrinks to fit `shortest_text` in a narrow bar."""

    def __init__(self, parameter: Parameter, shortest_text: str, usual_text: str) -> None:
        super().__init__(parameter)
        metrics = self.fontMetrics()
        self._usual_width = metrics.horizontalAdvance(usual_text) + _FIELD_PADDING
        self.setMinimumWidth(metrics.horizontalAdvance(shortest_text) + _FIELD_PADDING)
        self.setMaximumWidth(self._usual_width)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def sizeHint(self) -> QSize:
        return QSize(self._usual_width, super().sizeHint().height())


class TransportBar(ModelPanel):
    """Controls that move the cursor through the visible positions, manually or by playback."""

    refused = Signal(str)  # reason why the typed text is invalid

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = Encoding.rows
        self.back_button = IconButton("step-back", "Step back")
        self.play_button = IconButton("play", "Play")
        self.forward_button = IconButton("step-forward", "Step forward")
        self.slower_button = IconButton("slower", "Play slower")
        self.faster_button = IconButton("faster", "Play faster")
        self.loop_button = IconButton("loop", "Loop playback")
        self.loop_button.setCheckable(True)
        self.lock = IconButton("unlock", "Lock the cursor")
        self.lock.setCheckable(True)
        self.speed = _ShrinkingField(SPEED, "0.00", "0.0000000")
        position = declared(Exploration)["position"]
        self.position = _ShrinkingField(position, "1000000", "-9007199254740992")
        self.slider = Slider()
        self.slider.setMinimumWidth(60)
        self.chip = CursorChip(_find_hidden_cursor)
        self.caption = _make_label("Position", self.position)
        buttons = self.back_button, self.play_button, self.forward_button
        layout = lay_out_row(self, *buttons, spacing=2, margins=(6, 2, 6, 2))
        layout.addSpacing(6)
        speed = _make_label("Speed", self.speed), self.slower_button, self.speed, self.faster_button
        for part in (*speed, _make_label("/ s", self.speed), self.loop_button):
            layout.addWidget(part)
        layout.addSpacing(6)
        layout.addWidget(self.caption)
        layout.addWidget(self.position)
        layout.addSpacing(4)
        layout.addWidget(self.slider, 1)
        layout.addWidget(self.chip)
        layout.addWidget(self.lock)
        self._describe_controls()
        for field in (self.speed, self.position):
            field.refused.connect(self.refused)
        self.speed.stepped.connect(self._change_speed)
        self.position.entered.connect(self._set_position)
        self.position.stepped.connect(self._step)
        self.slider.valueChanged.connect(self._set_from_slider)
        self.slider.sliderReleased.connect(self.synchronise)
        self.slider.stepped.connect(self._step)

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        playhead = model.playhead
        return [
            (model.changed, self._receive_change),
            (playhead.playing_changed, self._display_playback),
            (playhead.settings_changed, self._display_settings),
            (self.back_button.clicked, playhead.step_back),
            (self.play_button.clicked, playhead.toggle),
            (self.forward_button.clicked, playhead.step_forward),
            (self.slower_button.clicked, playhead.slow_down),
            (self.faster_button.clicked, playhead.speed_up),
            (self.loop_button.toggled, playhead.set_loop),
            (self.speed.entered, playhead.set_speed),
            (self.lock.toggled, model.lock.set),
            (model.lock.changed, self._display_lock),
        ]

    def attach(self, model: Model) -> None:
        super().attach(model)
        self.chip.attach(model)

    @Slot()
    def synchronise(self) -> None:
        self._set_row_names(self.model.state.encoding)
        self._display_state(self.model.state)
        self._display_playback(self.model.playhead.is_playing)
        self._display_settings()
        self._display_lock(self.model.lock.is_locked)

    @Slot(bool)
    def hide_repeated_chip(self, is_repeated: bool) -> None:
        """Hide the cursor chip if a pane already shows a chip with the same text."""
        self.chip.set_allowed(not is_repeated)

    def detach(self) -> None:
        super().detach()
        self.chip.detach()
        self._display_playback(False)

    def _set_row_names(self, e: Encoding | Unknown) -> None:
        rows, _ = find_axes(e)
        if rows != self._rows:
            self._rows = rows
            self._describe_controls()

    def _describe_controls(self) -> None:
        name, plural = self._rows.name, self._rows.plural
        back_help = f"Move the cursor back by one {name} and pause (comma)."
        _set_help(self.back_button, "Step back", back_help)
        play_help = f"Start or stop moving the cursor through the {plural} shown (Space)."
        _set_help(self.play_button, "Play or pause", play_help)
        step_help = f"Move the cursor forward by one {name} and pause (full stop)."
        _set_help(self.forward_button, "Step forward", step_help)
        speed_text = f"speed: 1, 2, 5, 10 … {plural} per second"
        _set_help(self.slower_button, "Play slower", f"Play at the next lower {speed_text} ([).")
        _set_help(self.faster_button, "Play faster", f"Play at the next higher {speed_text} (]).")
        loop_help = f"After the last {name} shown, continue with the first {name} shown (Ctrl+L)."
        _set_help(self.loop_button, "Loop playback", loop_help)
        _set_help(self.lock, "Lock the cursor", _LOCK_TIP)
        self.position.set_parameter(make_cursor_parameter("position", self._rows))
        title = capitalise(name)
        self.slider.setAccessibleName(f"{title} slider")
        self.slider.setToolTip(f"<p>Move the cursor through the {plural} shown.</p>")
        self.caption.setText(title)
        self.caption.setToolTip(self.position.toolTip())

    @Slot(int, bool)
    def _change_speed(self, direction: int, page: bool) -> None:
        self.model.playhead.change_speed(direction * (_SPEED_PAGE_STEPS if page else 1))

    @Slot(object)
    def _set_position(self, position: int) -> None:
        self.model.set(position=position)

    @Slot(int, bool)
    def _step(self, direction: int, page: bool) -> None:
        self.model.playhead.step(direction, "page" if page else "position")

    @Slot(int)
    def _set_from_slider(self, step: int) -> None:
        state = self.model.state
        self.model.set(position=find_position(step, state.start, state.count))

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        if old.encoding is not new.encoding:
            self._set_row_names(new.encoding)
        if (old.position, old.start, old.count) != (new.position, new.start, new.count):
            self._display_state(new)

    def _display_state(self, state: Exploration) -> None:
        self.position.display(state.position)
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, count_slider_steps(state.count))
            if not self.slider.isSliderDown():
                self.slider.setValue(find_step(state.position, state.start, state.count))
        self.slider.setEnabled(state.count > 1)  # with one position, the slider cannot move

    @Slot(bool)
    def _display_playback(self, is_running: bool) -> None:
        self.play_button.set_action(*(("pause", "Pause") if is_running else ("play", "Play")))

    @Slot()
    def _display_settings(self) -> None:
        self.speed.display(self.model.playhead.speed)
        with QSignalBlocker(self.loop_button):
            self.loop_button.setChecked(self.model.playhead.is_looping)

    @Slot(bool)
    def _display_lock(self, is_checked: bool) -> None:
        with QSignalBlocker(self.lock):
            self.lock.setChecked(is_checked)
        self.lock.set_action("lock" if is_checked else "unlock", "Lock the cursor")


def _find_hidden_cursor(state: Exploration) -> HiddenCursor | None:
    return make_hidden_cursor(state, "to the left", "to the right")


def _set_help(button: IconButton, title: str, help_text: str) -> None:
    button.setToolTip(f"<p><b>{title}</b><br>{help_text}</p>")


def _make_label(text: str, field: NumberField) -> QLabel:
    label = QLabel(text)
    label.setBuddy(field)
    label.setToolTip(field.toolTip())
    label.setContentsMargins(2, 0, 2, 0)
    return label
