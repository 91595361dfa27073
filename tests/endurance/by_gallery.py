"""Events of what is to be learned and found: gallery, exhibits, lessons, words, the palette."""

from random import Random

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton

from pe_explorer import encodings, pictures
from pe_explorer.app.window.gallery_page import GalleryPage
from pe_explorer.app.window.palette import Palette
from pe_explorer.app.window.start_cards import CardButton
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.lessons import lessons
from tests.endurance.by_menu import answer
from tests.endurance.desk import Desk, alive, reachable
from tests.endurance.inputs import TEXTS
from tests.endurance.kinds import Event, kind
from tests.support.lessons import doing

_WORDS = ("base", "rope", "wave", "far", "sine", "a b c", "zzz", "0", "heat", "lesson", "shift")
_ARROWS = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Right)
_MOVES = (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown)


def _at_work(desk: Desk) -> bool:
    """Whether the window takes what is done: it is there, and no dialog is in its way."""
    return desk.is_open and desk.dialog is None


@kind(1, answer)
def gallery(desk: Desk, pick: Random) -> Event:
    """The gallery is shown; a card is found by words, chosen, or reached with the arrow keys."""
    way = pick.choice(("toggle", "search", "search", "group", "card", "card", "arrows", "close"))
    words = pick.choice((*_WORDS, *TEXTS[-8:]))
    yield f"{way} {words[:20]!r}"
    if not _at_work(desk):
        return
    if way == "toggle":
        desk.window.actions_by_key["gallery"].trigger()
        return
    desk.window.centre.show_gallery()
    for _ in range(2):  # its cards come later
        yield 0
    page = desk.window.centre.page
    if _at_work(desk) and alive(page):
        _use(page, way, words, pick)


def _use(page: GalleryPage, way: str, words: str, pick: Random) -> None:
    if way == "search":
        page.search.setText(words)
        if pick.random() < 0.5:
            QTest.keyClick(page.search, Qt.Key.Key_Return)
    elif way == "group":
        pick.choice([button for button in page.findChildren(QToolButton) if button.text()]).click()
    elif way == "card":
        cards = [card for card in page.findChildren(CardButton) if card.isVisible()]
        if cards:
            pick.choice(cards).click()
    elif way == "arrows":
        page.search.setFocus()
        for _ in range(pick.randrange(1, 6)):
            focused = QApplication.focusWidget()
            if focused and page.isAncestorOf(focused):
                QTest.keyClick(focused, pick.choice(_ARROWS))
    else:
        page.close_button.click()


@kind(1.5, answer)
def exhibit(desk: Desk, pick: Random) -> Event:
    """An exhibit is opened, or the one that is open is left for the next, restored or put away."""
    way = pick.choice(("open", "open", "open", "next_exhibit", "previous_exhibit", "strip"))
    name = pick.choice(list(exhibits()))
    yield f"{way} {name}"
    if not _at_work(desk):
        return
    window = desk.window
    if way == "open":
        window.exhibit_walk.open(name)
    elif way == "strip":
        strip = window.centre.strip
        buttons = strip.restore_button, strip.close_button, strip.all_button
        pick.choice((*buttons, strip.back_button, strip.on_button)).click()
    else:
        window.actions_by_key[way].trigger()


@kind(2.5, answer)
def lesson(desk: Desk, pick: Random) -> Event:
    """A lesson is begun, or gone on with; its step is guessed, done, skipped or left."""
    way = pick.choice(("guess", "guess", "do", "do", "do", "next", "skip", "back", "leave"))
    name = pick.choice(list(lessons()))
    yield f"{way} {name}"
    if not _at_work(desk):
        return
    walk = desk.window.lesson_walk
    if walk.lesson is None:
        walk.begin(name)
    elif way == "guess":
        _guess(desk, pick)
    elif way == "do":
        desk.window.model.apply(doing(walk.step), "what a step asks")
    elif way == "next":
        desk.window.centre.strip.go_on()
    elif way == "skip":
        walk.skip()
    elif way == "back":
        walk.go_back()
    else:
        walk.leave()


def _guess(desk: Desk, pick: Random) -> None:
    """Guess in the panel on the right, as well or as badly as a person does."""
    window = desk.window
    window.right_panel.show_explanation()
    question = window.right_panel.parts().explanation.page.lesson.guess
    if not reachable(question):
        return
    choices = [button for button in question.choices if button.isVisible()]
    if pick.random() < 0.2:
        question.skip_button.click()
    elif choices:
        pick.choice(choices).click()
    else:
        question.field.setText(pick.choice(TEXTS))
        question.take_button.click()


@kind(1)
def attempt(desk: Desk, pick: Random) -> Event:
    """Something that the words offer to try is set up."""
    if not _at_work(desk):
        yield from answer(desk, pick)
        return
    page = desk.window.right_panel.parts().explanation.page
    rows = [row for row in (*page.tries, *page.exhibit.tries) if reachable(row.button)]
    yield f"one of {len(rows)}" if rows else "nothing is offered"
    if rows:
        pick.choice(rows).button.click()
    else:
        desk.window.right_panel.show_explanation()


@kind(1, answer)
def palette(desk: Desk, pick: Random) -> Event:
    """Something is found by words of its name, and perhaps done."""
    names = (*_WORDS, *pictures.names(), *encodings.names(), *TEXTS[-8:])
    words = pick.choice(names)
    yield f"{words[:20]!r}"
    desk.window.actions_by_key["find"].trigger()
    yield 0
    opened = desk.dialog
    if not isinstance(opened, Palette):
        return
    opened.line.setText(words[: pick.randrange(1, 40)])
    for _ in range(pick.randrange(4)):
        QTest.keyClick(opened.line, pick.choice(_MOVES))
    yield 0
    if reachable(opened):
        QTest.keyClick(opened.line, pick.choice((Qt.Key.Key_Return,) * 3 + (Qt.Key.Key_Escape,)))


@kind(0.5, answer)
def start_card(desk: Desk, pick: Random) -> Event:
    """A card for newcomers is chosen; where they were put away, they come back."""
    shown = [card for card in desk.window.start_cards.cards if card.isVisible()]
    yield f"one of {len(shown)}"
    if not _at_work(desk):
        return
    if shown:
        pick.choice(shown).click()
    else:
        desk.window.actions_by_key["start_here"].trigger()


@kind(0.7)
def clipboard(desk: Desk, pick: Random) -> Event:
    """Another program copies something, and it is pasted where text is typed."""
    what = pick.choice(("text", "nothing", "picture", "files"))
    fields = desk.visible(QLineEdit)
    yield f"{what} into {len(fields)} fields"
    board = QApplication.clipboard()
    if what == "text":
        board.setText(pick.choice(TEXTS))
    elif what == "nothing":
        board.clear()
    elif what == "picture":
        board.setImage(QImage(3, 2, QImage.Format.Format_RGB32))
    else:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(name) for name in desk.files[:3]])
        board.setMimeData(data)
    if fields and reachable(field := pick.choice(fields)):
        field.setFocus()
        field.paste()
