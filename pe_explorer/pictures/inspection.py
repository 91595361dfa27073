"""The values at the cursor, and the location of a cursor that is not shown."""

import math
from collections.abc import Mapping
from itertools import starmap
from typing import Any, NamedTuple

from pe_explorer.encodings import Encoding, Steady, ValueFacts, needs
from pe_explorer.exploration import Exploration, centre_range
from pe_explorer.numeric.rounding import find_largest_exact_integer, round_to
from pe_explorer.params import capitalise, declared, printed
from pe_explorer.words.texts import Wording

_ROUNDED_POSITION_HELP = (
    "This position and the next one, or the spacing of positions, if a program holds positions in "
    "bfloat16. Positions that become equal get the same row."
)
_MAX_BRIEF_POSITION = 10_000  # limit for writing a position and its rounded value in full
_MAX_POSITION_LENGTH = 13  # maximum number of characters in a position that is written in full


class Value(NamedTuple):
    """A named value at the cursor."""

    name: str
    text: str
    help: str = ""
    number: float | None = None  # value drawn at the cursor; None if the value is not drawn


class Inspection(NamedTuple):
    """The values at the cursor."""

    values: tuple[Value, ...] = ()  # the main value with all digits, then additional values
    formula: tuple[str, ...] = ()  # computation of the main value, line by line
    missing_reason: str = ""  # sentence with the reason why a value is missing
    brief: tuple[str, ...] = ()  # values in few digits, for the status line

    @property
    def number(self) -> str:
        """The main value without its unit; empty if it does not exist or is not a number."""
        if not self.values:
            return ""
        main = self.values[0]
        if main.number is not None:  # the text may contain a power of ten, so use the number
            return repr(float(main.number)) if math.isfinite(main.number) else ""
        text = main.text.removesuffix("°")
        try:
            float(text)
        except ValueError:
            return ""
        return text


class HiddenCursor(NamedTuple):
    """The location of a cursor that is not shown."""

    place: str  # position and direction, such as ``20, above``
    fields: Mapping[str, Any]  # exploration fields that make the cursor visible

    @property
    def sentence(self) -> str:
        return f"Cursor at {self.place}"


def inspect_value(e: Encoding, position: int, column: int) -> Inspection:
    """Return the values of a cell of an encoding, and the formula of the main value.

    Raises
    ------
    EncodingError
        If the encoding has no value at this position and column, or if its file is missing.
    """
    reading = e.reading(position, column)
    missing_reason = ""
    if len(reading) == 1:
        problem = needs.waves(e)
        no_wave_reason = f"this {e.columns.name} has no wave, so it has no angle and no wavelength"
        missing_reason = f"{capitalise(problem or no_wave_reason)}."
    values, formula = tuple(starmap(Value, reading)), e.explain(position, column)
    if isinstance(e, Steady) and not needs.code_angles(e):
        values = (*values, _make_rounded_position(position + e.origin))
    return Inspection(values, formula, missing_reason, format_brief_value(reading, "value"))


def _make_rounded_position(position: int) -> Value:
    """Return what a program gets if it holds a position and the next one in bfloat16."""
    positions = [position, position + 1]
    if abs(position) < _MAX_BRIEF_POSITION:
        pairs = zip(positions, round_to(positions, "bfloat16"), strict=True)
        text = ", ".join(f"{before} → {after:.0f}" for before, after in pairs)
    else:
        spacing = (1 << abs(position).bit_length()) // find_largest_exact_integer("bfloat16")
        text = f"multiples of {printed.brief(spacing)}"
    return Value("In bfloat16", text, _ROUNDED_POSITION_HELP)


def make_inspection(wording: Wording) -> Inspection:
    """Return the values at the cursor, or why there are none, from the texts of a view."""
    if values := tuple(Value(*entry[:4]) for entry in wording.entries("inspector")):
        return Inspection(values, brief=tuple(wording.parts("brief")))
    return Inspection(
        missing_reason=wording.text("missing_reason"),
        brief=tuple(wording.parts("missing_reason_in_brief")),
    )


def format_brief_value(reading: ValueFacts, name: str) -> tuple[str, ...]:
    """Format the value, angle and wavelength of a reading; `name` precedes the value."""
    texts = dict(reading)
    parts = [f"{name} {format_signed_number(float(texts['Value']))}"]
    if angle := texts.get("Angle"):
        parts.append(printed.degrees(float(angle.removesuffix("°"))))
    if length := texts.get("Wavelength in positions"):
        parts.append(f"λ {'∞' if length == 'infinite' else printed.fine(float(length))}")
    return tuple(parts)


def format_signed_number(value: float) -> str:
    """Format a value with its sign and six significant digits."""
    return printed.fine(value, sign=True)


def format_brief_numbers(numbers: Mapping[str, float]) -> tuple[str, ...]:
    """Format each value after its name; write ``undefined`` if the value is not finite."""
    return tuple(
        f"{name} {format_signed_number(number) if math.isfinite(number) else 'undefined'}"
        for name, number in numbers.items()
    )


def make_hidden_cursor(state: Exploration, before: str, after: str) -> HiddenCursor | None:
    """Return the location of the cursor, or None if its row is shown.

    `before` and `after` describe the sides of the range, for example ``above`` and
    ``below``. The fields of the result centre the range on the cursor.
    """
    if state.position in state.positions:
        return None
    position = printed.whole(state.position)
    if len(position) > _MAX_POSITION_LENGTH:  # write 2^53 as a power, and round other positions
        text = declared(Exploration)["position"].format(state.position)
        position = printed.text(text) if "^" in text else printed.brief(state.position)
    side = before if state.position < state.start else after
    return HiddenCursor(f"{position}, {side}", centre_range(state))
