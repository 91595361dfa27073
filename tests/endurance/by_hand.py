"""Events of mouse and keyboard: what a hand does, on whatever is there."""

from random import Random

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QInputMethodEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QWidget,
)

from tests.endurance.desk import Desk, alive, described, reachable
from tests.endurance.inputs import TEXTS
from tests.endurance.kinds import Event, kind

_Buttons, _Modifiers, _Type, _Slide = (
    Qt.MouseButton,
    Qt.KeyboardModifier,
    QEvent.Type,
    QAbstractSlider.SliderAction,
)
_LEFT, _NONE = _Buttons.LeftButton, _Buttons.NoButton
_BUTTONS = (*(_LEFT,) * 8, _Buttons.RightButton, _Buttons.MiddleButton)
_PLAIN, _CTRL, _SHIFT = (
    _Modifiers.NoModifier,
    _Modifiers.ControlModifier,
    _Modifiers.ShiftModifier,
)
_MODIFIERS = (*(_PLAIN,) * 6, _CTRL, _SHIFT, _Modifiers.AltModifier, _CTRL | _SHIFT)
_STEPS = (
    _Slide.SliderSingleStepAdd,
    _Slide.SliderSingleStepSub,
    _Slide.SliderPageStepAdd,
    _Slide.SliderToMinimum,
)
_IN_LISTS = (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Escape)
_ENDINGS = ("Return", "Return", "Return", "Tab", "Escape", "")
_NOTCHES = (120, -120, 120, -120, 15, -15, 1200, -1200, 12_000, -12_000, 0, 1_000_000)
_KEYS = (
    *("Up", "Down", "Left", "Right", "PageUp", "PageDown", "Home", "End", "Tab", "Backtab"),
    *("Return", "Escape", "Space", "Delete", "Backspace", "F2", "F10", "Period", "Comma"),
    *("BracketLeft", "BracketRight", "Plus", "Minus", "1", "9", "E", "Menu"),
)
_WITH_CTRL = ("Z", "Y", "P", "G", "0", "9", "R", "L", "Plus", "Minus", "H", "C", "V", "A", "X")


# -- the mouse -------------------------------------------------------------------------------


@kind(14)
def click(desk: Desk, pick: Random) -> Event:
    widget, point = desk.somewhere(pick)
    button = pick.choice(_BUTTONS)
    yield f"{button.name} on {described(widget)}"
    _press_and_release(widget, point, button, pick.choice(_MODIFIERS))


@kind(2)
def double_click(desk: Desk, pick: Random) -> Event:
    widget, point = desk.somewhere(pick)
    yield described(widget)
    _press_and_release(widget, point, _LEFT, _PLAIN)
    _mouse(widget, _Type.MouseButtonDblClick, point, _LEFT, _LEFT)
    _mouse(widget, _Type.MouseButtonRelease, point, _LEFT, _NONE)


@kind(3)
def drag(desk: Desk, pick: Random) -> Event:
    widget, point = desk.somewhere(pick)
    yield described(widget)
    yield from _dragged(widget, point, _LEFT, pick)


@kind(6)
def pan(desk: Desk, pick: Random) -> Event:
    canvas = _canvas(desk, pick)
    button = pick.choice(_BUTTONS)
    yield f"{described(canvas)} with {button.name}"
    yield from _dragged(canvas, _point(canvas, pick), button, pick)


@kind(6)
def wheel(desk: Desk, pick: Random) -> Event:
    canvas = _canvas(desk, pick) if pick.random() < 0.8 else desk.somewhere(pick)[0]
    over = described(canvas)  # now: the canvas may go
    notches, modifiers = pick.choice(_NOTCHES), pick.choice(_MODIFIERS)
    yield f"{notches} over {over}"
    point = _point(canvas, pick)
    turned = QPoint(0, notches) if pick.random() < 0.7 else QPoint(notches, 0)
    places = QPointF(point), QPointF(canvas.mapToGlobal(point))
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(*places, QPoint(), turned, _NONE, modifiers, phase, False)
    QApplication.sendEvent(canvas, event)


@kind(5)
def hover(desk: Desk, pick: Random) -> Event:
    widget = _canvas(desk, pick) if pick.random() < 0.7 else desk.somewhere(pick)[0]
    yield described(widget)
    for _ in range(pick.randrange(1, 4)):
        if not reachable(widget):
            return
        _mouse(widget, _Type.MouseMove, _point(widget, pick), _NONE, _NONE)
        yield 0
    if reachable(widget) and pick.random() < 0.3:
        QApplication.sendEvent(widget, QEvent(_Type.Leave))


@kind(1)
def tooltip(desk: Desk, pick: Random) -> Event:
    widget, point = desk.somewhere(pick)
    yield described(widget)
    event = QHelpEvent(_Type.ToolTip, point, widget.mapToGlobal(point))
    QApplication.sendEvent(widget, event)


@kind(0.5)
def context_menu(desk: Desk, pick: Random) -> Event:
    widget, point = desk.somewhere(pick)
    yield described(widget)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, widget.mapToGlobal(point))
    QApplication.sendEvent(widget, event)


# -- the keyboard ----------------------------------------------------------------------------


@kind(10)
def key(desk: Desk, pick: Random) -> Event:
    name, modifiers = pick.choice(_KEYS), pick.choice((*(_PLAIN,) * 5, _SHIFT))
    yield f"{name} in {described(_focus(desk))}"
    _type_key(desk, name, modifiers)


def instead(desk: Desk, pick: Random) -> Event:
    """Press a key where what was to be used is not there."""
    pressed = key(desk, pick)
    yield f"not possible; {next(pressed)}"
    yield from pressed


@kind(4)
def shortcut(desk: Desk, pick: Random) -> Event:
    name, modifiers = pick.choice(_WITH_CTRL), pick.choice((*(_CTRL,) * 4, _CTRL | _SHIFT))
    yield f"{name} in {described(_focus(desk))}"
    _type_key(desk, name, modifiers)


@kind(10)
def text(desk: Desk, pick: Random) -> Event:
    fields = desk.visible(QLineEdit)
    if not fields:
        yield from instead(desk, pick)
        return
    field = pick.choice(fields)
    typed = _text_for(desk, field, pick)
    yield f"{typed.removeprefix(str(desk.folder))[:20]!r} into {described(field)}"
    _enter(field, typed, replacing=pick.random() < 0.8)
    if reachable(field) and (ending := pick.choice(_ENDINGS)):
        _type_key(desk, ending, _PLAIN)


@kind(2)
def focus(desk: Desk, pick: Random) -> Event:
    never = Qt.FocusPolicy.NoFocus
    takers = [widget for widget in desk.visible(QWidget) if widget.focusPolicy() != never]
    if not takers:
        yield from instead(desk, pick)
        return
    taker = pick.choice(takers)
    yield described(taker)
    taker.setFocus()


# -- what a hand does with controls ------------------------------------------------------------


@kind(7)
def combo(desk: Desk, pick: Random) -> Event:
    combos = [box for box in desk.visible(QComboBox) if box.count()]
    if not combos:
        yield from instead(desk, pick)
        return
    box = pick.choice(combos)
    row = pick.randrange(box.count())
    yield f"{box.itemText(row)[:20]!r} of {described(box)}"
    if pick.random() < 0.7:
        _choose(box, row)
        return
    box.showPopup()
    for _ in range(pick.randrange(1, 4)):
        yield 0
        if not alive(box) or not reachable(box.view()):
            return
        QTest.keyClick(box.view(), pick.choice(_IN_LISTS))


@kind(3)
def button(desk: Desk, pick: Random) -> Event:
    buttons = desk.visible(QAbstractButton)
    if not buttons:
        yield from instead(desk, pick)
        return
    pressed = pick.choice(buttons)
    yield f"{described(pressed)} of {described(desk.top)}"
    pressed.click()


@kind(5)
def slider(desk: Desk, pick: Random) -> Event:
    sliders = desk.visible(QAbstractSlider)
    if not sliders:
        yield from instead(desk, pick)
        return
    moved = pick.choice(sliders)
    value = pick.randint(moved.minimum(), moved.maximum())
    yield f"{value} of {described(moved)}"
    if pick.random() < 0.5:
        moved.triggerAction(pick.choice(_STEPS))
        return
    moved.setSliderDown(True)
    for share in (1, 2, 3):
        if not reachable(moved):
            return
        moved.setSliderPosition(value * share // 3)
        yield 0
    if reachable(moved):
        moved.setSliderDown(False)


@kind(1)
def at_once(desk: Desk, pick: Random) -> Event:
    """A parameter is edited and another scheme chosen before anything of it is announced."""
    panel = desk.window.panel
    boxes = panel.findChildren(QComboBox)
    fields = [field for field in panel.findChildren(QLineEdit) if field.isVisible()]
    if desk.dialog or not fields or not boxes:
        yield from instead(desk, pick)
        return
    box, field, typed = pick.choice(boxes), pick.choice(fields), pick.choice(TEXTS)
    row = pick.randrange(box.count())
    yield f"{typed[:20]!r} into {described(field)}, {box.itemText(row)!r} of {described(box)}"
    if pick.random() < 0.5:
        _choose(box, row)
    _enter(field, typed, replacing=True)
    _type_key(desk, pick.choice(("Return", "Up", "Tab")), _PLAIN)
    _choose(box, pick.randrange(box.count()))


# -- how it is done ----------------------------------------------------------------------------


def _canvas(desk: Desk, pick: Random) -> QWidget:
    canvases = desk.canvases()
    return desk.somewhere(pick)[0] if desk.dialog or not canvases else pick.choice(canvases)


def _focus(desk: Desk) -> QWidget:
    taker = QApplication.focusWidget()
    return taker if taker is not None and reachable(taker) else desk.top


def _point(widget: QWidget, pick: Random, beyond: int = 0) -> QPoint:
    width, height = max(1, widget.width()), max(1, widget.height())
    return QPoint(pick.randrange(-beyond, width + beyond), pick.randrange(-beyond, height + beyond))


def _mouse(
    widget: QWidget,
    what: QEvent.Type,
    point: QPoint,
    changed: Qt.MouseButton,
    held: Qt.MouseButton,
    modifiers: Qt.KeyboardModifier = _PLAIN,
) -> None:
    """Send what the mouse did to a widget, if that is still there; what was pressed is released."""
    heard = alive if what == _Type.MouseButtonRelease else reachable
    if heard(widget):
        places = QPointF(point), QPointF(widget.mapToGlobal(point))
        QApplication.sendEvent(widget, QMouseEvent(what, *places, changed, held, modifiers))


def _press_and_release(
    widget: QWidget,
    point: QPoint,
    button: Qt.MouseButton,
    modifiers: Qt.KeyboardModifier,
) -> None:
    _mouse(widget, _Type.MouseButtonPress, point, button, button, modifiers)
    _mouse(widget, _Type.MouseButtonRelease, point, button, _NONE, modifiers)


def _dragged(widget: QWidget, start: QPoint, button: Qt.MouseButton, pick: Random) -> Event:
    """Press, move within the event loop's turns, and release.

    No button stays down: Qt crashes where a window is deleted while its dock is held.
    """
    _mouse(widget, _Type.MouseButtonPress, start, button, button)
    point = start
    for _ in range(pick.randrange(1, 5)):
        yield 0
        if not reachable(widget):
            break
        point = _point(widget, pick, beyond=50)
        _mouse(widget, _Type.MouseMove, point, _NONE, button)
    _mouse(widget, _Type.MouseButtonRelease, point, button, _NONE)


def _type_key(desk: Desk, name: str, modifiers: Qt.KeyboardModifier) -> None:
    """Press and release a key where the focus is; shortcuts get it first."""
    widget, code = _focus(desk), getattr(Qt.Key, f"Key_{name}")
    QTest.keyPress(widget, code, modifiers)
    if reachable(widget):
        QTest.keyRelease(widget, code, modifiers)


def _enter(field: QLineEdit, typed: str, *, replacing: bool) -> None:
    """Enter any text, as keyboards of all scripts do."""
    field.setFocus()
    if not alive(field):  # a dialog may end as the field gets the focus
        return
    if replacing:
        field.selectAll()
    event = QInputMethodEvent()
    event.setCommitString(typed)
    QApplication.sendEvent(field, event)


def _choose(box: QComboBox, row: int) -> None:
    """Choose a row, with all that Qt says when a person does."""
    box.setCurrentIndex(row)
    if alive(box):
        box.activated.emit(row)
    if alive(box):
        box.textActivated.emit(box.itemText(row))


def _text_for(desk: Desk, field: QLineEdit, pick: Random) -> str:
    """Return a text for a field; what is exported stays small."""
    if desk.dialog and field.accessibleName() in ("Width", "Height"):
        return str(pick.randrange(200, 900))
    if desk.dialog and field.accessibleName() == "Scale":
        return pick.choice(("1", "2", "0.25", "x"))
    if desk.dialog and field.accessibleName() == "File":
        return desk.target(pick)
    if field.accessibleName() == "File" and pick.random() < 0.8:  # that of a learned table
        return pick.choice(desk.tables)
    return pick.choice(TEXTS)
