"""Events of what is to be learned and found: gallery, exhibits, lessons, words, the palette."""

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton

from pe_explorer import encodings, pictures
from pe_explorer.app.window.palette import Palette
from pe_explorer.app.window.start_cards import CardButton
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.lessons import lessons
from tests.endurance.by_hand import press
from tests.endurance.by_menu import answer
from tests.endurance.desk import alive, kind, reachable
from tests.endurance.inputs import TEXTS
from tests.support.lessons import doing

_WORDS = ("base", "rope", "wave", "far", "sine", "a b c", "zzz", "0", "heat", "lesson", "shift")
_ARROWS = ("Down", "Up", "Left", "Right", "PageDown")


@kind(1, answer)
def gallery(desk, pick):
    way = pick.choice(("toggle", "search", "search", "group", "card", "card", "arrows", "close"))
    words = pick.choice((*_WORDS, *TEXTS[-8:]))
    yield f"{way} {words[:20]!r}"
    if way == "toggle":
        desk.act("gallery")
        return
    desk.window.centre.show_gallery()
    for _ in range(2):  # its cards come later
        yield 0
    page = desk.window.centre.page
    if desk.dialog or not alive(page):
        return
    groups = [button for button in page.findChildren(QToolButton) if button.text()]
    cards = [card for card in page.findChildren(CardButton) if card.isVisible()]
    buttons = {"group": groups, "card": cards, "close": [page.close_button]}
    if buttons.get(way):
        pick.choice(buttons[way]).click()
    elif way == "search":
        page.search.setText(words)
        if pick.random() < 0.5:
            press(page.search, pick, "Return")
    elif way == "arrows":
        page.search.setFocus()
        for _ in range(pick.randrange(1, 6)):
            focused = QApplication.focusWidget()
            if focused and page.isAncestorOf(focused):
                press(focused, pick, *_ARROWS)


@kind(1.5, answer)
def exhibit(desk, pick):
    way = pick.choice(("open", "open", "open", "next_exhibit", "previous_exhibit", "strip"))
    name = pick.choice(list(exhibits()))
    yield f"{way} {name}"
    if way == "open":
        desk.window.exhibit_walk.open(name)
    elif way == "strip":
        button = pick.choice(("restore", "close", "all", "back", "on"))
        getattr(desk.window.centre.strip, f"{button}_button").click()
    else:
        desk.act(way)


@kind(2.5, answer)
def lesson(desk, pick):
    way = pick.choice(("guess", "guess", "do", "do", "do", "next", "skip", "back", "leave"))
    name = pick.choice(list(lessons()))
    yield f"{way} {name}"
    walk = desk.window.lesson_walk
    if walk.lesson is None:
        walk.begin(name)
    elif way == "guess":
        desk.window.right_panel.show_explanation()
        question = desk.window.right_panel.parts().explanation.page.lesson.guess
        choices = [button for button in question.choices if button.isVisible()]
        if reachable(question) and not choices:
            question.field.setText(pick.choice(TEXTS))
        if reachable(question):
            guesses = choices or [question.take_button]
            pick.choice([question.skip_button, *guesses * 4]).click()
    elif way == "do":
        desk.window.model.apply(doing(walk.step), "what a step asks")
    else:
        go_on = desk.window.centre.strip.go_on
        {"next": go_on, "skip": walk.skip, "back": walk.go_back, "leave": walk.leave}[way]()


@kind(1, answer)
def attempt(desk, pick):
    """Something that the words offer to try is set up."""
    page = desk.window.right_panel.parts().explanation.page
    rows = [row for row in (*page.tries, *page.exhibit.tries) if reachable(row.button)]
    yield f"one of {len(rows)}"
    if rows:
        pick.choice(rows).button.click()
    else:
        desk.window.right_panel.show_explanation()


@kind(0.5, answer)
def start_card(desk, pick):
    """A card for newcomers is chosen; where they were put away, they come back."""
    shown = [card for card in desk.window.start_cards.cards if card.isVisible()]
    yield f"one of {len(shown)}"
    if shown:
        pick.choice(shown).click()
    else:
        desk.act("start_here")


@kind(1, answer)
def palette(desk, pick):
    words = pick.choice((*_WORDS, *pictures.names(), *encodings.names(), *TEXTS[-8:]))
    yield f"{words[:20]!r}"
    desk.act("find")
    yield 0
    opened = desk.dialog
    if not isinstance(opened, Palette):
        return
    opened.line.setText(words[: pick.randrange(1, 40)])
    for _ in range(pick.randrange(4)):
        press(opened.line, pick, *_ARROWS)
    yield 0
    if reachable(opened):
        press(opened.line, pick, "Return", "Return", "Return", "Escape")


@kind(1.7)
def clipboard(desk, pick):
    """Something is copied here or elsewhere, and pasted where it may not belong."""
    copies = ("copy_code", "copy_command", "copy_picture")
    what = pick.choice((*copies, "text", "nothing", "picture", "files"))
    yield what
    board, data = QApplication.clipboard(), QMimeData()
    if what in copies and not desk.dialog:
        desk.act(what)
    elif what == "text":
        board.setText(pick.choice(TEXTS))
    elif what == "nothing":
        board.clear()
    elif what == "picture":
        board.setImage(QImage(3, 2, QImage.Format.Format_RGB32))
    elif what == "files":
        data.setUrls([QUrl.fromLocalFile(name) for name in desk.files[:3]])
        board.setMimeData(data)
    fields = desk.visible(QLineEdit)
    if fields and reachable(field := pick.choice(fields)):
        field.setFocus()
        field.paste()
