"""The panel of pins, with mouse and keys."""

import html
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QScrollArea

from pe_explorer import encodings
from pe_explorer.exploration import MAX_PINS, PIN_COLOURS, Pin, make_distinguishing_name
from pe_explorer.panels.pins import PinsPanel
from pe_explorer.widgets.theme import colours, find_pin_shade, make_palette
from tests.support.gestures import settle
from tests.support.images import pixels

LEFT = Qt.MouseButton.LeftButton
LONG = "a name that is far too long for a narrow dock and so is cut"


@pytest.fixture
def panel(show_panel):
    area = QScrollArea()
    panel = PinsPanel()
    area.setWidget(panel)
    area.setWidgetResizable(True)
    return show_panel(panel, 256, 300, window=area)


def pin(model, *bases):
    pins = tuple(
        Pin(encodings.create("sinusoidal", base=b), f"base {b}", c)
        for b, c in zip(bases, PIN_COLOURS, strict=False)
    )
    model.set(pins=pins, compared=0)
    settle(model)


def names(model):
    return [one.name for one in model.state.pins]


def press(key):
    QTest.keyClick(QApplication.focusWidget(), key)


def test_the_button_pins_what_is_set_up_as_long_as_there_is_room(panel, model, qtbot):
    for part in (panel.purpose, panel.button):
        assert part.isVisible()
        assert panel.rect().contains(part.mapTo(panel, part.rect().center()))
    panel.window().resize(256, 120)
    panel.setFocus()
    for base in range(2, 2 + MAX_PINS):
        model.set_encoding(base=float(base))
        QTest.mouseClick(panel.button, LEFT)
        assert not panel.button.hasFocus()  # Space then plays
        settle(model)
        newest, area = panel.rows[base - 2], panel.parentWidget()
        parts = (newest.colour, newest.name, newest.restore, newest.remove_button)
        assert all(newest.rect().contains(part.geometry()) for part in parts)
        rights = [part.geometry().right() for part in parts]
        assert all(part.isVisible() for part in parts)
        assert rights == sorted(rights)
        last = model.state.pins[-1]
        assert newest.name.text == make_distinguishing_name(model.state, last, is_full=True)
        assert area.rect().contains(newest.mapTo(area, newest.rect().center()))
    assert [one.encoding.base for one in model.state.pins] == [*range(2, 2 + MAX_PINS)]
    assert model.state.compared == MAX_PINS - 1
    assert not panel.purpose.isVisible()
    with qtbot.waitSignal(model.refused) as refusal:
        QTest.mouseClick(panel.button, LEFT)
    assert str(MAX_PINS) in refusal.args[0]
    assert len(model.state.pins) == MAX_PINS


def test_a_click_on_a_name_compares_with_it_and_buttons_restore_and_remove(panel, model):
    pin(model, 2, 3, 4)
    QTest.mouseClick(panel.rows[2].name, LEFT)
    settle(model)
    assert model.state.compared == 2
    assert QApplication.focusWidget() is panel.rows[2].name
    accent, frame = colours(panel.palette()).accent, panel.rows[2].name.grab().toImage()
    assert frame.pixelColor(0, 9).name() == accent
    marks = [row.grab().toImage().pixelColor(1, 12) for row in panel.rows]
    assert marks[2].name() == accent
    assert marks[0] == marks[1] != marks[2]
    QTest.mouseClick(panel.rows[1].restore, LEFT)
    settle(model)
    assert model.state.encoding.base == 3
    assert len(model.state.pins) == 3
    QTest.mouseClick(panel.rows[0].remove_button, LEFT)
    settle(model)
    assert names(model) == ["base 3", "base 4"]
    assert [row.isVisible() for row in panel.rows] == [True, True, False]


def test_keys_do_everything(panel, model):
    pin(model, 2, 3, 4)
    panel.rows[0].name.setFocus()
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Down)  # there is no further one
    press(Qt.Key.Key_Up)
    settle(model)
    assert model.state.compared == 1
    press(Qt.Key.Key_Return)
    settle(model)
    assert model.state.encoding.base == 3
    press(Qt.Key.Key_F2)
    QTest.keyClicks(QApplication.focusWidget(), "mine, really")
    press(Qt.Key.Key_Return)
    settle(model)
    assert names(model) == ["base 2", "mine, really", "base 4"]
    assert model.state.encoding.base == 3
    assert QApplication.focusWidget() is panel.rows[1].name
    other = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_X, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(panel.rows[1].name, other)
    assert not other.isAccepted()
    for left in (["base 2", "base 4"], ["base 2"], []):
        press(Qt.Key.Key_Delete)
        settle(model)
        assert names(model) == left
    assert QApplication.focusWidget() is panel.button


def test_tab_passes_through_the_compared_row_only(panel, model):
    pin(model, 2, 3, 4)
    model.set(compared=1)
    settle(model)
    panel.button.setFocus()
    reached = []
    for _ in range(5):
        press(Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget())
    row = panel.rows[1]
    assert [
        widget
        for widget in reached
        if widget in (row.colour, row.name, row.restore, row.remove_button)
    ] == [row.colour, row.name, row.restore, row.remove_button]
    assert not any(
        other.isAncestorOf(widget) for other in (panel.rows[0], panel.rows[2]) for widget in reached
    )


def rename(panel, index, text):
    name = panel.rows[index].name
    QTest.mouseDClick(name, LEFT)
    QTest.keyClicks(name.editor, text)
    return name


@pytest.mark.parametrize(
    ("typed", "leave", "wanted"),
    [
        ("left", lambda panel: panel.button.setFocus(), "left"),
        ("kept", lambda panel: panel.hide(), "kept"),
        ("<b>x</b> & y", lambda panel: press(Qt.Key.Key_Return), "<b>x</b> & y"),
        ("no", lambda panel: press(Qt.Key.Key_Escape), "base 3"),
        ("   ", lambda panel: press(Qt.Key.Key_Return), "base 3"),  # which is refused
    ],
)
def test_a_name_is_typed_after_a_double_click(panel, model, typed, leave, wanted):
    pin(model, 2, 3)
    said = []
    model.refused.connect(said.append)
    name = rename(panel, 1, typed)
    leave(panel)
    settle(model)
    assert names(model) == ["base 2", wanted]
    assert [("Name" in sentence, "60" in sentence) for sentence in said] == [(True, True)] * (
        typed == "   "
    )
    panel.show()
    settle(model)
    if typed != "   ":
        assert (name.editor, name.text) == (None, wanted)
        assert not any(editor.isVisible() for editor in name.findChildren(QLineEdit))
        assert html.escape(wanted) in name.toolTip()  # what is typed is no markup


def test_a_name_is_painted_as_it_was_typed(panel, model):
    pin(model, 2, 3)
    images = []
    for text in ("<b>x</b>", "x", "<b>x</b>"):
        model.set(pins=[replace(model.state.pins[0], name=text)])
        settle(model)
        images.append(panel.rows[0].name.grab().toImage())
    assert images[0] == images[2]
    plain, marked = (inked_width(image) for image in images[1::-1])
    assert marked > 3 * plain


def inked_width(image):
    """Return how many columns of a picture differ from its upper left corner."""
    found = pixels(image)
    return (found != found[0, 0]).any(axis=(0, 2)).sum()


def test_keys_of_the_list_are_letters_and_moves_while_a_name_is_typed(panel, model):
    pin(model, 2, 3)
    name = rename(panel, 0, "ab")
    panel.window().resize(300, 300)
    settle(model)
    assert name.editor.geometry() == name.rect()
    assert name.width() > 150
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_Delete, Qt.Key.Key_F2):
        press(key)
    press(Qt.Key.Key_Return)
    settle(model)
    assert names(model) == ["b", "base 3"]


def test_the_swatch_opens_a_menu_of_colours(panel, model):
    pin(model, 2, 3)
    QTest.mouseClick(panel.rows[1].colour, LEFT)
    menu = next(menu for menu in panel.findChildren(QMenu) if menu.isVisible())
    assert [action.data() for action in menu.actions()] == list(PIN_COLOURS)
    assert [action.data() for action in menu.actions() if action.isChecked()] == [
        model.state.pins[1].colour
    ]
    menu.actions()[5].trigger()
    menu.close()
    settle(model)
    assert model.state.pins[1].colour == "teal"
    for theme in ("light", "dark"):
        panel.setPalette(make_palette(theme))
        image = panel.rows[1].colour.grab().toImage()
        shade = find_pin_shade("teal", make_palette(theme))
        assert image.pixelColor(image.rect().center()) == QColor(shade)


def test_nothing_is_wider_than_the_panel(panel, model):
    model.set(
        pins=tuple(Pin(encodings.create("sinusoidal"), LONG, colour) for colour in PIN_COLOURS)
    )
    settle(model)
    width = panel.parentWidget().width()
    assert panel.width() <= width
    for row in panel.rows:
        right = [
            w.mapTo(panel, w.rect().topRight()).x()
            for w in (row.colour, row.name, row.restore, row.remove_button)
        ]
        assert right == sorted(right)
        assert right[-1] < width
        assert LONG in row.name.toolTip()


def test_detached_it_stands_still(panel, model):
    pin(model, 2)
    panel.detach()
    model.set(pins=())
    settle(model)
    assert panel.rows[0].isVisible()
    assert not panel.isEnabled()
    panel.attach(model)
    assert not panel.rows[0].isVisible()


# -- a row that shows something older: what changes the pins is announced in the next turn ---------


@pytest.mark.parametrize("what", ["colour", "compare", "restore", "unpin", "up", "down"])
def test_a_row_means_the_pin_that_it_shows(panel, model, what):
    pin(model, 2.0, 3.0, 4.0)
    second = model.state.pins[1]
    model.set(pins=model.state.pins[1:])  # the first is unpinned: the second is the first by now
    panel.rows[1].requested.emit(what)
    if what == "colour":
        menu = panel.findChild(QMenu)
        menu.actions()[-1].trigger()
        assert model.state.pins[0] == Pin(second.encoding, second.name, list(PIN_COLOURS)[-1])
        menu.close()
    elif what == "restore":
        assert model.state.encoding == second.encoding
    elif what == "unpin":
        assert names(model) == ["base 4.0"]
    else:
        assert model.state.compared == (1 if what == "down" else 0)
        assert names(model) == ["base 3.0", "base 4.0"]
    model.emit_changes()
    model.set(
        pins=(Pin(encodings.create("index"), "other"), Pin(encodings.create("binary"), "another"))
    )
    before = model.state
    panel.rows[1].requested.emit(what)  # a row of a pin that is gone means nothing
    assert model.state == before
    model.emit_changes()


def test_a_typed_name_is_for_the_pin_that_it_was_typed_for(panel, model):
    pin(model, 2.0, 3.0, 4.0)
    QTest.keyClick(panel.rows[1].name, Qt.Key.Key_F2)
    QTest.keyClicks(panel.rows[1].name.editor, "mine")
    model.set(pins=model.state.pins[1:])
    QTest.keyClick(panel.rows[1].name.editor, Qt.Key.Key_Return)
    assert names(model) == ["mine", "base 4.0"]


def test_a_name_beside_the_pins_is_typed_and_says_what_it_is_without_one(panel, model):
    field = panel.current.field
    assert not field.isVisible()
    pin(model, 500.0)
    assert field.isVisible()
    assert (field.text(), field.placeholderText()) == ("", "base 10,000")
    model.set_encoding(base=20.0)
    settle(model)
    assert field.placeholderText() == "base 20"
    QTest.mouseClick(field, LEFT)
    QTest.keyClicks(field, "as in 2017")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(model)
    assert model.state.name == "as in 2017"
    model.set(name="")
    settle(model)
    assert (field.text(), field.placeholderText()) == ("", "base 20")
