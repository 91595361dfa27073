"""The gallery: its page, how an exhibit is opened, and the strip above the panes."""

from itertools import chain

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from pe_explorer.app.window.gallery_cards import GalleryCard
from pe_explorer.exploration import Exploration
from pe_explorer.gallery import exhibits as exhibit_files
from pe_explorer.gallery.exhibits import QUESTIONS, exhibits
from pe_explorer.gallery.lessons import lessons
from tests.app.acts import change, click_on, encode, press_key
from tests.support.exhibits import DOCUMENTS
from tests.support.gestures import numbered_points, settle, wait_for_worker
from tests.support.windows import CANCEL, DISCARD, answer_message, message_boxes, trigger

LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def page(window, qtbot):
    """The gallery, open and filled."""
    window.resize(1280, 800)
    assert not window.centre.has_gallery
    window.centre.show_gallery()
    assert window.centre.page.isVisible()
    assert window.centre.page.cards == {}, "the page comes before its cards"
    qtbot.waitUntil(lambda: len(window.centre.page.cards) == len(exhibits()))
    settle()
    return window.centre.page


def shown(page):
    """Return the names of the cards that are shown, by the titles of their sections."""
    return {
        section.title: [card.name for card in section.grid.shown]
        for section in page.sections
        if section.grid.shown
    }


def open_exhibit(window, name):
    window.exhibit_walk.open(name)
    settle(window.model)


def focused():
    return QApplication.focusWidget()


# -- the page ----------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["rail", "menu", "keys", "all exhibits"])
def test_there_are_four_ways_to_it(window, qtbot, way):
    open_exhibit(window, "000-clocks")
    if way == "rail":
        qtbot.mouseClick(window.rail.gallery_button, LEFT)
    elif way == "menu":
        trigger(window, "gallery")
    elif way == "keys":
        QTest.keyClick(window.active_view(), Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    else:
        qtbot.mouseClick(window.centre.strip.all_button, LEFT)
    settle(window.model)
    assert window.centre.has_gallery
    assert not window.workspace.isVisible()
    assert window.rail.gallery_button.isChecked()
    assert focused() is window.centre.page.search


@pytest.mark.parametrize("way", ["Esc", "cross", "view", "rail", "undo", "new"])
def test_it_gives_the_place_back_to_the_panes(window, page, qtbot, way):
    window.model.set_encoding(base=10_000)
    window.centre.show_gallery()
    if way == "Esc":
        QTest.keyClick(page.search, Qt.Key.Key_Escape)
    elif way == "cross":
        qtbot.mouseClick(page.close_button, LEFT)
    elif way == "view":
        qtbot.mouseClick(window.rail.buttons["waves"], LEFT)
    elif way == "rail":
        qtbot.mouseClick(window.rail.gallery_button, LEFT)
    elif way == "undo":
        window.model.set_encoding(base=55)
    else:
        trigger(window, "new")
    settle(window.model)
    assert not window.centre.has_gallery
    assert window.workspace.isVisible()
    assert not window.rail.gallery_button.isChecked()
    assert window.workspace.isAncestorOf(focused())
    if way == "view":
        assert window.active_view() is window.view("waves")


def test_exhibits_stand_after_the_lessons_by_question_or_by_document(page, qtbot):
    groups = shown(page)
    assert next(iter(groups)) == "Lessons"
    assert groups.pop("Lessons") == list(lessons())
    assert list(groups) == [title for title in QUESTIONS.values() if title in groups]
    for title, names in groups.items():
        assert {QUESTIONS[exhibits()[name].question] for name in names} == {title}
    assert sorted(chain.from_iterable(groups.values())) == sorted(exhibits())
    button = page.findChild(QToolButton, "document")
    qtbot.mouseClick(button, LEFT)
    settle()
    groups = shown(page)
    first, *headings, last = groups
    assert (first, last) == ("Lessons", "Beyond the documents")
    for file, heading in zip(DOCUMENTS, headings, strict=True):
        titles = {exhibits()[name].document.title for name in groups[heading]}
        assert [f"{title} ({file})" for title in titles] == [heading]
    names = list(chain.from_iterable(list(groups.values())[1:]))
    assert sorted(names) == sorted(exhibits())


def place_in(page):
    """Return how cards are sorted by their places, as one reads."""
    return lambda card: (card.mapTo(page, QPoint()).y(), card.mapTo(page, QPoint()).x())


def test_a_title_that_is_asked_for_comes_first(page, qtbot):
    title = "Sines without cosines"
    qtbot.keyClicks(page.search, title)
    assert len(list(chain.from_iterable(shown(page).values()))) > 1, "others speak of them, too"
    settle()
    visible = [card for card in page.findChildren(GalleryCard) if card.isVisible()]
    visible.sort(key=place_in(page))
    assert visible[0].title == title
    QTest.keyClick(page.search, Qt.Key.Key_Down)
    assert focused() is visible[0]
    page.search.clear()
    assert next(iter(shown(page))) == "Lessons"
    settle()
    tops = [section.mapTo(page, QPoint()).y() for section in page.sections]
    assert tops == sorted(tops)


def test_enter_opens_the_first_that_is_found_and_where_nothing_is_a_sentence(window, page, qtbot):
    qtbot.keyClicks(page.search, "rhinoceros")
    labels = [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
    assert "Nothing in the gallery has all these words. Try fewer." in labels
    assert shown(page) == {}
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    QTest.keyClick(page.search, Qt.Key.Key_Down)
    assert focused() is page.search
    page.search.clear()
    qtbot.keyClicks(page.search, "a lone sine")
    press_key(window, page.search, Qt.Key.Key_Return)
    assert window.exhibit_walk.exhibit is exhibits()["x-odd-width"]
    assert not window.centre.has_gallery


def test_arrow_keys_go_from_card_to_card(window, page):
    QTest.keyClick(page.search, Qt.Key.Key_Down)
    cards = [card for section in page.sections for card in section.grid.shown]
    assert focused() is cards[0]
    QTest.keyClick(focused(), Qt.Key.Key_Right)
    assert focused() is cards[1]
    QTest.keyClick(focused(), Qt.Key.Key_Left)
    QTest.keyClick(focused(), Qt.Key.Key_Up)
    assert focused() is page.search
    QTest.keyClick(page.search, Qt.Key.Key_Down)
    seen = [focused()]
    for _ in cards:
        QTest.keyClick(focused(), Qt.Key.Key_Right)
        seen.append(focused())
    assert set(seen) == set(cards), "Right goes through all of them"
    assert focused().visibleRegion().boundingRect() == focused().rect()
    for _ in cards:
        QTest.keyClick(focused(), Qt.Key.Key_Down)
    press_key(window, focused(), Qt.Key.Key_Return)
    assert window.exhibit_walk.exhibit is not None


@pytest.mark.parametrize("size", [(800, 560), (1280, 800), (1920, 1080)])
def test_no_text_of_a_card_is_cut_off(window, page, size):
    window.resize(*size)
    settle(window.model)
    for card in (*page.cards.values(), *page.lesson_cards.values()):
        for label in card.findChildren(QLabel):
            assert card.rect().contains(label.geometry()), card.title
            if label.wordWrap():
                assert label.heightForWidth(label.width()) <= label.height(), card.title


# -- opening -----------------------------------------------------------------------------------


def test_a_card_opens_its_exhibit_with_all_that_it_fixes(window, page):
    for name, exhibit in exhibits().items():
        window.model.set(position=9)
        window.model.set_options("heatmap", values="viridis")
        settle(window.model)
        window.centre.show_gallery()
        page.cards[name].click()
        if message_boxes(window):  # before the first, and not of an exhibit that was changed
            answer_message(window, DISCARD)
        settle(window.model)
        assert window.model.state.intention == exhibit.exploration
        assert not window.centre.has_gallery
        assert window.active_view().picture.name == exhibit.exploration.panes.active
        assert window.workspace.isAncestorOf(focused())
        assert window.centre.strip.title.text() == exhibit.title
        assert not window.document.modified
        assert window.windowTitle() == "PE Explorer"
        check_words(window, exhibit)
        check_numbers(window, exhibit)


def check_words(window, exhibit):
    """Check that the panel at the right shows the words of an exhibit."""
    panel = window.right_panel.parts().explanation.page
    words = panel.exhibit
    assert words.isVisible()
    assert words.title.text() == exhibit.title
    points = [row.text.text() for row in words.points if row.isVisibleTo(words)]
    assert points == list(window.exhibit_walk.texts.look)
    assert not words.back_button.isVisibleTo(words)
    tries = [row.button.text() for row in words.tries if row.isVisibleTo(words)]
    assert tries == [each.label for each in exhibit.tries]
    assert words.text.isVisibleTo(words) == bool(exhibit.text)
    assert words.truth.isVisibleTo(words) == bool(exhibit.truth)
    assert words.source.text() == exhibit.source
    assert words.file.text() == exhibit.source_file
    for label in (words.source, words.file):
        assert label.isVisibleTo(words) == bool(exhibit.place)
    assert panel.title.isVisibleTo(panel), "the view's own words stand below"
    assert panel.widget().width() <= panel.viewport().width()


def check_numbers(window, exhibit):
    """Check that each number is in its view, where the words of the exhibit say."""
    wait_for_worker(window.model)
    QTest.qWait(1)
    settle(window.model)
    named = [point.at for point in exhibit.look]
    for view in window.workspace.built.values():
        marks = numbered_points(view)
        own = {number for number, at in enumerate(named, 1) if at and at.view == view.picture.name}
        assert set(marks) <= own
        if view.isVisible():
            assert all(view.rect().contains(marks[number]) for number in marks)


def test_unsaved_changes_are_asked_about_and_cancel_keeps_all(window):
    encode(window, base=77)
    before = window.model.state
    open_exhibit(window, "000-clocks")
    assert window.model.state == before
    answer_message(window, CANCEL)
    assert window.model.state == before
    assert window.exhibit_walk.exhibit is None
    open_exhibit(window, "000-clocks")
    answer_message(window, DISCARD)
    assert window.exhibit_walk.exhibit is exhibits()["000-clocks"]


def test_opening_is_one_step_of_undo_and_a_changed_exhibit_is_no_work_of_the_users(window):
    change(window, position=21, dimension=5)
    before, walk = window.model.state, window.exhibit_walk
    open_exhibit(window, "000-clocks")
    open_exhibit(window, "000-turn")
    encode(window, base=77)
    open_exhibit(window, "x-odd-width")
    assert message_boxes(window) == []
    for opened, touched in (("000-turn", True), ("000-turn", False), ("000-clocks", False)):
        trigger(window, "undo")
        assert walk.exhibit is exhibits()[opened]
        assert walk.touched == touched
    trigger(window, "undo")
    assert window.model.state == before
    assert walk.exhibit is None
    trigger(window, "redo")
    assert walk.exhibit is exhibits()["000-clocks"]
    assert window.model.state.intention == exhibits()["000-clocks"].exploration


def test_the_cross_puts_the_strip_away_and_changes_nothing(window, qtbot):
    open_exhibit(window, "000-clocks")
    before = window.model.state
    click_on(window, window.centre.strip.close_button)
    assert not window.centre.strip.isVisible()
    assert window.model.state == before
    page = window.right_panel.parts().explanation.page
    assert not page.exhibit.isVisible()
    assert page.title.isVisible()


def test_a_new_exploration_has_no_exhibit(window):
    open_exhibit(window, "000-clocks")
    trigger(window, "new")
    assert window.exhibit_walk.exhibit is None
    assert not window.centre.strip.isVisible()
    assert window.model.state.intention.with_(panes=None) == Exploration()


# -- the strip ---------------------------------------------------------------------------------


def test_next_and_previous_go_through_all_and_round(window):
    names = list(exhibits())
    strip = window.centre.strip
    trigger(window, "next_exhibit")
    assert window.exhibit_walk.exhibit.id == names[0]
    assert strip.place.text() == f"1/{len(names)}"
    trigger(window, "previous_exhibit")
    assert window.exhibit_walk.exhibit.id == names[-1]
    press_key(window, window.active_view(), Qt.Key.Key_PageDown, ALT)
    press_key(window, window.active_view(), Qt.Key.Key_PageDown, ALT)
    assert window.exhibit_walk.exhibit.id == names[1]
    assert strip.place.text() == f"2/{len(names)}"


def test_restore_comes_with_a_change_and_takes_it_back(window, qtbot):
    strip = window.centre.strip
    open_exhibit(window, "000-clocks")
    assert not strip.restore_button.isVisible()
    change(window, position=3)
    assert not strip.restore_button.isVisible(), "the cursor is no change"
    encode(window, base=50)
    assert strip.restore_button.isVisible()
    click_on(window, strip.restore_button)
    assert window.model.state.intention == exhibits()["000-clocks"].exploration
    assert not strip.restore_button.isVisible()


# -- the words ---------------------------------------------------------------------------------


def test_words_that_do_not_hold_any_more_go_at_once_and_a_button_leads_back(window, qtbot):
    open_exhibit(window, "000-base-1e8")
    words = window.right_panel.parts().explanation.page.exhibit
    note = words.note.text()

    def said():
        return [row.text.text() for row in words.points if row.isVisibleTo(words)]

    opened = said()
    window.model.set_encoding(base=1e3)
    window.model.announce()
    assert not words.note.isVisibleTo(words)
    assert "of the 64 pairs complete a turn." in said()[1]
    assert said()[1] != opened[1]
    window.model.set(show="current", count=100_000)
    window.model.announce()
    assert len(said()) < len(opened)
    click_on(window, words.back_button)
    assert said() == opened
    assert words.note.text() == note
    assert not words.back_button.isVisibleTo(words)


def test_the_mark_of_a_sentence_goes_with_it(window):
    open_exhibit(window, "003-dot")
    distances = window.workspace.built["distances"]

    def marked():
        points = distances.findChildren(QWidget)
        names = [each.objectName() for each in points if each.isVisible()]
        return [name for name in names if name.startswith("point.")]

    assert len(marked()) == 3
    change(window, metric="cosine")
    assert marked() == []
    window.undoing.undo()
    settle(window.model)
    assert len(marked()) == 3


def test_a_badly_edited_file_is_named_in_one_line(window, qtbot, monkeypatch):
    monkeypatch.setattr(exhibit_files, "problems", lambda: ("The exhibit in x.json is bad.", "b"))
    trigger(window, "gallery")
    qtbot.waitUntil(lambda: bool(window.centre.page.cards))
    assert window.centre.page.problems.text() == "The exhibit in x.json is bad. (and 1 more)"


def test_a_change_that_closing_brings_about_is_no_reason_to_show_the_panes(window, page):
    window.model.set(count=77)  # as a field in edit does that loses the keys to nothing
    window.leave()
    assert window.centre.has_gallery
