"""Random events of mouse and keyboard on any widget."""

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QInputMethodEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.endurance.desk import alive, described, kind, reachable
from tests.endurance.inputs import TEXTS

_Modifier, _Type = Qt.KeyboardModifier, QEvent.Type
_LEFT, _NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
_BUTTONS = (*(_LEFT,) * 8, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton)
_PLAIN, _CTRL, _SHIFT = _Modifier.NoModifier, _Modifier.ControlModifier, _Modifier.ShiftModifier
_MODIFIERS = (*(_PLAIN,) * 6, _CTRL, _SHIFT, _Modifier.AltModifier, _CTRL | _SHIFT)
_STEPS = ("SingleStepAdd", "SingleStepSub", "PageStepAdd", "ToMinimum")
_ENDINGS = ("Return", "Return", "Return", "Tab", "Escape", "")
_NOTCHES = (120, -120, 120, -120, 15, -15, 1200, -1200, 12_000, -12_000, 0, 1_000_000)
_KEYS = (
    *("Up", "Down", "Left", "Right", "PageUp", "PageDown", "Home", "End", "Tab", "Backtab"),
    *("Return", "Escape", "Space", "Delete", "Backspace", "F2", "F10", "Period", "Comma"),
    *("BracketLeft", "BracketRight", "Plus", "Minus", "1", "9", "E", "Menu"),
)
_WITH_CTRL = ("Z", "Y", "P", "G", "0", "9", "R", "L", "Plus", "Minus", "H", "C", "V", "A", "X")


@kind(14)
def click(desk, pick):
    widget, point = desk.somewhere(pick)
    button = pick.choice(_BUTTONS)
    yield f"{button.name} on {described(widget)}"
    modifiers = pick.choice(_MODIFIERS)
    _mouse(widget, _Type.MouseButtonPress, point, button, button, modifiers)
    _mouse(widget, _Type.MouseButtonRelease, point, button, _NONE, modifiers)


@kind(2)
def double_click(desk, pick):
    widget, point = desk.somewhere(pick)
    yield described(widget)
    for press in (_Type.MouseButtonPress, _Type.MouseButtonDblClick):
        _mouse(widget, press, point, _LEFT, _LEFT)
        _mouse(widget, _Type.MouseButtonRelease, point, _LEFT, _NONE)


@kind(9)
def drag(desk, pick):
    """Press, move during turns of the event loop, and release, often on a canvas.

    The button is always released, because Qt crashes if a window is deleted during a drag of its
    dock.
    """
    widget, button = _widget(desk, pick, 0.7), pick.choice(_BUTTONS)
    yield f"{described(widget)} with {button.name}"
    point = _point(widget, pick)
    _mouse(widget, _Type.MouseButtonPress, point, button, button)
    for _ in range(pick.randrange(1, 5)):
        yield 0
        if not reachable(widget):
            break
        point = _point(widget, pick, beyond=50)
        _mouse(widget, _Type.MouseMove, point, _NONE, button)
    _mouse(widget, _Type.MouseButtonRelease, point, button, _NONE)


@kind(6)
def wheel(desk, pick):
    canvas = _widget(desk, pick, 0.8)
    over = described(canvas)  # checked again, because the canvas may be gone
    notches, modifiers = pick.choice(_NOTCHES), pick.choice(_MODIFIERS)
    yield f"{notches} over {over}"
    point = _point(canvas, pick)
    turned = QPoint(0, notches) if pick.random() < 0.7 else QPoint(notches, 0)
    places = QPointF(point), QPointF(canvas.mapToGlobal(point))
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(*places, QPoint(), turned, _NONE, modifiers, phase, False)
    QApplication.sendEvent(canvas, event)


@kind(5)
def hover(desk, pick):
    widget = _widget(desk, pick, 0.7)
    yield described(widget)
    for _ in range(pick.randrange(1, 4)):
        if not reachable(widget):
            return
        _mouse(widget, _Type.MouseMove, _point(widget, pick), _NONE, _NONE)
        yield 0
    if reachable(widget) and pick.random() < 0.3:
        QApplication.sendEvent(widget, QEvent(_Type.Leave))


@kind(1.5)
def asking(desk, pick):
    widget, point = desk.somewhere(pick)
    yield described(widget)
    places = point, widget.mapToGlobal(point)
    if pick.random() < 0.7:
        QApplication.sendEvent(widget, QHelpEvent(_Type.ToolTip, *places))
    else:
        mouse = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(widget, QContextMenuEvent(mouse, *places))


@kind(14)
def key(desk, pick):
    name, modifiers = pick.choice(_KEYS), pick.choice((*(_PLAIN,) * 5, _SHIFT))
    if pick.random() < 0.3:
        name, modifiers = pick.choice(_WITH_CTRL), pick.choice((*(_CTRL,) * 4, _CTRL | _SHIFT))
    yield f"{name} in {described(_focus(desk))}"
    _type_key(desk, name, modifiers)


@kind(10, on=lambda desk: desk.visible(QtWidgets.QLineEdit))
def text(desk, pick, field):
    name, typed = field.accessibleName(), pick.choice(TEXTS)
    if desk.dialog and name in ("Width", "Height"):  # limits the size of exports
        typed = str(pick.randrange(200, 900))
    elif desk.dialog and name == "Scale":
        typed = pick.choice(("1", "2", "0.25", "x"))
    elif desk.dialog and name == "File":
        typed = desk.target(pick)
    elif name == "File" and pick.random() < 0.8:  # the parameter of a learned table
        typed = pick.choice(desk.tables)
    yield f"{typed.removeprefix(str(desk.folder))[:20]!r} into {described(field)}"
    enter_value(field, typed, replacing=pick.random() < 0.8)
    if reachable(field) and (ending := pick.choice(_ENDINGS)):
        _type_key(desk, ending, _PLAIN)


@kind(2, on=lambda desk: [it for it in desk.visible(QtWidgets.QWidget) if it.focusPolicy().value])
def focus(desk, pick, taker):
    yield described(taker)
    taker.setFocus()


@kind(7, on=lambda desk: [box for box in desk.visible(QtWidgets.QComboBox) if box.count()])
def combo(desk, pick, box):
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
        press(box.view(), pick, "Down", "Return", "Escape")


@kind(6, on=lambda desk: desk.visible(QtWidgets.QAbstractButton))
def button(desk, pick, pressed):
    yield f"{described(pressed)} of {described(desk.top)}"
    pressed.click()


@kind(5, on=lambda desk: desk.visible(QtWidgets.QAbstractSlider))
def slider(desk, pick, moved):
    value = pick.randint(moved.minimum(), moved.maximum())
    yield f"{value} of {described(moved)}"
    if pick.random() < 0.5:
        moved.triggerAction(getattr(moved.SliderAction, f"Slider{pick.choice(_STEPS)}"))
        return
    moved.setSliderDown(True)
    for share in (1, 2, 3):
        if not reachable(moved):
            return
        moved.setSliderPosition(value * share // 3)
        yield 0
    if reachable(moved):
        moved.setSliderDown(False)


def _fields(desk):
    found = desk.window.panel.findChildren(QtWidgets.QLineEdit)
    return [] if desk.dialog else [field for field in found if field.isVisible()]


@kind(1, on=_fields)
def at_once(desk, pick, field):
    """Edit a parameter and choose another scheme before the edit is announced."""
    boxes, typed = desk.window.panel.findChildren(QtWidgets.QComboBox), pick.choice(TEXTS)
    box = pick.choice(boxes)
    row = pick.randrange(box.count())
    yield f"{typed[:20]!r} into {described(field)}, {box.itemText(row)!r} of {described(box)}"
    if pick.random() < 0.5:
        _choose(box, row)
    enter_value(field, typed, replacing=True)
    _type_key(desk, pick.choice(("Return", "Up", "Tab")), _PLAIN)
    _choose(box, pick.randrange(box.count()))


def _widget(desk, pick, share):
    """Return the canvas of a view with a certain probability, otherwise any reachable widget."""
    shown = [view for view in desk.window.workspace.built_views.values() if view.isVisible()]
    if desk.dialog or not shown or pick.random() > share:
        return desk.somewhere(pick)[0]
    view = pick.choice(shown)
    canvases = [it for it in view.findChildren(QtWidgets.QGraphicsView) if it.isVisible()]
    return pick.choice(canvases).viewport() if canvases else view


def _focus(desk):
    taker = QApplication.focusWidget()
    return taker if reachable(taker) else desk.top


def _point(widget, pick, beyond=0):
    width, height = max(1, widget.width()), max(1, widget.height())
    return QPoint(pick.randrange(-beyond, width + beyond), pick.randrange(-beyond, height + beyond))


def _mouse(widget, what, point, changed, held, modifiers=_PLAIN):
    """Send mouse events to a widget if it still exists; release a pressed button."""
    can_hear = alive if what == _Type.MouseButtonRelease else reachable
    if can_hear(widget):
        places = QPointF(point), QPointF(widget.mapToGlobal(point))
        QApplication.sendEvent(widget, QMouseEvent(what, *places, changed, held, modifiers))


def _type_key(desk, name, modifiers):
    widget, code = _focus(desk), getattr(Qt.Key, f"Key_{name}")
    QTest.keyPress(widget, code, modifiers)
    if reachable(widget):
        QTest.keyRelease(widget, code, modifiers)


def press(widget, pick, *names):
    QTest.keyClick(widget, getattr(Qt.Key, f"Key_{pick.choice(names)}"))


def enter_value(field, typed, *, replacing):
    """Enter a text as an input method of any script does."""
    field.setFocus()
    if not alive(field):  # a dialog may close when the field gets the focus
        return
    if replacing:
        field.selectAll()
    event = QInputMethodEvent()
    event.setCommitString(typed)
    QApplication.sendEvent(field, event)


def _choose(box, row):
    box.setCurrentIndex(row)
    if alive(box):
        box.activated.emit(row)
    if alive(box):
        box.textActivated.emit(box.itemText(row))
