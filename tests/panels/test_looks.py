"""Panels look as on record: see `tests.support.looks`."""

import pytest

from pe_explorer import encodings
from pe_explorer.exploration import DirectStore, Pin, resolve
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.lessons import lessons
from pe_explorer.panels.encoding import EncodingPanel
from pe_explorer.panels.explanation_page import ExplanationPage
from pe_explorer.panels.inspector import Inspector
from pe_explorer.panels.lesson_page import LessonStep
from pe_explorer.panels.model_page import ModelPage
from pe_explorer.panels.pins import PinsPanel
from pe_explorer.panels.readout import Readout
from pe_explorer.panels.transport import TransportBar
from tests.support.gestures import settle
from tests.support.looks import assert_recorded


@pytest.mark.parametrize(
    "kind", [EncodingPanel, TransportBar, Inspector, PinsPanel, ModelPage, Readout]
)
def test_a_panel(show_panel, model, kind):
    model.set(pins=(Pin(encodings.create("index"), "a"), Pin(encodings.create("binary"), "b")))
    panel = show_panel(kind(), 400, 620)
    settle(model)
    if kind is PinsPanel:
        panel.rows[0].name.rename()
    assert_recorded(__file__, kind.__name__, panel)


def test_a_page(qtbot):
    page = ExplanationPage()
    qtbot.addWidget(page)
    exhibit, lesson = exhibits()["000-base-1e8"], lessons()["000"]
    state = resolve(exhibit.exploration, DirectStore())
    page.explain("heatmap", state)
    assert_recorded(__file__, "guide", page)
    page.show_words(exhibit, exhibit.texts_for(state), None)
    assert_recorded(__file__, "exhibit", page)
    step = lesson.steps[0]
    texts = step.texts_for(resolve(step.exhibit.exploration, DirectStore()), done=False)
    page.show_words(None, None, LessonStep(lesson, texts, 1, 9, step, False, False, ""))
    assert_recorded(__file__, "lesson", page)
