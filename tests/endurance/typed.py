"""Numbers typed into fields and after flags: each is what was meant, or is refused in a sentence.

A text that could be two numbers may be refused; none is silently another number than was meant.
"""

import json
import math
import re
from fractions import Fraction
from functools import partial
from unittest.mock import patch

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.app.application import Application
from pe_explorer.commandline import export
from pe_explorer.commandline.flag_values import flag_value
from pe_explorer.exploration import Exploration
from pe_explorer.params import ParameterError, Real, declared, whole_number
from pe_explorer.params.number_text import real_number
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.line_fields import NumberField
from tests.endurance.calls import called, called_as_process, check_outcome
from tests.endurance.limits import check_sentence, watched
from tests.endurance.spellings import LOCALES, random_spelling

_AS_PROCESS = 200  # every so many is typed into a process of its own
_LANGUAGES = ("C", "de_DE.UTF-8", "ar_EG.UTF-8")
_REAL, _WHOLE = "scale", "start"
_ENCODING = encodings.find("sinusoidal")
_PARAMETERS = {
    _REAL: Real(1.0, -1e308, 1e308, label="Anything", help="Any number."),
    _WHOLE: declared(Exploration)[_WHOLE],
}


def run(faults, seed, size, folder, plant=()):
    app = Application("light")
    forms = _Forms()
    for number, pick in faults.items(f"{seed} typed", size, plant, PLANTS):
        locale, name = pick.choice(LOCALES), pick.choice((_REAL, _WHOLE))
        QLocale.setDefault(QLocale(locale))
        spelling = random_spelling(pick, locale, whole=name == _WHOLE)
        read = pick.choice((_parsed, forms.typed, _flagged))
        if number % _AS_PROCESS == 1:
            read = partial(_in_language, folder, pick.choice(_LANGUAGES))
        details = f"{spelling.text!r} for {name}, meant is {_short(spelling.meant)}, {locale}"
        check = partial(_check, read, name, spelling)
        watched(faults, "a typed number", check, details, limited=False)
        app.processEvents()
    forms.close()


def _check(read, name, spelling):
    """Raise `AssertionError` where another number is read than was meant.

    `read` returns the number that a text is for a field of a name, None where it is refused.
    """
    text, meant, clear = spelling
    found = read(name, text)
    if found is not None:
        assert _is_nearest(found, meant), f"{text!r} is read as {found!r}, not {_short(meant)}"
        return
    parameter = _PARAMETERS[name]
    if name == _REAL and read is not _parsed:
        parameter = declared(_ENCODING)[_REAL]
    is_legal = Fraction(parameter.low) <= meant <= Fraction(parameter.high)
    becomes_0 = 0 < abs(meant) <= Fraction(5e-324) / 2
    is_whole = meant.denominator == 1 or name != _WHOLE
    must_be_read = clear and is_legal and is_whole and not becomes_0
    assert not must_be_read, f"{text!r} is refused, and is {_short(meant)}"


def _is_nearest(found, meant):
    """Whether no other number is nearer: of whole numbers itself, of others the next floats."""
    if isinstance(found, int):
        return found == meant
    if meant and not found:
        return False
    off = abs(Fraction(found) - meant)
    beside = [math.nextafter(found, end) for end in (-math.inf, math.inf)]
    return all(off <= abs(Fraction(next_) - meant) for next_ in beside if math.isfinite(next_))


def _short(number):
    text = str(number)
    return text if len(text) < 60 else f"{text[:30]}… of {len(text)} characters"


def _parsed(name, text):
    try:
        return _PARAMETERS[name].parse(name, text)
    except ParameterError as error:
        check_sentence(error.sentence)
    return None


def _flagged(name, text):
    seen = []
    words = ["export", *_words(name, text), "-o", "o.npy"]
    with patch.object(export, "run", lambda options: seen.append(options) or 0):
        outcome = called(words)
    check_outcome(outcome, notes=False)
    if not seen:
        return None
    return seen[0].positions.start if name == _WHOLE else flag_value(seen[0], "encoding_scale")


def _in_language(folder, language, name, text):
    words = ["export", "--dim", "2", *_words(name, text), "-o", "o.npy"]
    outcome = called_as_process(words, folder, LC_ALL=language, PYTHONUTF8="1")
    check_outcome(outcome, notes=False)
    if outcome.code:
        return None
    document = json.loads((folder / "o.npy.session.json").read_text(encoding="utf-8"))
    return document["positions"][name] if name == _WHOLE else float(document["encoding"][name])


def _words(name, text):
    return [f"--positions={text}+1"] if name == _WHOLE else [f"--encoding-scale={text}"]


class _Forms:
    """The fields of the window for an encoding and for positions, each off-screen."""

    def __init__(self):
        self._forms = {_REAL: FormFields(_ENCODING), _WHOLE: FormFields(Exploration, ("start",))}
        self._fields, self._refused = {}, []
        for name, form in self._forms.items():
            form.refused.connect(self._refused.append)
            if form.fold:
                form.fold.click()
            form.show()
            title = declared(form.edits)[name].label
            fields = form.findChildren(NumberField)
            (self._fields[name],) = (each for each in fields if each.accessibleName() == title)

    def typed(self, name, text):
        """Type it in place of another number, as input methods of all scripts do; press Enter."""
        field = self._fields[name]
        self._refused.clear()
        field.activateWindow()
        field.setFocus()
        field.enter(7)
        field.selectAll()
        event = QInputMethodEvent()
        event.setCommitString(text)
        Application.sendEvent(field, event)
        shown = field.text()
        QTest.keyClick(field, Qt.Key.Key_Return)
        if self._refused:
            check_sentence(self._refused[0])
            assert field.text() == shown, "what was typed is lost"
            assert field.value == 7, f"it is refused, and the value is {field.value}"
            field.restore()
            return None
        text, formatted = field.text(), _PARAMETERS[name].format(field.value)
        assert text == formatted, f"{text!r} is shown for {field.value!r}"
        return field.value

    def close(self):
        for form in self._forms.values():
            form.close()
            form.deleteLater()


def _planted(reader, instead):
    return patch(f"pe_explorer.params.numeric.{reader}", instead)


def _without_commas(text):
    """Take a comma before three digits for one between thousands."""
    return real_number(re.sub(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))", "", text))


def _refusing_suffixes(text):
    return whole_number("planted" if text.endswith("k") else text)


PLANTS = {
    "commas": partial(_planted, "real_number", _without_commas),
    "rounded": partial(_planted, "whole_number", lambda text: int(float(whole_number(text)))),
    "refused": partial(_planted, "whole_number", _refusing_suffixes),
}
