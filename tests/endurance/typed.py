"""Numbers typed into fields and after flags: each is what was meant, or is refused in a sentence.

A text that could be two numbers may be refused; none is silently another number than was meant.
"""

import json
import math
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.app.application import Application
from pe_explorer.commandline import export
from pe_explorer.commandline.flag_values import flag_value
from pe_explorer.exploration import Exploration
from pe_explorer.params import ParameterError, Real, Whole, declared, whole_number
from pe_explorer.params.number_text import real_number
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.line_fields import NumberField
from tests.endurance.calls import called, check_outcome
from tests.endurance.faults import Faults, Planted
from tests.endurance.limits import PATIENCE, check_sentence, watched
from tests.endurance.spellings import LOCALES, Spelling, random_spelling
from tests.support.processes import ENVIRONMENT

_AS_PROCESS = 200  # every so many is typed into a process of its own
_LANGUAGES = ("C", "de_DE.UTF-8", "ar_EG.UTF-8")
_REAL, _WHOLE = "scale", "start"
_ENCODING = encodings.find("sinusoidal")
_PARAMETERS: Mapping[str, Real | Whole] = {
    _REAL: Real(1.0, -1e308, 1e308, label="Anything", help="Any number."),
    _WHOLE: declared(Exploration)[_WHOLE],  # type: ignore[dict-item]
}

Read = Callable[[str, str], float | None]
"""Returns the number that a text is for a field of a name; None where it is refused."""


def run(faults: Faults, seed: int, size: int, folder: Path, plant: Sequence[str] = ()) -> None:
    """Type so many numbers, with what is planted."""
    app = Application("light")
    forms = _Forms()
    for number, pick in faults.items(f"{seed} typed", size, plant, _planted):
        locale, name = pick.choice(LOCALES), pick.choice((_REAL, _WHOLE))
        QLocale.setDefault(QLocale(locale))
        spelling = random_spelling(pick, locale, whole=name == _WHOLE)
        read = pick.choice((_parsed, forms.typed, _flagged))
        if number % _AS_PROCESS == 1:
            read = _in_language(folder, pick.choice(_LANGUAGES))
        details = f"{spelling.text!r} for {name}, meant is {_short(spelling.meant)}, {locale}"
        attempt = _Attempt(read, name, spelling)
        watched(faults, "a typed number", attempt.check, details, limited=False)
        app.processEvents()
    forms.close()


class _Attempt:
    """A text that is typed somewhere, and what must come of it."""

    def __init__(self, read: Read, name: str, spelling: Spelling) -> None:
        self._read, self._name, self._spelling = read, name, spelling

    def check(self) -> None:
        """Raise `AssertionError` where another number is read than was meant."""
        text, meant, clear = self._spelling
        parameter = declared(_ENCODING)[_REAL] if self._name == _REAL else _PARAMETERS[_WHOLE]
        if self._read is _parsed:
            parameter = _PARAMETERS[self._name]
        found = self._read(self._name, text)
        if found is not None:
            assert _is_nearest(found, meant), f"{text!r} is read as {found!r}, not {_short(meant)}"
            return
        assert isinstance(parameter, Real | Whole)
        legal = Fraction(parameter.low) <= meant <= Fraction(parameter.high)
        becomes_0 = 0 < abs(meant) <= Fraction(5e-324) / 2
        is_whole = meant.denominator == 1 or self._name != _WHOLE
        must_be_read = clear and legal and is_whole and not becomes_0
        assert not must_be_read, f"{text!r} is refused, and is {_short(meant)}"


def _is_nearest(found: float, meant: Fraction) -> bool:
    """Whether no other number is nearer: of whole numbers itself, of others the next floats."""
    if isinstance(found, int):
        return found == meant
    if meant and not found:
        return False
    off = abs(Fraction(found) - meant)
    beside = [math.nextafter(found, end) for end in (-math.inf, math.inf)]
    return all(off <= abs(Fraction(next_) - meant) for next_ in beside if math.isfinite(next_))


def _short(number: Fraction) -> str:
    """Return a number in few characters."""
    text = str(number)
    return text if len(text) < 60 else f"{text[:30]}… of {len(text)} characters"


# -- where it is typed -----------------------------------------------------------------------------


def _parsed(name: str, text: str) -> float | None:
    """Read it as all fields and flags do, within limits that are as wide as can be."""
    try:
        found: float = _PARAMETERS[name].parse(name, text)
    except ParameterError as error:
        check_sentence(error.sentence)
        return None
    return found


def _flagged(name: str, text: str) -> float | None:
    """Type it after a flag."""
    seen = []
    words = ["export", *_words(name, text), "-o", "o.npy"]
    with patch.object(export, "run", lambda options: seen.append(options) or 0):
        outcome = called(words)
    check_outcome(outcome, notes=False)
    if not seen:
        return None
    (options,) = seen
    found: float = (
        options.positions.start if name == _WHOLE else flag_value(options, "encoding_scale")
    )
    return found


def _in_language(folder: Path, language: str) -> Read:
    """Return what types it into a command of its own that speaks a language."""

    def read(name: str, text: str) -> float | None:
        words = ["export", "--dim", "2", *_words(name, text), "-o", "o.npy"]
        done = subprocess.run(
            [sys.executable, "-m", "pe_explorer", *words],
            cwd=folder,
            env=ENVIRONMENT | {"LC_ALL": language, "PYTHONUTF8": "1"},
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        said = done.stderr.decode("utf-8", "replace")
        assert done.returncode in (0, 2), said
        if done.returncode:
            check_sentence(said.strip())
            return None
        beside = folder / "o.npy.session.json"
        document = json.loads(beside.read_text(encoding="utf-8"))
        part = document["positions"] if name == _WHOLE else document["encoding"]
        found: float = part[name]
        return found if name == _WHOLE else float(found)

    return read


def _words(name: str, text: str) -> list[str]:
    """Return a flag with its value, which may begin with a minus."""
    return [f"--positions={text}+1"] if name == _WHOLE else [f"--encoding-scale={text}"]


class _Forms:
    """The fields of the window for an encoding and for positions, each off-screen."""

    def __init__(self) -> None:
        self._forms = {_REAL: FormFields(_ENCODING), _WHOLE: FormFields(Exploration, ("start",))}
        self._fields: dict[str, NumberField] = {}
        self._refused: list[str] = []
        for name, form in self._forms.items():
            form.refused.connect(self._refused.append)
            if form.fold:
                form.fold.click()
            form.show()
            title = declared(form.edits)[name].label if form.edits else ""
            (self._fields[name],) = (
                field for field in form.findChildren(NumberField) if field.accessibleName() == title
            )

    def typed(self, name: str, text: str) -> float | None:
        """Type it in place of another number, and press Enter."""
        field = self._fields[name]
        self._refused.clear()
        field.activateWindow()
        field.setFocus()
        field.enter(7)
        field.selectAll()
        _commit(field, text)
        shown = field.text()
        QTest.keyClick(field, Qt.Key.Key_Return)
        if self._refused:
            check_sentence(self._refused[0])
            assert field.text() == shown, "what was typed is lost"
            assert field.value == 7, f"it is refused, and the value is {field.value}"
            field.restore()
            return None
        found: float = field.value
        parameter = _PARAMETERS[name]
        assert field.text() == parameter.format(found), f"{field.text()!r} is shown for {found!r}"  # type: ignore[arg-type]
        return found

    def close(self) -> None:
        """Remove the forms."""
        for form in self._forms.values():
            form.close()
            form.deleteLater()


def _commit(field: NumberField, text: str) -> None:
    """Type a text as an input method does: in any script."""
    event = QInputMethodEvent()
    event.setCommitString(text)
    Application.sendEvent(field, event)


# -- planted ---------------------------------------------------------------------------------------


_BEFORE_THREE_DIGITS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")


def _without_commas(text: str) -> float:
    """Take a comma before three digits for one between thousands."""
    return real_number(_BEFORE_THREE_DIGITS.sub("", text))


def _rounded_to_0(text: str) -> float:
    """Take what is nearer to 0 than any number for 0."""
    try:
        return real_number(text)
    except ValueError as error:
        if "nearer to 0" in str(error):
            return 0.0
        raise


def _rounded(text: str) -> int:
    """Compute whole numbers in float64."""
    return int(float(whole_number(text)))


def _thousands(text: str) -> int:
    """Take Ki for k."""
    return whole_number(text.replace("Ki", "k"))


def _planted(name: str) -> Planted:
    reader, instead = PLANTS[name]
    return patch(f"pe_explorer.params.numeric.{reader}", instead)


PLANTS: Mapping[str, tuple[str, Callable[[str], float]]] = {
    "commas": ("real_number", _without_commas),
    "zero": ("real_number", _rounded_to_0),
    "rounded": ("whole_number", _rounded),
    "thousands": ("whole_number", _thousands),
}
"""Which reader is replaced by which."""
