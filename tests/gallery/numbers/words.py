"""Check every number in the texts of exhibits and lessons against computed numbers."""

import json
import re
from pathlib import Path

from tests.support.printed import in_ascii, value_of

GALLERY = Path(__file__).parents[3] / "resources" / "gallery"

_NUMBER = re.compile(r"(?<![\w.^])[−+]?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?")
_POWER = re.compile(r"\b(\d+)\^(\d+)")
_WITHOUT_NUMBERS = re.compile(r"float32|float64|word2vec|(?<![.,\d])00[0-4](?!\d)|\b1e\d+\b")
_EXHIBIT_TEXTS = ("title", "note", "look", "try", "text", "truth")
_STEP_TEXTS = ("idea", "do", "shows", "guess")


def exhibit(name, folder="exhibits"):
    """Return the content of the file of an exhibit or a lesson."""
    return json.loads((GALLERY / folder / f"{name}.json").read_text(encoding="utf-8"))


def rounds_to(number, value):
    """Return whether a value rounds to a printed number; integers below 100 must be exact."""
    printed = value_of(number)
    digits, _, power = number.replace(",", "").partition("e")
    last_place = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
    is_exact = last_place == 1 and abs(printed) < 100
    return abs(printed - value) <= (1e-9 if is_exact else last_place / 2) * (1 + 1e-9)


def numbers_in(text):
    """Return the numbers in a text as printed; powers such as 2^53 are evaluated."""
    plain = re.sub("(?<!e)-(?=[0-9])", "−", in_ascii(text))  # keep minus signs
    plain = _WITHOUT_NUMBERS.sub(" ", plain)
    whole = _POWER.sub(lambda found: str(int(found[1]) ** int(found[2])), plain)
    return [number.rstrip(",") for number in _NUMBER.findall(whole)]


def check_exhibit(name, values, below=None, given=""):
    """Check that each number of an exhibit is a value, rounded, or one that it is set to.

    `below` has a value for each printed number that is an upper limit; `given` has the numbers that
    stand for themselves, separated by spaces. The texts must print all values and numbers.
    """
    entry = exhibit(name)
    texts = [entry.get(key, "") for key in _EXHIBIT_TEXTS]
    places = [point.get("at", {}) for point in entry["look"]]
    set_up = [entry["exploration"], places, [item["set"] for item in entry["try"]]]
    _check(texts, set(_settings(set_up)), values, below or {}, given)


def check_lesson(name, values, below=None):
    """Check the numbers of a lesson: those of the words of a step's exhibit are checked there.

    Each other one is a setting, or a value, rounded; `values` and `below` have these of the steps
    by their places, as `check_exhibit` has them.
    """
    for place, step in enumerate(exhibit(name, "lessons")["steps"]):
        guess = dict(step.get("guess", {}))
        if "choices" in guess:
            guess.pop("truth")  # an index, not a number on the screen
        texts = [{**step, "guess": guess}[key] for key in _STEP_TEXTS]
        entry = exhibit(step["exhibit"])
        there = _texts([entry.get(key, "") for key in _EXHIBIT_TEXTS])
        known = {abs(value_of(number)) for text in there for number in numbers_in(text)}
        checked = map(float, re.findall(r"\d+", step["check"]))
        settings = {*_settings(entry["exploration"]), *checked, *known}
        _check(texts, settings, values.get(place, ()), (below or {}).get(place, {}), "")


def _check(texts, settings, values, below, given):
    numbers = {number for text in _texts(texts) for number in numbers_in(text)}
    known = {*below, *given.split()}
    assert known <= numbers, f"{sorted(known - numbers)} are not in the texts"
    for value in values:
        same = {number for number in numbers if rounds_to(number, value)}
        assert same, f"{value} is not in the texts"
        known |= same
    for number, value in below.items():
        assert value < value_of(number), f"{value} is not below {number}"
    unknown = {number for number in numbers - known if abs(value_of(number)) not in settings}
    assert not unknown, f"nobody worked out {sorted(unknown)}"


def _texts(part):
    """Yield the texts on the screen, without places and settings."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, int | float):
        yield f"{part}".replace("-", "−")
    else:
        pairs = part.items() if isinstance(part, dict) else enumerate(part)
        for key, item in pairs:
            if key not in ("at", "set", "when"):
                yield from _texts(item)


def _settings(part):
    """Yield the absolute values of numeric settings."""
    if isinstance(part, int | float) and not isinstance(part, bool):
        yield abs(float(part))
    elif isinstance(part, list | dict):
        for item in part.values() if isinstance(part, dict) else part:
            yield from _settings(item)
