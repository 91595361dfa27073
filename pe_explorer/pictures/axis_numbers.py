"""Choose the tick labels of an axis, and write them exactly and briefly."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal

from pe_explorer.params import printed

WIDEST_NUMBER = "−0.00"  # widest text of a value in a cell
_MIN_SPACING = 1e-300  # minimum spacing, because the reciprocal of a smaller spacing overflows
_MAX_CELL_DIGITS = 4  # maximum number of integer digits in the text of a cell
_INTEGER_LIMIT = 10**7  # integers below this limit are written with all digits
_MIN_FAR_SPACINGS = 10**4  # distance from 0, in spacings, above which tick labels show differences
_MAX_BASE_LENGTH = 13  # maximum number of characters in the value that differences refer to
_MAX_LABEL_LENGTH = 7  # maximum number of characters in a tick label without a power of ten
_DECIMAL_POWERS = range(-3, 5)  # exponents of powers of ten that are written as decimals
_LEADING_DIGITS = (1, 2, 5)  # leading digits of the tick labels on a short logarithmic axis
_MIN_DIGIT_DISTANCE = 0.3  # smallest distance between the tick labels 1, 2 and 5, in powers of ten
_MEASURE_TITLE_PATTERN = re.compile(r"(.+?) (from|with) (?:\S+ )+(\S+)")
_MIN_TICK_LABELS = 2  # minimum number of tick labels needed to show the scale of an axis
PowerLabels = tuple[list[float], list[str], float]  # exponents, texts, and a spacing
_MAX_SHORT_AXIS_LENGTH = 2.0  # maximum length of a short logarithmic axis, in powers of ten


def find_axis_notation(start: int, count: int) -> tuple[int, int]:
    """Return the offset and power for which (position - offset) / 10^power has few digits.

    The offset is 0, the roundest position, or a nearby round number with a shorter text.
    """
    largest = max(abs(start), abs(start + count - 1))
    if largest < _INTEGER_LIMIT:
        return 0, 0
    if count * 1000 >= largest:
        return 0, 3 * ((len(str(largest)) - 1) // 3)
    grid = 10 ** (len(str(count)) + 1)
    last = start + count - 1
    offsets = find_roundest_integer(start, last), start // grid * grid, -(-last // grid) * grid
    offset = min(offsets, key=lambda number: len(printed.format_short_number(number)))
    return offset, find_axis_notation(start - offset, count)[1]


def find_roundest_integer(low: int, high: int) -> int:
    """Return the smallest integer from `low` to `high` with the most trailing zeros."""
    if low <= 0 <= high:
        return 0
    step = 1
    while -(-low // (10 * step)) * 10 * step <= high:
        step *= 10
    return -(-low // step) * step


# -- whole numbers -------------------------------------------------------------------------------


def find_round_step(minimum: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, ... that is not below `minimum`."""
    return 1 if minimum <= 1 else round(find_round_number(minimum))


def list_whole_multiples(origin: int, low: float, high: float, step: int) -> range:
    """Return the multiples of `step` from `low` to `high`.

    The limits and the result are relative to `origin`.
    """
    start = origin + math.ceil(low)
    first = start + -start % step - origin
    return range(first, math.floor(high) + 1, step)


def format_integer(number: int, power: int) -> str:
    """Return an integer divided by 10^power, with all digits."""
    if not power:
        return printed.whole(number)
    whole, rest = divmod(abs(number), 10**power)
    digits = f"{rest:0{power}d}".rstrip("0")
    sign = "−" if number < 0 else ""
    decimals = f".{digits}" if digits else ""
    return f"{sign}{whole:,}{decimals}"


def make_range_title(title: str, offset: int, factor: str) -> str:
    """Return the title of an axis whose tick labels are differences from `offset`.

    An example is ``position − 10¹²``, because the tick label 5 stands for the position
    10¹² + 5. Without a title, the result is ``+ 10¹²``, which completes a tick label.
    """
    if not offset:
        return f"{title}{factor}".strip()
    size = printed.format_short_number(abs(offset))
    if not title:
        return f"{factor} {'+' if offset > 0 else '−'} {size}".strip()
    difference = f"{title} {'−' if offset > 0 else '+'} {size}"
    return f"({difference}){factor}" if factor else difference


def list_shorter_titles(title: str) -> tuple[str, ...]:
    """Return shorter forms of a title such as ``cosine distance from position 0``.

    The first form is ``cosine distance from 0``, and the second form is ``cosine
    distance``. The result is empty if the title does not name a position.
    """
    match = _MEASURE_TITLE_PATTERN.fullmatch(title)
    return (f"{match[1]} {match[2]} {match[3]}", match[1]) if match else ()


# -- values --------------------------------------------------------------------------------------


def find_round_number(minimum: float) -> float:
    """Return the smallest number 1, 2 or 5 times a power of ten that is at least `minimum`."""
    power = 10.0 ** math.floor(math.log10(minimum))
    steps = (step * power for step in (1, 2, 5) if step * power >= minimum * (1 - 1e-9))
    return next(steps, 10 * power)


def find_quarter_step(minimum: float) -> float:
    """Return the smallest of 90, 180 and 360 degrees that is not below `minimum`, or else 360."""
    return next((step for step in (90.0, 180.0) if step >= minimum), 360.0)


def find_finest_step(low: float, high: float) -> float:
    """Return the spacing of float64 numbers at the larger magnitude of `low` and `high`."""
    return math.ulp(max(abs(low), abs(high), 1.0e-290))


def list_multiples(low: float, high: float, spacing: float) -> list[float]:
    """Return the multiples of a spacing from `low` to `high`, each rounded once."""
    first, last = math.ceil(low / spacing), math.floor(high / spacing)
    parts = round(1 / spacing) if _MIN_SPACING < spacing < 1 else 0
    if parts and math.isclose(parts * spacing, 1.0, rel_tol=1e-12):
        return [number / parts for number in range(first, last + 1)]  # 0.1 is inexact in float64
    return [number * spacing for number in range(first, last + 1)]


def format_values(values: Sequence[float], spacing: float) -> list[str]:
    """Format multiples of a spacing with few digits.

    If the values share many digits, only the roundest value is written in full, and the
    texts of the other values are differences from this value, such as +2 or −2. If the full
    text would be too long, the texts are differences from a round number below the values.
    """
    if not values:
        return []
    if max(map(abs, values)) <= _MIN_FAR_SPACINGS * spacing:
        return _format_briefly(values, spacing)
    base = find_base_index(values, spacing)
    if base is None:  # all texts are differences from a round number below the values
        length = values[-1] - values[0] or spacing
        grid = 10.0 ** (math.floor(math.log10(length)) + 1)
        origin = math.floor(values[0] / grid) * grid
        (origin_text,) = _format_briefly([origin], max(grid, abs(origin)))
        _, *differences = _format_briefly([value - origin for value in values], spacing)
        return [f"{origin_text}…", *(f"+{text}" for text in differences)]
    texts = _format_briefly([value - values[base] for value in values], spacing)
    signed_texts = [text if text.startswith("−") else f"+{text}" for text in texts]
    return [*signed_texts[:base], _format_exactly(values[base]), *signed_texts[base + 1 :]]


def _format_exactly(number: float) -> str:
    return (
        printed.format_short_number(int(number)) if number.is_integer() else printed.exact(number)
    )


def find_base_index(values: Sequence[float], spacing: float) -> int | None:
    """Return the index of the roundest value, to which the texts of other values refer.

    Return None if the text of the roundest value is too long, or if the values do not share
    many digits.
    """
    if not values or max(map(abs, values)) <= _MIN_FAR_SPACINGS * spacing:
        return None
    steps = [str(round(value / spacing)) for value in values]
    zeros = [len(digits) - len(digits.rstrip("0")) for digits in steps]
    base = zeros.index(max(zeros))
    return base if len(_format_exactly(values[base])) <= _MAX_BASE_LENGTH else None


def _format_briefly(values: Sequence[float], spacing: float) -> list[str]:
    power = math.floor(math.log10(spacing) + 1e-9)
    texts = [_strip_zeros(f"{value + 0.0:,.{max(0, -power)}f}") for value in values]
    if max(map(len, texts)) > _MAX_LABEL_LENGTH:
        texts = [_format_scientific(value, power) for value in values]
    return [text.replace("-", "−") for text in texts]


def _format_scientific(value: float, power: int) -> str:
    if not value:
        return "0"
    decimals = max(0, math.floor(math.log10(abs(value)) + 1e-9) - power)
    digits, exponent = f"{value:.{decimals}e}".split("e")
    return printed.format_scientific(_strip_zeros(digits), int(exponent))


def _strip_zeros(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


# -- powers of ten ---------------------------------------------------------------------------------


def make_power_labels(low: float, high: float, min_step: float) -> PowerLabels:
    """Return the exponents of the tick labels from `low` to `high`, their texts, and a spacing.

    The spacing is a lower bound for the distance of adjacent exponents. A long axis has
    only integers. A short axis also has the exponents of 2 and 5, or those of other round
    values if there would be too few labels. The spacing is at least `min_step`, or about the
    distance of the exponents of 1 and 2.
    """
    if min_step <= _MIN_DIGIT_DISTANCE and high - low < _MAX_SHORT_AXIS_LENGTH:
        powers = range(math.floor(low), math.ceil(high))
        numbers = [(digit, power) for power in powers for digit in _LEADING_DIGITS]
        numbers = [number for number in numbers if low <= _compute_exponent(*number) <= high]
        spacing = _MIN_DIGIT_DISTANCE
    else:
        step = find_round_step(min_step)
        numbers = [(1, power) for power in list_whole_multiples(0, low, high, step)]
        spacing = float(step)
    if len(numbers) < _MIN_TICK_LABELS:
        labels = _make_intermediate_labels(low, high, min_step)
        if len(labels[0]) > len(numbers):
            return labels
    exponents = [_compute_exponent(*number) for number in numbers]
    is_plain = all(power in _DECIMAL_POWERS for _, power in numbers)
    return exponents, [_format_power(*number, is_plain) for number in numbers], spacing


def _make_intermediate_labels(low: float, high: float, min_spacing: float) -> PowerLabels:
    first, last = 10.0**low, 10.0**high
    if not 0 < first < last < math.inf:
        return [], [], min_spacing
    spacing = find_round_number(max(last * (1 - 10.0**-min_spacing), find_finest_step(first, last)))
    numbers = list_multiples(first, last, spacing)
    # On a logarithmic axis, the two largest values are closest to each other.
    distance = -math.log10(1 - spacing / last) if spacing < last else math.inf
    return [math.log10(number) for number in numbers], format_values(numbers, spacing), distance


def _compute_exponent(digit: int, power: int) -> float:
    return power + math.log10(digit)


def _format_power(digit: int, power: int, is_plain: bool) -> str:
    if not is_plain:
        return printed.format_scientific(str(digit), power)
    return printed.whole(digit * 10**power) if power >= 0 else f"{digit / 10**-power:.{-power}f}"


def format_chosen_values(values: Sequence[float], *, powers: bool) -> list[str]:
    """Format values chosen by the user, with all digits.

    If `powers` is true, for a logarithmic axis, a power of ten is used for all values or for
    no value.
    """
    if not powers or all(0.001 <= value < 100_000 for value in values):
        return [*map(_format_exactly, values)]
    parts = (f"{Decimal(repr(value)).normalize():e}".split("e") for value in values)
    return [printed.format_scientific(digits, int(power)) for digits, power in parts]


def format_cell_value(value: float) -> str:
    """Format a cell's value in few characters, or as an empty string if it is not finite."""
    if not math.isfinite(value):
        return ""
    plain = f"{round(float(value), 2) + 0.0:.2f}"  # adding 0.0 turns -0.0 into 0.0
    if len(plain.removeprefix("-")) > len(WIDEST_NUMBER) - 1:
        return printed.format_rounded(float(value), 1, longest=_MAX_CELL_DIGITS)
    return plain.replace("-", "−")
