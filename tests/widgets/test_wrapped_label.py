"""Labels that wrap their text keep a number and its unit on one line."""

from PySide6.QtWidgets import QLabel

from pe_explorer.widgets.labels import make_text_label

TEXT = "The share of 31.1 % is 3 ° and cos 1 ≈ 0.54, so a sign or sin is not united."
UNITED = TEXT
for words in ("31.1 %", "3 °", "cos 1 ≈ 0.54"):
    UNITED = UNITED.replace(words, words.replace(" ", "\u00a0"))


def test_no_line_ends_between_a_number_and_its_unit(qtbot):
    for label in (make_text_label("text", TEXT), make_text_label("text")):
        qtbot.addWidget(label)
        label.setText(TEXT)
        assert QLabel.text(label) == UNITED
        assert label.text() == TEXT
