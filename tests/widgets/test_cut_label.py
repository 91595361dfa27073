"""A line of text that ends in an ellipsis where there is no room."""

from pe_explorer.widgets.labels import ElidedLabel

LONG = "Heatmap: one position a row.   Clocks: 12 of 64 pairs; each point is one position."


def test_what_has_no_room_is_cut_with_an_ellipsis(qtbot):
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.setText(LONG)
    label.resize(label.fontMetrics().horizontalAdvance(LONG) + 1, 20)
    assert label.elided_text == LONG
    label.resize(200, 20)
    assert label.elided_text.endswith("…")
    assert LONG.startswith(label.elided_text[:-1])
    assert label.fontMetrics().horizontalAdvance(label.elided_text) <= 201  # rounded up
    assert label.text() == LONG


def test_a_text_wraps_where_all_its_lines_have_room(qtbot):
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.setText(LONG)
    width = label.fontMetrics().horizontalAdvance(LONG) * 3 // 4
    height = 2 * label.fontMetrics().lineSpacing()
    label.resize(width, height + 2)  # rounded up
    assert label.elided_text == LONG
    whole = label.grab().toImage()
    label.setText(LONG[: len(LONG) // 2])
    assert label.grab().toImage() != whole
    label.setText(LONG)
    label.resize(width, height - 2)
    assert label.elided_text.endswith("…")


def test_what_is_shown_is_painted(qtbot):
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.resize(200, 20)
    label.setText(LONG)
    cut = label.grab().toImage()
    label.setText(f"{LONG} And what nobody can see.")
    assert label.grab().toImage() == cut
    height = label.sizeHint().height()
    label.setText("")
    assert label.grab().toImage() != cut
    label.setText("<p>two<p>lines")
    assert label.sizeHint().height() == height  # it is no markup
