"""Numbers typed into fields and flags, which must be read as intended or rejected.

An ambiguous text may be rejected, but must not be read as another number than intended.
"""

import json
import math
import re
from fractions import Fraction
from functools import partial
from unittest.mock import patch

from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QSignalSpy, QTest

from pe_explorer import encodings
from pe_explorer.app.application import Application
from pe_explorer.commandline import export
from pe_explorer.commandline.shared import read_flag
from pe_explorer.exploration import Exploration
from pe_explorer.params import ParameterError, Real, declared, parse_whole_number
from pe_explorer.params.number_text import parse_real_number
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.line_fields import NumberField
from tests.endurance.by_hand import enter_value
from tests.endurance.calls import (
    check_outcome,
    check_sentence,
    outcome_of,
    outcome_of_process,
    watched,
)

LOCALES = ("C", "en_GB", "de_DE", "de_CH", "fr_FR", "ar_EG")
_SIGNS = (("", 1), ("", 1), ("", 1), ("+", 1), ("-", -1), ("\N{MINUS SIGN}", -1))
_EXTREMES = (  # digits and powers of ten at the limits of float64
    *(("5", -324), ("3", -324), ("2", -324), ("1", -400), ("22250738585072014", -324)),
    *(("1", 308), ("17976931348623157", 292), ("17976931348623159", 292)),
)
_SUFFIXES = {
    **{letter: 1000 ** (1 + power) for power, letter in enumerate("kMGT")},
    **{f"{letter}i": 1024 ** (1 + power) for power, letter in enumerate("KMGT")},
}
_POWERS = (-400, -330, -20, -3, 0, 2, 9, 300, 400)
_PROCESS_INTERVAL = 200  # one of this many numbers is passed to a separate process
_LANGUAGES = ("C", "de_DE.UTF-8", "ar_EG.UTF-8")
_REAL, _WHOLE = "scale", "start"
_ENCODING = encodings.find("sinusoidal")
_PARAMETERS = {
    _REAL: Real(1.0, -1e308, 1e308, label="Anything", help="Any number."),
    _WHOLE: declared(Exploration)[_WHOLE],
}


def run(faults, seed, size, folder, plant=()):
    app = Application("light")
    forms = {_REAL: FormFields(_ENCODING), _WHOLE: FormFields(Exploration, ("start",))}
    for form in forms.values():
        if form.fold_button:
            form.fold_button.click()
        form.show()
    for number, pick in faults.items(f"{seed} typed", size, plant, PLANTS):
        locale, name = pick.choice(LOCALES), pick.choice((_REAL, _WHOLE))
        QLocale.setDefault(QLocale(locale))
        text, meant, clear = random_spelling(pick, locale, whole=name == _WHOLE)
        read = pick.choice((_parsed, partial(_typed, forms[name]), _flagged))
        if number % _PROCESS_INTERVAL == 1:
            read = partial(_in_language, folder, pick.choice(_LANGUAGES))
        details = f"{text!r} for {name}, meant is {_shorten(meant)}, {locale}"
        check = partial(_check, read, name, text, meant, clear)
        watched(faults, "a typed number", check, details, limited=False)
        app.processEvents()
    for form in forms.values():
        form.close()
        form.deleteLater()


def _check(read, name, text, meant, clear):
    """Raise `AssertionError` if a number is not read as intended.

    `read` returns the number of a text for a field, or None if the text is rejected.
    """
    found = read(name, text)
    if found is not None:
        nearest = meant if isinstance(found, int) else float(meant)
        is_right = found == nearest and (found or not meant)  # only 0 is read as 0
        assert is_right, f"{text!r} is read as {found!r}, not {_shorten(meant)}"
        return
    parameter = _PARAMETERS[name]
    if name == _REAL and read is not _parsed:
        parameter = declared(_ENCODING)[_REAL]
    is_legal = Fraction(parameter.low) <= meant <= Fraction(parameter.high)
    becomes_0 = 0 < abs(meant) <= Fraction(5e-324) / 2
    is_whole = meant.denominator == 1 or name != _WHOLE
    must_be_read = clear and is_legal and is_whole and not becomes_0
    assert not must_be_read, f"{text!r} is refused, and is {_shorten(meant)}"


def _shorten(number):
    text = str(number)
    return text if len(text) < 60 else f"{text[:30]}… of {len(text)} characters"


def _parsed(name, text):
    try:
        return _PARAMETERS[name].parse(name, text)
    except ParameterError as error:
        return check_sentence(error.sentence)


def _flagged(name, text):
    seen = []
    words = ["export", *_words(name, text), "-o", "o.npy"]
    with patch.object(export, "run", lambda options: seen.append(options) or 0):
        outcome = outcome_of(words)
    check_outcome(outcome, notes=False)
    if not seen:
        return None
    return seen[0].positions.start if name == _WHOLE else read_flag(seen[0], "encoding_scale")


def _in_language(folder, language, name, text):
    words = ["export", "--dim", "2", *_words(name, text), "-o", "o.npy"]
    outcome = outcome_of_process(words, folder, LC_ALL=language, PYTHONUTF8="1")
    check_outcome(outcome, notes=False)
    if outcome.code:
        return None
    document = json.loads((folder / "o.npy.session.json").read_text(encoding="utf-8"))
    return document["positions"][name] if name == _WHOLE else float(document["encoding"][name])


def _words(name, text):
    return [f"--positions={text}+1"] if name == _WHOLE else [f"--encoding-scale={text}"]


def _typed(form, name, text):
    """Type a number in place of another, as an input method of any script does; press Enter."""
    title, refused = declared(form.edited_class)[name].label, QSignalSpy(form.refused)
    (field,) = (it for it in form.findChildren(NumberField) if it.accessibleName() == title)
    field.activateWindow()
    field.enter_value(7)
    enter_value(field, text, replacing=True)
    shown = field.text()
    QTest.keyClick(field, Qt.Key.Key_Return)
    if refused.count():
        check_sentence(refused.at(0)[0])
        assert field.text() == shown, "what was typed is lost"
        assert field.value == 7, f"it is refused, and the value is {field.value}"
        field.restore()
        return None
    text, formatted = field.text(), _PARAMETERS[name].format(field.value)
    assert text == formatted, f"{text!r} is shown for {field.value!r}"
    return field.value


def random_spelling(pick, locale, *, whole):
    """Return a text, the number that its author means, and whether the text is unambiguous.

    An ambiguous text may be rejected, but must not be read as another number.
    """
    is_local = pick.random() < 0.3
    text, meant, clear = _local(pick, locale, whole) if is_local else (*_way(pick, whole), True)
    sign, by = pick.choice(_SIGNS)
    return sign + text, by * meant, clear


def _way(pick, whole):
    way = pick.choice(("plain", "grouped", "exponent", "power", "product", "suffix", "extreme"))
    digits, size = _number(pick, whole, 4)
    if way == "plain":
        return _number(pick, whole)
    if way == "grouped":
        digits = _integer(pick)
        return f"{int(digits):_}", Fraction(int(digits))
    if way == "exponent":
        power = pick.randint(0, 12) if whole else pick.choice(_POWERS)
        plus = pick.choice(("", "+")) if power >= 0 else ""
        return f"{digits}{pick.choice('eE')}{plus}{power}", size * Fraction(10) ** power
    if way == "power":
        base, size = _number(pick, whole, 2)
        if not size:
            base, size = "2", Fraction(2)
        power = pick.randint(0 if whole else -30, 60)
        return f"{base}{pick.choice(('^', '**', ' ^ '))}{power}", size**power
    if way == "product":
        factors = [_number(pick, whole, 5) for _ in range(pick.randint(2, 4))]
        texts, sizes = zip(*factors, strict=True)
        return pick.choice(("*", " * ", "×")).join(texts), math.prod(sizes)
    if way == "suffix":
        suffix, unit = pick.choice(list(_SUFFIXES.items()))
        return f"{digits}{suffix}", size * unit
    if whole:
        size = 2**53 + pick.randint(-3, 3)
        return pick.choice((str(size), f"{size}e0", f"{size}.0")), Fraction(size)
    digits, power = pick.choice(_EXTREMES)
    return f"{digits}e{power}", int(digits) * Fraction(10) ** power


def _integer(pick, most=16):
    digits = pick.choice(("1", "2", "15", "125", "1000", "12345", "1048576", ""))
    return digits or str(pick.randrange(10 ** pick.randint(1, most)))


def _decimals(pick):
    return pick.choice(("5", "25", "125", "500", "001", "10", "0001", str(pick.randrange(10**9))))


def _number(pick, whole, most=16):
    before = _integer(pick, most)
    if whole or pick.random() < 0.3:
        return before, Fraction(int(before))
    after = _decimals(pick)
    return f"{before}.{after}", Fraction(int(before + after), 10 ** len(after))


def _local(pick, name, whole):
    """Return a number as written in a country, its value, and whether it is unambiguous."""
    locale = QLocale(name)
    point, group = locale.decimalPoint(), locale.groupSeparator()
    before = pick.choice(("0", _integer(pick, 3), _integer(pick)))
    after = "" if whole else pick.choice(("", _decimals(pick)))
    if point == "," and not after.strip("0"):
        after = ""  # 10,000 means ten thousand everywhere, and so does 1,500.0
    grouped = pick.random() < 0.5 and len(before) > 3
    text = f"{int(before):,}".replace(",", group) if grouped else before
    if not whole and group == "." and text.count(".") == 1 and not after:
        text = before  # 1.500 is 1.5, because the point is the decimal mark
    text = f"{text}{point}{after}" if after else text
    zero = ord(locale.zeroDigit())
    typed = "".join(chr(zero + int(c)) if c in "0123456789" else c for c in text)
    is_clear = (not grouped and point != ",") or name == "ar_EG" or text.isdecimal()
    return typed, Fraction(int(before + after), 10 ** len(after)), is_clear


def _without_commas(text):
    """Return the number of a text in which commas before three digits separate thousands."""
    return parse_real_number(re.sub(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))", "", text))


def _refusing_suffixes(text):
    return parse_whole_number("planted" if text.endswith("k") else text)


PLANTS = {
    "commas": partial(patch, "pe_explorer.params.numeric.parse_real_number", _without_commas),
    "refused": partial(patch, "pe_explorer.params.numeric.parse_whole_number", _refusing_suffixes),
}
