"""What lies over the plots of a view: a sentence, the button below it, and "Refining…"."""

from PySide6.QtWidgets import QFrame, QLabel, QPushButton


def note(view):
    """Return the frame that a sentence is shown in."""
    return view.findChild(QFrame, "note")


def note_label(view):
    """Return the label with the sentence."""
    return note(view).findChild(QLabel)


def offer(view):
    """Return the button below the sentence."""
    return note(view).findChild(QPushButton)


def refining(view):
    """Return the label that a coarse picture has in a corner."""
    (label,) = [one for one in view.findChildren(QLabel) if one.accessibleName() == "Refining"]
    return label
