"""The gallery: its page, its exhibits, the strip above the panes, and the cards of the start."""

from itertools import chain

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from pe_explorer.app.settings.settings import LessonProgress, SettingsFile
from pe_explorer.app.window.gallery_page import GalleryCard
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.gallery import exhibits as exhibit_files
from pe_explorer.gallery.exhibits import QUESTIONS, exhibits, load_documents
from pe_explorer.gallery.lessons import lessons
from pe_explorer.gallery.start_here import cards
from tests.app.settings.inis import running_window
from tests.app.windows import (
    CANCEL,
    DISCARD,
    answer_message,
    change,
    click_on,
    encode,
    message_boxes,
    press_key,
    trigger,
)
from tests.support.gestures import numbered_points, settle, spot, wait_for_worker

LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def page(window, qtbot):
    """The gallery, open and filled."""
    window.centre.show_gallery()
    assert window.centre.page.isVisible()
    assert window.centre.page.cards == {}, "the page comes before its cards"
    qtbot.waitUntil(lambda: len(window.centre.page.cards) == len(exhibits()))
    settle()
    return window.centre.page


def card_names(page):
    """Return the names of the cards that are shown, by the titles of their sections."""
    sections = [section for section in page.sections if section.grid.shown_cards]
    return {section.title: [card.name for card in section.grid.shown_cards] for section in sections}


def open_exhibit(window, name):
    """Open an exhibit, and wait until its numbers are in its pictures."""
    window.exhibit_walk.open(name)
    show_numbers(window)
    return window.right_panel.pages().explanation.page.exhibit


def show_numbers(window):
    wait_for_worker(window.model)
    QTest.qWait(1)
    settle(window.model)


def focused():
    return QApplication.focusWidget()


# -- the page ----------------------------------------------------------------------------------


def test_there_are_ways_to_it_and_ways_back_to_the_panes(window, qtbot):
    open_exhibit(window, "000-clocks")
    page, rail = window.centre.page, window.rail
    gallery, new = (window.actions_by_key[key].trigger for key in ("gallery", "new"))
    keys = (Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    ways = (
        rail.gallery_button.click,
        gallery,
        lambda: qtbot.keyClick(window.find_active_view(), *keys),
        window.centre.strip.exhibits_button.click,
    )
    ways_back = (
        lambda: qtbot.keyClick(page.search, Qt.Key.Key_Escape),
        lambda: qtbot.keyClick(page.lesson_cards[next(iter(lessons()))], Qt.Key.Key_Escape),
        page.close_button.click,
        rail.gallery_button.click,
        new,
        lambda: window.model.set_encoding(base=55),
        rail.buttons["waves"].click,
    )
    for number, go_back in enumerate(ways_back):
        ways[number % len(ways)]()
        settle(window.model)
        assert window.centre.has_gallery, number
        assert not window.workspace.isVisible()
        assert window.rail.gallery_button.isChecked()
        assert focused() is page.search
        assert "Esc" in window.status_bar.sentence.text()
        go_back()
        settle(window.model)
        assert not window.centre.has_gallery, number
        assert window.workspace.isVisible()
        assert not window.rail.gallery_button.isChecked()
        assert window.workspace.isAncestorOf(focused())
        assert window.status_bar.sentence.text() == window.find_active_view().status
    assert window.find_active_view() is window.view("waves")


def test_exhibits_stand_after_the_lessons_by_question_or_by_document(page, qtbot):
    groups = card_names(page)
    assert next(iter(groups)) == "Lessons"
    assert groups.pop("Lessons") == list(lessons())
    tours_title = next(iter(groups))
    tours = groups.pop(tours_title)
    assert [exhibits()[name].document for name in tours] == list(load_documents().values())
    assert list(groups) == [title for title in QUESTIONS.values() if title in groups]
    for title, names in groups.items():
        assert {QUESTIONS[exhibits()[name].question] for name in names} == {title}
    assert sorted(chain.from_iterable(groups.values())) == sorted(exhibits())
    assert all(page.findChild(QToolButton, name).toolTip() for name in ("question", "document"))
    qtbot.mouseClick(page.findChild(QToolButton, "document"), LEFT)
    settle()
    groups = card_names(page)
    first, second, *headings, last = groups
    assert (first, second, last) == ("Lessons", tours_title, "No source document")
    assert headings == [document.name for document in load_documents().values()]
    for heading in headings:
        assert {exhibits()[name].document.name for name in groups[heading]} == {heading}
    assert [groups[heading][0] for heading in headings] == groups[tours_title], (
        "a tour begins there"
    )
    del groups["Lessons"], groups[tours_title]
    assert sorted(chain.from_iterable(groups.values())) == sorted(exhibits())


def test_what_is_searched_comes_first_and_enter_opens_it(window, page, qtbot):
    title = exhibits()["002-from-1"].title
    qtbot.keyClicks(page.search, title)
    assert len(list(chain.from_iterable(card_names(page).values()))) > 1, (
        "others speak of them, too"
    )
    settle()
    visible = [card for card in page.findChildren(GalleryCard) if card.isVisible()]
    places = [card.mapTo(page, QPoint()).toTuple()[::-1] for card in visible]
    first = visible[places.index(min(places))]
    assert first.title == title
    QTest.keyClick(page.search, Qt.Key.Key_Down)
    assert focused() is first
    page.search.clear()
    settle()
    assert next(iter(card_names(page))) == "Lessons"
    tops = [section.mapTo(page, QPoint()).y() for section in page.sections]
    assert tops == sorted(tops)
    page.search.setFocus()
    qtbot.keyClicks(page.search, "rhino")
    window.centre.show_panes()
    window.centre.show_gallery()
    assert page.search.selectedText() == "rhino"
    qtbot.keyClicks(page.search, "rhinoceros")
    assert card_names(page) == {}
    assert any(label.text().startswith("No results") for label in page.findChildren(QLabel))
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    QTest.keyClick(page.search, Qt.Key.Key_Down)
    assert focused() is page.search
    page.search.clear()
    odd = exhibits()["x-odd-width"]
    qtbot.keyClicks(page.search, odd.note)
    press_key(window, page.search, Qt.Key.Key_Return)
    assert window.exhibit_walk.exhibit is odd
    assert not window.centre.has_gallery


def test_arrow_keys_go_from_card_to_card(window, page):
    QTest.keyClick(page.search, Qt.Key.Key_Down)
    cards = [card for section in page.sections for card in section.grid.shown_cards]
    assert focused() is cards[0]
    QTest.keyClick(focused(), Qt.Key.Key_Up)
    assert focused() is page.search
    QTest.keyClick(page.search, Qt.Key.Key_Down)
    QTest.keyClick(cards[0], Qt.Key.Key_Down)
    way = focused().mapTo(page, QPoint()) - cards[0].mapTo(page, QPoint())
    assert (way.x(), way.y() > 0) == (0, True)
    QTest.keyClick(focused(), Qt.Key.Key_Up)
    QTest.keyClick(cards[0], Qt.Key.Key_Left)
    for card in cards:
        assert focused() is card
        QTest.keyClick(card, Qt.Key.Key_Right)
    assert cards[-1].visibleRegion().boundingRect() == cards[-1].rect()
    QTest.keyClick(focused(), Qt.Key.Key_Left)
    assert focused() is cards[-2]
    for _ in cards:
        QTest.keyClick(focused(), Qt.Key.Key_Down)
    press_key(window, focused(), Qt.Key.Key_Return)
    assert window.exhibit_walk.exhibit is not None


def test_cards_stand_in_even_rows_and_show_what_they_open_in_the_colours_of_the_theme(
    window, page, qapp
):
    for section in (each for each in page.sections if each.grid.shown_cards):
        grid, shown_cards = section.grid, section.grid.shown_cards
        columns = (grid.width() + 6) // 256
        for number, card in enumerate(shown_cards):
            place, (row, column) = card.geometry(), divmod(number, columns)
            beside = shown_cards[number - 1].geometry() if column else None
            above = shown_cards[(row - 1) * columns : row * columns]
            top = max((each.geometry().bottom() + 7 for each in above), default=0)
            assert (place.top(), place.left()) == (top, beside.right() + 7 if beside else 0)
            assert place.height() == (beside or place).height() >= 86
            assert place.width() == (grid.width() + 6) // columns - 6
        assert grid.height() == shown_cards[-1].geometry().bottom() + 1
    steps = {name: len(lesson.steps) for name, lesson in lessons().items()}
    for name, card in page.lesson_cards.items():
        assert card.accessibleName() == f"{lessons()[name].title}, {steps[name]} steps"
    window.settings.change(lessons={"waves": LessonProgress(0, frozenset({0, 1, 99}))})
    window.centre.show_panes()
    window.centre.show_gallery()
    card, note = page.lesson_cards["waves"], f"2 of {steps['waves']} steps done"
    assert card.accessibleName().endswith(f", {note}")
    assert note in [label.text() for label in card.findChildren(QLabel)]
    exhibit = exhibits()["000-clocks"]
    card = page.cards[exhibit.id]
    assert card.accessibleDescription() == exhibit.note
    labels = card.findChildren(QLabel)
    assert all(
        each.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents) for each in labels
    )
    (picture,) = [each for each in labels if not each.text()]
    for theme, path in (("light", exhibit.picture), ("dark", exhibit.dark_picture_path)):
        qapp.set_theme(theme)
        picture.grab()
        assert picture.pixmap().toImage() == QPixmap(str(path)).toImage()
    window.centre.show_panes()
    assert picture.pixmap().isNull()  # those of all cards take megabytes


def test_no_text_of_a_card_is_cut_off_and_a_badly_edited_file_is_named(window, monkeypatch):
    problems = ("The exhibit in x.json is bad.", "b")
    monkeypatch.setattr(exhibit_files, "problems", lambda: problems)
    page, strip = window.centre.page, window.start_cards
    page.fill()
    assert problems[0] in page.problems.text()
    assert "1 more" in page.problems.text()
    for show, cards_shown in (
        (strip.open, lambda: strip.cards),
        (window.centre.show_gallery, lambda: [*page.cards.values(), *page.lesson_cards.values()]),
    ):
        show()
        for size in ((800, 560), (1280, 800), (1920, 1080)):
            window.resize(*size)
            settle(window.model)
            for label in chain.from_iterable(card.findChildren(QLabel) for card in cards_shown()):
                assert label.parentWidget().rect().contains(label.geometry()), label.text()
                if label.wordWrap():
                    assert label.heightForWidth(label.width()) <= label.height(), label.text()


# -- opening -----------------------------------------------------------------------------------


def test_a_card_opens_its_exhibit_with_all_that_it_fixes(window, page, sampled):
    for name in sampled([*exhibits()], 12):
        exhibit = exhibits()[name]
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
        assert window.find_active_view().picture.name == exhibit.exploration.panes.active
        assert window.workspace.isAncestorOf(focused())
        assert window.centre.strip.title.text() == exhibit.title
        assert not window.document.is_modified
        assert window.windowTitle() == "PE Explorer: positional encodings"
        check_numbers(window, exhibit)


def check_numbers(window, exhibit):
    """Check that each number is in its view, where the words of the exhibit say."""
    show_numbers(window)
    for view in window.workspace.built_views.values():
        marks = numbered_points(view)
        for number in marks:
            at = exhibit.look[number - 1].view_place
            assert at
            assert at.view == view.picture.name
        if view.isVisible():
            assert all(view.rect().contains(place) for place in marks.values())


def test_opening_is_one_step_and_unsaved_changes_are_asked_about_but_not_those_of_an_exhibit(
    window,
):
    walk, first = window.exhibit_walk, exhibits()["000-clocks"]
    encode(window, base=77)
    change(window, position=21, dimension=5)
    before = window.model.state
    for answer, opened in ((CANCEL, None), (DISCARD, first)):
        walk.open(first.id)
        assert window.model.state == before
        answer_message(window, answer)
        assert walk.exhibit is opened
        assert (window.model.state == before) == (answer == CANCEL)
    walk.open("000-turn")
    encode(window, base=77)
    walk.open("x-odd-width")
    settle(window.model)
    assert message_boxes(window) == []
    for opened, touched in (("000-turn", True), ("000-turn", False), (first.id, False)):
        trigger(window, "undo")
        assert (walk.exhibit.id, walk.is_changed) == (opened, touched)
    trigger(window, "undo")
    assert (window.model.state, walk.exhibit) == (before, None)
    trigger(window, "redo")
    assert walk.exhibit is first
    assert window.model.state.intention == first.exploration


# -- the strip ---------------------------------------------------------------------------------


def test_the_strip_restores_is_put_away_and_goes_on_and_back_round_all(window):
    strip, exhibit = window.centre.strip, exhibits()["000-clocks"]
    words = open_exhibit(window, exhibit.id)
    assert not strip.restore_button.isVisible()
    change(window, position=3)
    assert not strip.restore_button.isVisible(), "the cursor is no change"
    encode(window, base=50)
    click_on(window, strip.restore_button)
    assert window.model.state.intention == exhibit.exploration
    assert not strip.restore_button.isVisible()
    window.sides.open("explain")
    assert words.isVisible()
    click_on(window, strip.close_button)
    assert not strip.isVisible()
    assert window.model.state.intention == exhibit.exploration
    assert not words.isVisible()
    names, place = list(exhibits()), strip.place
    trigger(window, "next_exhibit")
    assert (window.exhibit_walk.exhibit.id, place.text()) == (names[0], f"1/{len(names)}")
    trigger(window, "previous_exhibit")
    assert window.exhibit_walk.exhibit.id == names[-1]
    for name in names[:2]:
        press_key(window, window.find_active_view(), Qt.Key.Key_PageDown, ALT)
        assert window.exhibit_walk.exhibit.id == name
    trigger(window, "new")
    assert window.exhibit_walk.exhibit is None
    assert not strip.isVisible()
    assert window.model.state.intention.with_(panes=None) == Exploration()


# -- words and numbers -------------------------------------------------------------------------


def test_words_that_do_not_hold_any_more_go_at_once_and_a_button_leads_back(window):
    words = open_exhibit(window, "000-base-1e8")

    def said():
        return [row.text.text() for row in words.points if row.isVisibleTo(words)]

    opened, note = said(), words.note.text()
    window.model.set_encoding(base=1e3)
    window.model.emit_changes()
    assert not words.note.isVisibleTo(words)
    assert said()[1].startswith("20 of")  # pairs that complete a turn
    assert said()[1] != opened[1]
    window.model.set(show="current", count=100_000)
    window.model.emit_changes()
    assert len(said()) < len(opened)
    click_on(window, words.restore_button)
    assert (said(), words.note.text()) == (opened, note)
    assert not words.restore_button.isVisibleTo(words)


def test_a_number_is_where_the_mouse_would_find_its_place_and_goes_with_its_sentence(window):
    open_exhibit(window, "000-heatmap")
    heatmap = window.find_active_view()
    assert set(numbered_points(heatmap)) == {1, 2, 3}
    at = exhibits()["000-heatmap"].look[1].view_place
    expected = spot(heatmap, "cells", at.dimension, at.position)
    assert (numbered_points(heatmap)[2] - expected).manhattanLength() <= 2
    under = window.childAt(heatmap.mapTo(window, numbered_points(heatmap)[3]))
    assert not under.objectName().startswith("point.")
    points = [w for w in heatmap.findChildren(QWidget) if w.objectName().startswith("point.")]
    assert all(w.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents) for w in points)
    for name, view, gone in (
        ("000-heatmap", "heatmap", {"start": 10**6}),
        ("003-dot", "distances", {"metric": "cosine"}),
    ):
        open_exhibit(window, name)
        numbers = set(range(1, 1 + len(exhibits()[name].look)))
        assert set(numbered_points(window.view(view))) == numbers
        change(window, **gone)
        show_numbers(window)
        assert numbered_points(window.view(view)) == {}
        window.editing.undo()
        show_numbers(window)
        assert set(numbered_points(window.view(view))) == numbers


def test_a_change_that_closing_brings_about_is_no_reason_to_show_the_panes(window, page):
    window.model.set(count=77)  # as a field in edit does that loses the keys to nothing
    window.leave()
    assert window.centre.has_gallery


# -- the cards of the start --------------------------------------------------------------------


@pytest.fixture
def strip(window, qtbot):
    """The strip as at the first start."""
    assert not window.start_cards.isVisible(), "a window that nobody starts has none"
    window.start_cards.open_at_first_start()
    assert window.start_cards.cards == [], "the window does not wait for them"
    qtbot.waitUntil(lambda: bool(window.start_cards.cards))
    settle()
    return window.start_cards


def test_a_click_opens_the_exhibit_and_the_keys_are_for_its_view(window, strip):
    assert [card.name for card in strip.cards] == [card.exhibit.id for card in cards()]
    for place, card in enumerate(cards()):
        trigger(window, "start_here")
        assert 80 <= strip.height() <= 100
        bottom = strip.mapTo(window, strip.rect().bottomLeft()).y()
        assert bottom < window.workspace.mapTo(window, QPoint()).y()
        click_on(window, strip.cards[place])
        assert card.exhibit.matches(window.model.state)
        assert window.history.stack.undoText() == card.exhibit.step
        focused = window.view(card.exhibit.exploration.panes.active)
        assert QApplication.focusWidget() is focused
        assert not strip.isVisible()


@pytest.mark.parametrize("choice", ["exhibit", "lesson", "parameter", "file"])
def test_it_is_hidden_once_something_is_chosen(window, strip, tmp_path, qtbot, choice):
    window.model.set(position=3)
    window.model.playhead.step(1)
    settle(window.model)
    assert strip.isVisible(), "a look around chooses nothing"
    path = tmp_path / "notes.json"
    if choice == "exhibit":
        window.exhibit_walk.open("start")
    elif choice == "lesson":
        window.lesson_walk.begin("waves")
    elif choice == "parameter":
        window.model.set_encoding(base=500.0)
    else:
        session.write(path, Exploration())
        window.files.open_file(str(path))
    settle(window.model)
    qtbot.waitUntil(lambda: not strip.isVisible())  # a file is read in a thread


def test_arrow_keys_reach_every_card_and_space_opens_it(window, strip, qtbot):
    strip.cards[0].setFocus()
    for card in strip.cards:
        assert card.hasFocus()
        qtbot.keyClick(card, Qt.Key.Key_Right)
    assert card.visibleRegion().boundingRect() == card.rect()
    press_key(window, card, Qt.Key.Key_Space)
    assert exhibits()[card.name].matches(window.model.state)
    assert not window.model.playhead.is_playing


def test_it_is_put_away_and_brought_back(window, strip, qtbot):
    field = window.panel.form.editor("base").main
    field.setFocus()
    qtbot.keyClicks(field, "77")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert strip.isVisible(), "Escape belongs to an editor first"
    has_gallery = []
    for put_away in (
        strip.close_button.click,
        lambda: qtbot.keyClick(window.workspace.active, Qt.Key.Key_Escape),
        strip.exhibits_button.click,  # whoever opens the gallery needs it no more
    ):
        put_away()
        has_gallery.append(window.centre.has_gallery)
        window.centre.show_panes()
        assert not strip.isVisible()
        assert window.settings.settings.start_here == "hide"
        strip.open_at_first_start()
        assert not strip.isVisible()
        trigger(window, "start_here")
        assert strip.isVisible()
        assert len(strip.cards) == len(cards())
    assert has_gallery == [False, False, True]
    click_on(window, strip.lesson_button)
    assert window.lesson_walk.lesson.id == "waves"
    assert not strip.lesson_button.isVisible()


@pytest.mark.parametrize("end", ["put away", "closed"])
def test_it_is_shown_at_the_first_start_alone(qapp, tmp_path, end):
    for is_first in (True, False):
        with running_window(tmp_path / "settings.ini") as window:
            window.start_cards.open_at_first_start()
            assert window.start_cards.isVisible() == is_first
            if end == "put away":
                window.start_cards.dismiss()
                window.hide()  # a hidden window remembers no layout
    assert SettingsFile(tmp_path / "settings.ini").notes == ()
