"""The values at the cursor, and its place if the picture does not show it."""

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
    """The values at the cursor.

    Attributes
    ----------
    values : tuple of Value
        The first is the main number with all its digits.
    formula : tuple of str
        How it is computed, line by line.
    missing_reason : str
        A sentence with the reason why a value is missing, or an empty text.
    brief : tuple of str
        The values in few digits, for the status line.
    """

    values: tuple[Value, ...] = ()
    formula: tuple[str, ...] = ()
    missing_reason: str = ""
    brief: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """The main number without its unit, or an empty text."""
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
    """The place of a cursor that is not shown, such as ``20, above``.

    `fields` are the fields of the exploration that show it.
    """

    where: str
    fields: Mapping[str, Any]

    @property
    def sentence(self) -> str:
        return f"Cursor at {self.where}"


def inspect_value(e: Encoding, position: int, column: int) -> Inspection:
    """Return one value of an encoding, further values and the formula.

    Raises
    ------
    EncodingError
        If the encoding has no such value, or its file is missing.
    """
    reading = e.reading(position, column)
    missing_reason = ""
    if len(reading) == 1:
        problem = needs.waves(e)
        no_wave = f"this {e.columns.name} has no wave, so it has no angle and no wavelength"
        missing_reason = f"{capitalised(problem or no_wave)}."
    formula = e.explain(position, column)
    return Inspection(values_of(reading), formula, missing_reason, brief_reading(reading, "value"))


def inspection_of(wording: Wording) -> Inspection:
    """Return what the words of a view say of the place of the cursor, or why they say nothing."""
    if values := tuple(Value(*entry[:4]) for entry in wording.entries("inspector")):
        return Inspection(values, brief=tuple(wording.parts("brief")))
    return Inspection(
        missing_reason=wording.text("missing_reason"),
        brief=tuple(wording.parts("missing_reason_in_brief")),
    )


def values_of(reading: Reading) -> tuple[Value, ...]:
    """Return pairs of a name and a text as values."""
    return tuple(Value(name, text) for name, text in reading)


def brief_reading(reading: Reading, name: str) -> tuple[str, ...]:
    """Return a reading in few digits; `name` is the name of the value."""
    texts = dict(reading)
    parts = [f"{name} {signed(float(texts['Value']))}"]
    if angle := texts.get("Angle"):
        parts.append(printed.degrees(float(angle.removesuffix("°"))))
    if length := texts.get("Wavelength in positions"):
        parts.append(f"λ {'∞' if length == 'infinite' else printed.fine(float(length))}")
    return tuple(parts)


def signed(value: float) -> str:
    """Return a number with its sign and six digits."""
    return printed.fine(value, sign=True)


def brief_numbers(numbers: Mapping[str, float]) -> tuple[str, ...]:
    """Return numbers in few digits after their names; nan is undefined."""
    return tuple(
        f"{name} {signed(number) if math.isfinite(number) else 'undefined'}"
        for name, number in numbers.items()
    )


def rows_outside(state: Exploration, before: str, after: str) -> Outside | None:
    """Return the place of the cursor if its row is not shown: `before` or `after` the range.

    The fields centre the range on the cursor.
    """
    if state.position in state.positions:
        return None
    position = printed.whole(state.position)
    if len(position) > _LONGEST:  # write 2^53, round others
        typed = declared(Exploration)["position"].format(state.position)
        position = printed.text(typed) if "^" in typed else printed.brief(state.position)
    where = before if state.position < state.start else after
    return Outside(f"{position}, {where}", centred(state))
