"""Events of what is to be learned and found: gallery, exhibits, lessons, the palette.

Their cards, answers and tries are buttons and fields, which hands use like all others.
"""

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from pe_explorer import encodings, pictures
from pe_explorer.app.window.palette import Palette
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.lessons import lessons
from tests.endurance.by_menu import answer
from tests.endurance.desk import alive, kind, reachable
from tests.endurance.inputs import TEXTS
from tests.support.lessons import doing

_WORDS = ("base", "rope", "wave", "far", "sine", "a b c", "zzz", "0", "heat", "lesson", "shift")
_KEYS = ("Down", "Up", "Left", "Right", "PageDown", "Return", "Return", "Escape")


@kind(1.5, answer)
def gallery(desk, pick):
    way, words = pick.choice(("show", "leave", "search")), pick.choice((*_WORDS, *TEXTS[-8:]))
    yield f"{way} {words[:20]!r}"
    if way == "leave":
        desk.act("gallery")
        return
    desk.window.centre.show_gallery()
    for _ in range(2):  # its cards come later
        yield 0
    page = desk.window.centre.page
    if way == "search" and not desk.dialog and alive(page):
        page.search.setText(words)
        page.search.setFocus()
        for _ in range(pick.randrange(4)):
            QTest.keyClick(QApplication.focusWidget() or page, _key(pick))


def _key(pick):
    return getattr(Qt.Key, f"Key_{pick.choice(_KEYS)}")


@kind(1.5, answer)
def exhibit(desk, pick):
    way = pick.choice(("open", "open", "open", "next_exhibit", "previous_exhibit"))
    name = pick.choice(list(exhibits()))
    yield f"{way} {name}"
    if desk.is_open:
        desk.window.exhibit_walk.open(name) if way == "open" else desk.act(way)


@kind(2.5, answer)
def lesson(desk, pick):
    way = pick.choice(("guess", "guess", "do", "do", "do", "next", "skip", "back", "leave"))
    name = pick.choice(list(lessons()))
    yield f"{way} {name}"
    if not desk.is_open:
        return
    walk, panel = desk.window.lesson_walk, desk.window.right_panel
    if walk.lesson is None:
        walk.begin(name)
    elif way == "guess":
        panel.show_explanation()
        question = panel.parts().explanation.page.lesson.guess
        answers = [button for button in question.choices if button.isVisible()]
        question.field.setText(pick.choice(TEXTS))
        pick.choice([question.skip_button, question.take_button, *answers * 2]).click()
    elif way == "do":
        desk.window.model.apply(doing(walk.step), "what a step asks")
    else:
        go_on = desk.window.centre.strip.go_on
        {"next": go_on, "skip": walk.skip, "back": walk.go_back, "leave": walk.leave}[way]()


@kind(1, answer)
def palette(desk, pick):
    words = pick.choice((*_WORDS, *pictures.names(), *encodings.names(), *TEXTS[-8:]))
    yield f"{words[:20]!r}"
    desk.act("find")
    yield 0
    opened = desk.dialog
    if isinstance(opened, Palette):
        opened.line.setText(words[: pick.randrange(1, 40)])
        for _ in range(pick.randrange(1, 5)):
            if reachable(opened):
                QTest.keyClick(opened.line, _key(pick))
            yield 0


@kind(1.7)
def clipboard(desk, pick):
    """Something is copied here or elsewhere, and pasted where it may not belong."""
    copies = ("copy_code", "copy_command", "copy_picture")
    what = pick.choice((*copies, "text", "nothing", "picture", "files"))
    yield what
    board, data = QApplication.clipboard(), QMimeData()
    if what in copies:
        if not desk.dialog:
            desk.act(what)
    elif what == "text":
        board.setText(pick.choice(TEXTS))
    elif what == "nothing":
        board.clear()
    elif what == "picture":
        board.setImage(QImage(3, 2, QImage.Format.Format_RGB32))
    else:
        data.setUrls([QUrl.fromLocalFile(name) for name in desk.files[:3]])
        board.setMimeData(data)
    fields = desk.visible(QLineEdit)
    if fields and reachable(field := pick.choice(fields)):
        field.setFocus()
        field.paste()
