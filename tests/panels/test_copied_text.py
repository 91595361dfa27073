"""Text that was copied from a panel is still in the clipboard when the program ends."""

import subprocess
import sys

import pytest

PROGRAM = """
from PySide6.QtWidgets import QApplication
from pe_explorer.panels.inspector import FormulaBox
from pe_explorer.panels.model_page import ModelPage
app = QApplication(["pe-explorer", "-platform", "offscreen"])
page = ModelPage()
box = {box}
box.setPlainText("1")
box.selectAll()
box.copy()
assert app.clipboard().mimeData().hasText()
"""


@pytest.mark.parametrize("box", ["FormulaBox()", "page.text"])
def test_the_program_ends_well_after_text_was_copied(box):
    program = PROGRAM.format(box=box)
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0
