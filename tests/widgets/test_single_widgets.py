"""Lists, lines, labels, a progress bar and painters: what each promises by itself."""

import logging

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QFocusEvent, QImage, QPainter, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QStyleOptionComboBox,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.painting import device
from pe_explorer.params import FileName, Text, Whole
from pe_explorer.widgets.choice_fields import CheckBox, Combo
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.labels import TintedLabel, add_breaks, format_formula, make_text_label
from pe_explorer.widgets.line_fields import FileField, LineField, NumberField
from pe_explorer.widgets.progress import ProgressBar
from pe_explorer.widgets.theme import colours, make_palette
from tests.support.gestures import settle, turn_wheel
from tests.support.images import pixels

LEFT = Qt.MouseButton.LeftButton
COUNT = Whole(7, -100, 10**40, label="Count", help="A number.")
WORDS = Text("", 2000, 0, label="Words", help="Any.")
FILE = FileName("", (".npy",), label="File", help="A table.")


@pytest.fixture
def show(qtbot):
    """Return a function that shows widgets below each other; the last has the focus."""
    windows = []

    def show(*widgets):
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        layout = QVBoxLayout(window)
        for widget in widgets:
            layout.addWidget(widget)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        widgets[-1].setFocus()
        qtbot.waitUntil(widgets[-1].hasFocus)

    return show


# -- a list of words -------------------------------------------------------------------------------


@pytest.fixture
def combo(show):
    combo = Combo()
    for key in ("one", "two", "three"):
        combo.add(f"{key}!", key, f"help of <{key}>")
    show(combo)
    return combo


def test_a_word_without_room_ends_in_an_ellipsis(combo):
    combo.setItemText(0, "more words than there is room for")
    for width, is_cut in ((90, True), (500, False)):
        combo.setFixedWidth(width)
        option = QStyleOptionComboBox()
        combo.initStyleOption(option)
        assert option.currentText.startswith("more")
        assert option.currentText.endswith("…") == is_cut


@pytest.mark.parametrize("by_mouse", [True, False])
def test_a_word_that_is_picked_from_the_list_tells_how_the_list_was_opened(combo, qtbot, by_mouse):
    heard, listed = [], combo.view()
    combo.picked.connect(heard.append)
    for keys in (["Escape"], ["Down", "Return"]):
        if by_mouse:
            QTest.mouseClick(combo, LEFT)
        else:
            QTest.keyClick(combo, Qt.Key.Key_Space)
        qtbot.waitUntil(listed.isVisible)
        assert listed.minimumWidth() == listed.sizeHintForColumn(0) + 24
        for key in keys:
            QTest.keyClick(listed, getattr(Qt.Key, f"Key_{key}"))
        qtbot.waitUntil(lambda: not listed.isVisible())
        QTest.keyClick(combo, Qt.Key.Key_Down)  # in no list
        assert heard == [by_mouse] * (len(keys) - 1)
    assert combo.currentData() == "three"


def test_a_list_knows_its_words_by_their_keys(combo):
    assert combo.focusPolicy() == Qt.FocusPolicy.StrongFocus
    narrow = combo.width()
    combo.fit()
    widest = combo.fontMetrics().horizontalAdvance
    assert combo.width() == 34 + widest("three!") != narrow
    combo.rename_items({"two": "the second of three", "one": "one!"})
    assert combo.width() == 34 + widest("the second of three")
    for key, index in (("three", 2), (None, -1), ("one", 0)):
        combo.display(key)
        assert combo.currentIndex() == index
    tooltip, model = Qt.ItemDataRole.ToolTipRole, combo.model()
    combo.set_unavailable("two", "there is no room for <it>")
    assert [model.item(row).isEnabled() for row in range(3)] == [True, False, True]
    assert combo.itemData(1, tooltip) == "<p>There is no room for &lt;it&gt;.</p>"
    combo.set_unavailable("two", "")
    assert model.item(1).isEnabled()
    assert combo.itemData(1, tooltip) == "<p>help of &lt;two&gt;</p>"
    combo.add_heading("More")
    combo.add("four", "four", "")
    heading = model.item(combo.count() - 2)
    assert (heading.text(), heading.isEnabled(), heading.font().bold()) == ("More", False, True)
    assert combo.findData("four") == combo.count() - 1
    assert combo.itemData(combo.count() - 3, Qt.ItemDataRole.AccessibleDescriptionRole) == (
        "separator"
    )


def test_the_wheel_turns_a_list_that_has_the_focus_and_arrows_are_its_own(combo):
    up = combo.window().addAction("Up")
    up.setShortcut("Down")
    heard = []
    up.triggered.connect(heard.append)
    QTest.keyClick(combo, Qt.Key.Key_Down)
    assert turn_wheel(combo, -120)
    assert (combo.currentData(), heard) == ("three", [])
    combo.clearFocus()
    assert not turn_wheel(combo, 120)
    assert combo.currentData() == "three"


# -- lines -----------------------------------------------------------------------------------------


def picture(widget):
    return pixels(widget.grab().toImage())


def inside(widget):
    """Return what is painted within the frame of a line."""
    return picture(widget)[2:-2, 2:-2]


@pytest.mark.parametrize(
    ("make", "value", "width", "drawn"),
    [
        (lambda: NumberField(COUNT), 1234567, 200, "1,234,567"),
        (lambda: NumberField(COUNT), 10**15, 60, "10¹⁵"),
        (lambda: NumberField(COUNT), -12, 60, "−12"),
        (lambda: LineField(WORDS), "word " * 300, 100, "word word wo…"),
        (lambda: LineField(WORDS), "word", 100, "word"),
        (lambda: FileField(FILE), "/a/folder/with/a/table.npy", 100, "…h/a/table.npy"),
    ],
)
def test_a_line_that_is_not_edited_looks_as_if_its_short_form_was_typed(
    show, make, value, width, drawn
):
    field, plain = make(), QLineEdit()
    show(field, plain, QLineEdit())
    for each in (field, plain):
        each.setFixedWidth(width)
    field.display(value)
    if "…" in drawn:
        room = width - 2 * (
            field.style().pixelMetric(field.style().PixelMetric.PM_DefaultFrameWidth) + 2
        )
        drawn = field.fontMetrics().elidedText(field.text(), field.ELIDE_MODE, room)
        assert "…" in drawn
    plain.setText(drawn)
    settle()
    np.testing.assert_array_equal(inside(field), inside(plain))
    field.setFocus()
    settle()
    assert field.find_visible_end() == (len(field.text()) if isinstance(field, FileField) else 0)


def test_a_line_has_an_outline_while_its_text_is_not_a_legal_value(show):
    field, other = NumberField(COUNT), QLineEdit()
    show(field, other)
    other.setFocus()
    red = np.array(QColor(colours(field.palette()).reference).getRgb()[2::-1])
    for text, is_bad in (("12", False), ("x", True), ("12", False)):
        field.setText(text)
        field.textEdited.emit(text)
        outlined = np.abs(picture(field) - red).max(axis=-1) < 20
        assert outlined.any() == field.is_invalid == is_bad
    field.textEdited.emit("x")
    field.setText("x")
    field.setModified(True)
    field.textEdited.emit("x")
    rows, columns = np.nonzero(np.abs(picture(field) - red).max(axis=-1) < 20)
    assert (rows.min(), columns.min()) == (0, 0) or rows.min() + columns.min() <= 2
    assert columns.max() >= field.width() - 2
    assert rows.max() >= field.height() - 2
    assert len(rows) < 4 * (field.width() + field.height())


def test_the_edge_of_a_box_tells_whether_it_has_the_focus(show):
    box, other = CheckBox(), QLineEdit()
    show(box, other)
    shades = colours(box.palette())
    for focused, seen, unseen in (
        (other, shades.muted, shades.accent),
        (box, shades.accent, shades.muted),
    ):
        focused.setFocus()
        settle()
        found = [
            (np.abs(picture(box) - np.array(QColor(each).getRgb()[2::-1])).max(axis=-1) < 9).any()
            for each in (seen, unseen)
        ]
        assert found == [True, False]


def test_typed_text_counts_when_a_line_is_left_but_not_for_its_menu(qapp):
    field, heard = NumberField(COUNT), []
    field.entered.connect(heard.append)
    reasons = Qt.FocusReason
    for reason, wanted in ((reasons.PopupFocusReason, []), (reasons.TabFocusReason, [12])):
        field.setText("12")
        field.setModified(True)
        QApplication.sendEvent(field, QFocusEvent(QEvent.Type.FocusOut, reason))
        assert (heard, field.isModified()) == (wanted, not wanted)


def test_a_file_can_be_shown_without_its_folder_and_a_number_goes_on_within_its_limits(qapp):
    field = FileField(FILE)
    field.display("/home/somebody/t.npy")
    field.hide_folder()
    assert (field.text(), field.value) == ("t.npy", "/home/somebody/t.npy")
    assert "somebody" not in field.toolTip()
    words = LineField(WORDS)
    words.display("some words")
    assert (field.cursorPosition(), words.cursorPosition()) == (5, 0)  # which end is seen
    number, heard = NumberField(COUNT), []
    number.entered.connect(heard.append)
    for by in (5, -60, -60, 0):
        number.add(by)
    assert heard == [12, -48, -100]


# -- labels ----------------------------------------------------------------------------------------


def test_a_label_has_a_colour_of_the_theme_and_follows_it(qapp, qtbot):
    label = TintedLabel("a", scale=2.0)
    qtbot.addWidget(label)
    ink = QPalette.ColorRole.WindowText
    for theme in ("light", "dark"):
        label.setPalette(make_palette(theme))
        QApplication.sendEvent(label, QEvent(QEvent.Type.PaletteChange))
        for shade in ("muted", "accent", "reference", "text", "muted"):
            label.set_shade(shade)
            wanted = getattr(colours(make_palette(theme)), shade)
            assert label.palette().color(ink).name() == wanted
    assert label.font().pointSizeF() == 2 * qapp.font().pointSizeF()
    bold = make_text_label("accent", "<b>x</b>", scale=0.5, bold=True)
    qtbot.addWidget(bold)
    assert (bold.text(), bold.textFormat()) == ("<b>x</b>", Qt.TextFormat.PlainText)
    assert (bold.font().bold(), bold.wordWrap()) == (True, True)
    assert bold.font().pointSizeF() == qapp.font().pointSizeF() / 2
    assert bold.palette().color(ink).name() == colours(bold.palette()).accent
    plain = make_text_label("text")
    qtbot.addWidget(plain)
    assert not plain.font().bold()


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("ω_26 < x_1", "ω<sub>26</sub> &lt; x<sub>1</sub>"),
        ("10000^(-52/128)", "10000<sup>−52/128</sup>"),
        ("2e10^5 and 0.5", "(2·10¹⁰)<sup>5</sup> and 0.5"),
        ("at 12345 of 999", "at 12,345 of 999"),
    ],
)
def test_powers_are_raised_and_indices_lowered(formula, shown):
    assert format_formula(formula) == shown
    assert add_breaks("ab " + "x" * 45) == "ab " + ("x" * 20 + "\u200b") * 2 + "x" * 5


def test_a_button_is_called_by_its_action_and_what_it_is_about(qtbot):
    for about, name in (("", "Play"), ("heatmap", "Play: heatmap")):
        button = IconButton("play", "Play", about)
        qtbot.addWidget(button)
        assert button.accessibleName() == name
        assert button.size().toTuple() == (28, 28)
        assert (button.text(), button.autoRaise()) == ("Play", True)
        before = button.icon().cacheKey()
        button.set_action("play", "Play")
        assert button.icon().cacheKey() == before
        button.set_action("play", "Stop")
        assert button.accessibleName() == name.replace("Play", "Stop")


# -- progress --------------------------------------------------------------------------------------


def test_a_progress_bar_moves_then_shows_a_share_and_what_is_being_done(qtbot):
    outer, bar = QWidget(), ProgressBar()
    qtbot.addWidget(outer)
    QVBoxLayout(outer).addWidget(bar)
    outer.show()
    room = outer.sizeHint()
    assert not bar.isVisible()
    for _ in range(2):
        bar.begin()
        assert (bar.isVisible(), bar.minimum(), bar.maximum()) == (True, 0, 0)
        bar.show_share(0.2504, "fitting")
        assert bar.value() / bar.maximum() == 0.25
        assert bar.text() == "fitting… 25%"
        bar.show_share(1.0)
        assert (bar.value(), bar.text()) == (bar.maximum(), "100%")
        assert outer.sizeHint() == room
        bar.end()
        assert not bar.isVisible()
        assert bar.value() < bar.minimum() == 0 < bar.maximum()


# -- painters --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ratio", "across", "down"), [(1.0, 7.4, 3.6), (1.5, 7.3, 9.1)])
def test_a_painter_counts_device_pixels_for_a_while_and_snaps_to_them(ratio, across, down):
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    painter.translate(across, down)
    before = painter.deviceTransform()
    with device.paint_in_device_pixels(painter) as to_device:
        assert to_device == before
        assert painter.deviceTransform().map(QPoint(5, 6)) == QPoint(5, 6)
    assert painter.deviceTransform() == before
    device.snap_to_pixels(painter)
    after = painter.deviceTransform()
    for now, then in ((after.dx(), before.dx()), (after.dy(), before.dy())):
        assert now == pytest.approx(round(then))
    painter.end()


def test_an_error_while_painting_is_logged_and_goes_no_further(caplog):
    @device.log_errors
    def paint(given, *, error):
        seen.append(given)
        if error:
            raise error

    seen = []
    with caplog.at_level(logging.ERROR):
        paint(1, error=None)
        assert caplog.records == []
        paint(2, error=ValueError("no such wave"))
    assert (seen, paint.__name__) == ([1, 2], "paint")
    assert "no such wave" in caplog.text
    assert "paint failed" in caplog.records[0].getMessage()
    caplog.clear()
