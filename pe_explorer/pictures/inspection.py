"""What a picture says of the cursor: the numbers there, and where it is if it is not shown."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from pe_explorer.encodings import Encoding, Reading, needs
from pe_explorer.exploration import Exploration, centred
from pe_explorer.params import capitalised, declared, printed
from pe_explorer.words.texts import Wording

_LONGEST = 13  # characters of a position that is written in full


class Value(NamedTuple):
    """One thing that is known of the place of the cursor; `help` says what it means.

    `number` is that of what is drawn there, None for other values, nan where it is undefined.
    """

    name: str
    text: str
    help: str = ""
    number: float | None = None


class Inspection(NamedTuple):
    """What a picture says of the place of the cursor.

    Attributes
    ----------
    values : tuple of Value
        The first is the main number, with all its digits.
    formula : tuple of str
        How it is computed, line by line.
    lack : str
        In a sentence, why something is missing, or an empty text.
    brief : tuple of str
        The numbers in few digits, for a line of text.
    """

    values: tuple[Value, ...] = ()
    formula: tuple[str, ...] = ()
    lack: str = ""
    brief: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """The main number without its unit; an empty text where there is none."""
        if not self.values:
            return ""
        main = self.values[0]
        if main.number is not None:  # its text may have a power of ten
            return repr(float(main.number)) if math.isfinite(main.number) else ""
        text = main.text.removesuffix("°")
        try:
            float(text)
        except ValueError:
            return ""
        return text


class Outside(NamedTuple):
    """Where the cursor is if it is not shown: ``20, above``.

    `fields` are those of an exploration that shows it.
    """

    where: str
    fields: Mapping[str, Any]

    @property
    def sentence(self) -> str:
        """The same with its subject."""
        return f"Cursor at {self.where}"


def inspect_value(e: Encoding, position: int, column: int) -> Inspection:
    """Return what is known of one value of an encoding, and its formula.

    Raises
    ------
    EncodingError
        If the encoding has no such value, or its file is gone.
    """
    reading = e.reading(position, column)
    lack = ""
    if len(reading) == 1:
        problem = needs.waves(e)
        no_wave = f"this {e.columns.name} has no wave, so it has no angle and no wavelength"
        lack = f"{capitalised(problem or no_wave)}."
    formula = e.explain(position, column)
    return Inspection(values_of(reading), formula, lack, brief_reading(reading, "value"))


def inspection_of(wording: Wording) -> Inspection:
    """Return what the words of a view say of the place of the cursor, or why they say nothing."""
    if values := tuple(Value(*each[:4]) for each in wording.entries("inspector")):
        return Inspection(values, brief=tuple(wording.parts("brief")))
    return Inspection(lack=wording.text("lack"), brief=tuple(wording.parts("lack_in_brief")))


def values_of(reading: Reading) -> tuple[Value, ...]:
    """Return pairs of name and text as values."""
    return tuple(Value(name, text) for name, text in reading)


def brief_reading(reading: Reading, name: str) -> tuple[str, ...]:
    """Return a reading in few digits; `name` is what the value is called."""
    texts = dict(reading)
    parts = [f"{name} {signed(float(texts['Value']))}"]
    if angle := texts.get("Angle"):
        parts.append(f"{float(angle.removesuffix('°')):.2f}°")
    if length := texts.get("Wavelength in positions"):
        parts.append(f"λ {'∞' if length == 'infinite' else printed.fine(float(length))}")
    return tuple(parts)


def signed(value: float) -> str:
    """Return a number with its sign in six digits."""
    return printed.fine(value, sign=True)


def brief_numbers(numbers: Mapping[str, float]) -> tuple[str, ...]:
    """Return numbers in few digits after their names; nan is undefined."""
    return tuple(
        f"{name} {signed(number) if math.isfinite(number) else 'undefined'}"
        for name, number in numbers.items()
    )


def rows_outside(state: Exploration, before: str, after: str) -> Outside | None:
    """Return where the cursor is if its row is not shown: `before` or `after` what is.

    The fields move the range so that the cursor is in the middle.
    """
    if state.position in state.positions:
        return None
    position = printed.whole(state.position)
    if len(position) > _LONGEST:  # rounded, unless it is 2^53
        typed = declared(Exploration)["position"].format(state.position)
        position = printed.text(typed) if "^" in typed else printed.brief(state.position)
    where = before if state.position < state.start else after
    return Outside(f"{position}, {where}", centred(state))
