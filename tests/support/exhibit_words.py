"""Every number in the words of an exhibit or a lesson, against numbers worked out anew."""

import json
import re
from pathlib import Path

from tests.support.printed import in_ascii, value_of

GALLERY = Path(__file__).parents[2] / "resources" / "gallery"

_NUMBER = re.compile(r"(?<![\w.^])[−+]?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?")
_POWER = re.compile(r"\b(\d+)\^(\d+)")
_WITHOUT_NUMBERS = re.compile(r"float32|float64|word2vec|(?<![.,\d])00[0-4](?!\d)|\b1e\d+\b")
_EXHIBIT_TEXTS = ("title", "note", "look", "try", "text", "truth")
_STEP_TEXTS = ("idea", "do", "shows", "guess")


def exhibit(name):
    """Return what the file of an exhibit holds."""
    return json.loads((GALLERY / "exhibits" / f"{name}.json").read_text(encoding="utf-8"))


def lesson(name):
    """Return what the file of a lesson holds."""
    return json.loads((GALLERY / "lessons" / f"{name}.json").read_text(encoding="utf-8"))


def last_place(number):
    """Return the value of a one in the last place of a printed number."""
    digits, _, power = number.replace(",", "").partition("e")
    places = len(digits.partition(".")[2])
    return 10.0 ** (int(power or 0) - places)


def rounds_to(number, value):
    """Return whether a value, rounded, is a printed number; whole ones below 100 are exact."""
    printed = value_of(number)
    is_exact = last_place(number) == 1 and abs(printed) < 100
    half = 1e-9 if is_exact else last_place(number) / 2
    return abs(printed - value) <= half * (1 + 1e-9)


def numbers_in(text):
    """Return the numbers in a text as they are printed; powers such as 2^53 are worked out."""
    plain = _WITHOUT_NUMBERS.sub(" ", _with_exponents(text))
    whole = _POWER.sub(lambda found: str(int(found[1]) ** int(found[2])), plain)
    return [number.rstrip(",") for number in _NUMBER.findall(whole)]


def _with_exponents(text):
    """Return a text with powers of ten as the tests have them; a minus stays one."""
    return re.sub("(?<!e)-(?=[0-9])", "−", in_ascii(text))


def check_exhibit(name, values, below=None, given=""):
    """Check that each number of an exhibit is a value, rounded, or one that it is set to.

    `below` has a value for each printed number that is an upper limit; `given` has the numbers that
    stand for themselves, separated by spaces.
    """
    entry = exhibit(name)
    texts = [text for key in _EXHIBIT_TEXTS for text in _texts(entry.get(key, ""))]
    places = [point.get("at", {}) for point in entry["look"]]
    set_up = [entry["exploration"], places, [each["set"] for each in entry["try"]]]
    _check(texts, set(_settings(set_up)), values, below or {}, given)


def check_step(name, index, values, below=None):
    """Check the numbers of a step of a lesson, as `check_exhibit` does."""
    step = lesson(name)["steps"][index]
    guess = dict(step.get("guess", {}))
    if "choices" in guess:
        guess.pop("truth")  # which of them, no number on the screen
    shown = {**step, "guess": guess}
    texts = [text for key in _STEP_TEXTS for text in _texts(shown[key])]
    set_up = exhibit(step["exhibit"])["exploration"]
    asked = re.findall(r"\d+", step["check"])
    _check(texts, {*_settings(set_up), *map(float, asked)}, values, below or {}, "")


def _check(texts, settings, values, below, given):
    numbers = {number for text in texts for number in numbers_in(text)}
    known = {*below, *given.split()}
    assert known <= numbers, f"{sorted(known - numbers)} are not in the words"
    for value in values:
        same = {number for number in numbers if rounds_to(number, value)}
        assert same, f"{value} is not in the words"
        known |= same
    for number, value in below.items():
        assert value < value_of(number), f"{value} is not below {number}"
    unknown = {number for number in numbers - known if abs(value_of(number)) not in settings}
    assert not unknown, f"nobody worked out {sorted(unknown)}"


def _texts(part):
    """Yield the texts on the screen; places and settings are none."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, int | float):
        yield f"{part}".replace("-", "−")
    elif isinstance(part, list):
        for each in part:
            yield from _texts(each)
    else:
        for key, each in part.items():
            if key not in ("at", "set", "when"):
                yield from _texts(each)


def _settings(part):
    """Yield the numbers to which something is set, without their signs."""
    if isinstance(part, int | float) and not isinstance(part, bool):
        yield abs(float(part))
    elif isinstance(part, list):
        for each in part:
            yield from _settings(each)
    elif isinstance(part, dict):
        for each in part.values():
            yield from _settings(each)
