"""The panel of pins, with mouse and keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QScrollArea

from pe_explorer import encodings
from pe_explorer.exploration import MOST_PINS, PIN_COLOURS, Pin
from pe_explorer.panels.pins import PinsPanel
from pe_explorer.widgets.theme import colours, pin_shade
from tests.support.gestures import settle

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


def test_the_button_pins_what_is_set_up(panel, model):
    assert panel.purpose.isVisible()
    for base in (500.0, 20.0):
        model.set_encoding(base=base)
        QTest.mouseClick(panel.button, LEFT)
        settle(model)
    assert [one.encoding.base for one in model.state.pins] == [500.0, 20.0]
    assert model.state.compared == 1
    assert [row.name.text for row in panel.rows if row.isVisible()] == [
        "sinusoidal d=128 b=500",
        "sinusoidal d=128 b=20",
    ]
    assert not panel.purpose.isVisible()


def test_one_too_many_is_refused_with_a_sentence(panel, model, qtbot):
    pin(model, *range(2, 2 + MOST_PINS))
    with qtbot.waitSignal(model.refused) as refusal:
        QTest.mouseClick(panel.button, LEFT)
    assert refusal.args[0].endswith("unpin one first.")
    assert len(model.state.pins) == MOST_PINS


def test_a_click_on_a_name_compares_with_it(panel, model):
    pin(model, 2, 3, 4)
    QTest.mouseClick(panel.rows[2].name, LEFT)
    settle(model)
    assert model.state.compared == 2
    assert QApplication.focusWidget() is panel.rows[2].name
    marks = [row.grab().toImage().pixelColor(1, 12) for row in panel.rows]
    assert marks[2] == QColor(colours(panel.palette()).accent)
    assert marks[0] == marks[1] != marks[2]


def test_the_buttons_of_a_row(panel, model):
    pin(model, 2, 3, 4)
    QTest.mouseClick(panel.rows[1].restore, LEFT)
    settle(model)
    assert model.state.encoding.base == 3
    assert len(model.state.pins) == 3
    QTest.mouseClick(panel.rows[0].remove, LEFT)
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
        widget for widget in reached if widget in (row.colour, row.name, row.restore, row.remove)
    ] == [row.colour, row.name, row.restore, row.remove]
    assert not any(
        other.isAncestorOf(widget) for other in (panel.rows[0], panel.rows[2]) for widget in reached
    )


def rename(panel, index, text):
    name = panel.rows[index].name
    QTest.mouseDClick(name, LEFT)
    QTest.keyClicks(name.editor, text)
    return name


def test_a_name_is_typed_after_a_double_click_and_taken_when_it_is_left(panel, model):
    pin(model, 2, 3)
    rename(panel, 1, "left")
    panel.button.setFocus()
    settle(model)
    assert names(model) == ["base 2", "left"]
    assert QApplication.focusWidget() is panel.button


def test_escape_leaves_the_name_as_it_was(panel, model):
    pin(model, 2)
    name = rename(panel, 0, "no")
    press(Qt.Key.Key_Escape)
    settle(model)
    assert names(model) == ["base 2"]
    assert name.editor is None


def test_a_name_is_taken_when_what_it_stands_in_is_hidden(panel, model):
    pin(model, 2, 3)
    name = rename(panel, 1, "kept")
    panel.hide()
    settle(model)
    assert names(model) == ["base 2", "kept"]
    panel.show()
    settle(model)
    assert name.editor is None
    assert name.text == "kept"
    assert not any(editor.isVisible() for editor in name.findChildren(QLineEdit))


def test_an_empty_name_is_refused(panel, model, qtbot):
    pin(model, 2)
    rename(panel, 0, "   ")
    with qtbot.waitSignal(model.refused) as refusal:
        press(Qt.Key.Key_Return)
    assert refusal.args[0] == "Name: '   ' has 0 characters (1 to 60 characters)."
    assert names(model) == ["base 2"]


def test_keys_of_the_list_are_letters_and_moves_while_a_name_is_typed(panel, model):
    pin(model, 2, 3)
    rename(panel, 0, "ab")
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
    image = panel.rows[1].colour.grab().toImage()
    assert image.pixelColor(image.rect().center()) == QColor(pin_shade("teal", panel.palette()))


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
            for w in (row.colour, row.name, row.restore, row.remove)
        ]
        assert right == sorted(right)
        assert right[-1] < width
        assert LONG in row.name.toolTip()


def test_a_new_pin_can_be_seen(panel, model):
    panel.window().resize(256, 120)
    for _ in range(6):
        QTest.mouseClick(panel.button, LEFT)
        settle(model)
    newest = panel.rows[5]
    place = newest.mapTo(panel.parentWidget(), newest.rect().center())
    assert panel.parentWidget().rect().contains(place)


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
    panel.rows[1].asked.emit(1, what)
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
    model.announce()


def test_a_typed_name_is_for_the_pin_that_it_was_typed_for(panel, model):
    pin(model, 2.0, 3.0, 4.0)
    QTest.keyClick(panel.rows[1].name, Qt.Key.Key_F2)
    QTest.keyClicks(panel.rows[1].name.editor, "mine")
    model.set(pins=model.state.pins[1:])
    QTest.keyClick(panel.rows[1].name.editor, Qt.Key.Key_Return)
    assert names(model) == ["mine", "base 4.0"]


@pytest.mark.parametrize("what", ["colour", "compare", "restore", "unpin", "up", "down"])
def test_a_row_of_a_pin_that_is_gone_means_nothing(panel, model, what):
    pin(model, 2.0, 3.0)
    model.set(
        pins=(Pin(encodings.create("index"), "other"), Pin(encodings.create("binary"), "another"))
    )
    before = model.state
    panel.rows[1].asked.emit(1, what)
    assert model.state == before
    assert [row.name.text for row in panel.rows if row.isVisible()] == ["other", "another"]
    model.announce()


def test_a_name_beside_the_pins_is_typed_and_says_what_it_is_without_one(panel, model):
    field = panel.current.field
    assert not field.isVisible()
    pin(model, 500.0)
    assert field.isVisible()
    assert (field.text(), field.placeholderText()) == ("", "b = 10,000")
    model.set_encoding(base=20.0)
    settle(model)
    assert field.placeholderText() == "b = 20"
    QTest.mouseClick(field, LEFT)
    QTest.keyClicks(field, "as in 2017")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(model)
    assert model.state.name == "as in 2017"
    model.set(name="")
    settle(model)
    assert (field.text(), field.placeholderText()) == ("", "b = 20")
