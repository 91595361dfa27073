"""Overlays of views: a sentence, the button below it, and "Refining…"."""

from PySide6.QtWidgets import QFrame, QLabel, QPushButton


def note(view):
    return view.findChild(QFrame, "note")


def note_label(view):
    return note(view).findChild(QLabel)


def says(view):
    return "" if note(view).isHidden() else note_label(view).text()


def offer(view):
    return note(view).findChild(QPushButton)


def refining(view):
    (label,) = [one for one in view.findChildren(QLabel) if one.accessibleName() == "Refining"]
    return label
