"""What the frequencies say: how many waves complete a turn, and how fast the cursor's does."""

import math

import numpy as np

from pe_explorer.encodings import Encoding, EncodingError, Steady, Unknown, needs, require_known
from pe_explorer.exploration import Exploration, distinguishing_name
from pe_explorer.params import capitalised, printed
from pe_explorer.pictures.clock_texts import number
from pe_explorer.pictures.frequencies.numbers import (
    FrequencyNumbers,
    FrequencyOptions,
    departure,
    values_of,
    wave_noun,
    why_no_curve,
)
from pe_explorer.pictures.inspection import Inspection, Value

_STANDING = "Every frequency is 0"
_NO_POWER = f"{_STANDING}, which has no place on a logarithmic axis; choose a linear one."
_NO_WAVELENGTH = f"{_STANDING}: no wave ever completes a turn, so none has a wavelength."
_TOO_LONG = "The wavelengths are too large for a linear axis; choose a logarithmic one."


def why_empty(options: FrequencyOptions, numbers: FrequencyNumbers) -> str:
    """Return in a sentence why no wave of the current encoding can be drawn."""
    if numbers.waves[0].any():
        return _TOO_LONG
    return _NO_WAVELENGTH if options.quantity == "wavelength" else _NO_POWER


def status(state: Exploration, options: FrequencyOptions, numbers: FrequencyNumbers) -> str:
    """Return in sentences how many waves complete a turn, and which pins are left out."""
    e = require_known(state.encoding)
    waves, turning = len(numbers.waves[0]), numbers.completing_counts[0]
    noun = wave_noun(e) if waves == 1 else f"{wave_noun(e)}s"
    within = f"complete a turn in {e.rows.counted(state.count)}"
    sentence = f"Frequencies: {turning:,} of {waves:,} {noun} {within}"
    if turning < waves:
        sentence += f", {waves - turning:,} (shaded) do not{_named(noun, numbers)}"
    if length := options.length:
        sentence += f"; length {length:,}: {numbers.in_length:,}"
    standing = _standing(state, options, numbers)
    return f"{sentence}{_counts_of_pins(state, numbers)}.{standing}{_left_out(state)}"


def _standing(state: Exploration, options: FrequencyOptions, numbers: FrequencyNumbers) -> str:
    """Return how many waves of the current encoding have no place on the axis, as they stand."""
    standing = int((numbers.waves[0] == 0).sum())
    if not standing or not (options.logarithmic or options.quantity == "wavelength"):
        return ""
    what = "wavelength" if options.quantity == "wavelength" else "place on a logarithmic axis"
    noun = wave_noun(require_known(state.encoding))
    return f" {standing:,} {noun}{'s never turn' if standing > 1 else ' never turns'}: no {what}."


def _named(noun: str, numbers: FrequencyNumbers) -> str:
    """Return which waves complete no turn, if they are side by side."""
    still = np.flatnonzero(~numbers.completing).tolist()
    first, last = still[0], still[-1]
    if last - first >= len(still):
        return ""
    return f": {noun} {first:,} to {last:,}" if last > first else f": {noun} {first:,}"


def _counts_of_pins(state: Exploration, numbers: FrequencyNumbers) -> str:
    """Return how many waves of the pins complete a turn."""
    found = zip(state.pins, numbers.waves[1:], numbers.completing_counts[1:], strict=True)
    current, noun = numbers.waves[0], wave_noun(require_known(state.encoding))
    counts = []
    for pin, waves, turning in found:
        if len(waves):
            first = departure(current, waves)
            departs = "" if first is None else f", departs at {noun} {first:,}"
            name = distinguishing_name(pin, state.encoding)
            counts.append(f"; {name}: {turning:,} of {len(waves):,}{departs}")
    return "".join(counts)


def _left_out(state: Exploration) -> str:
    """Return which pins have no curve, and why."""
    reasons = [
        f"{distinguishing_name(pin, state.encoding)} ({why})"
        for pin in state.pins
        if (why := why_no_curve(state, pin.encoding))
    ]
    return f" Not drawn: {'; '.join(reasons)}." if reasons else ""


# -- the cursor ------------------------------------------------------------------------------------


MAIN = "Frequency"
_FREQUENCY_HELP = "ω, radians that the wave turns by from one {} to the next."
_WAVELENGTH_HELP = "λ = 2π/ω, how many {} a turn takes."
_TURNS_HELP = "How many turns the wave makes in the {} shown."
_TURNS_AT_HELP = "How many turns the wave has made at the cursor."
_NUMBER_HELP = "Number of the {}, counted from 0, the fastest."
_COLUMNS_HELP = "The {} that have this wave."
_PIN_HELP = "The frequency of the pinned encoding with the same number."


def inspect(state: Exploration) -> Inspection:
    """Return the wave of the cursor's dimension with its frequency, wavelength and turns.

    Raises
    ------
    EncodingError
        If the encoding has no waves.
    """
    e = require_known(state.encoding)
    if problem := needs.steady(e):
        raise EncodingError("encoding", problem)
    assert isinstance(e, Steady)
    wave, noun, rows = int(e.wave_of[state.dimension]), wave_noun(e), e.rows.plural
    if wave < 0:
        name = capitalised(e.columns.name)
        lack = f"{name} {state.dimension} has no wave, so it has no frequency."
        return Inspection(lack=lack, brief=("no wave",))
    frequency = np.abs([e.frequency(wave)])
    (wavelength,) = values_of(frequency, "wavelength", state.count)
    (turns,) = values_of(frequency, "turns", state.count)
    whole, part = e.turn(wave, state.position)
    columns = " and ".join(map(str, np.flatnonzero(e.wave_of == wave)))
    (exact,) = frequency.tolist()
    length = f"{wavelength:.12g}" if math.isfinite(wavelength) else "infinite"
    values = [
        Value(MAIN, repr(exact), _FREQUENCY_HELP.format(e.rows.name)),
        Value("Wavelength", length, _WAVELENGTH_HELP.format(rows)),
        Value("Turns shown", f"{turns:.12g}", _TURNS_HELP.format(rows)),
        Value(f"Turns at {e.rows.symbol}", f"{whole + part:.12g}", _TURNS_AT_HELP),
    ]
    values.append(Value(capitalised(noun), str(wave), _NUMBER_HELP.format(noun)))
    values.append(Value("Columns", columns, _COLUMNS_HELP.format(e.columns.plural)))
    values += _of_pins(state, wave)
    which = (f"{noun} {wave}",) if e.pairs else ()  # else it is the dimension
    brief = (f"ω {printed.fine(exact)}", f"λ {number(wavelength, 6)}", f"{number(turns)} turns")
    return Inspection(tuple(values), brief=(*which, *brief))


def _of_pins(state: Exploration, wave: int) -> list[Value]:
    """Return the frequencies of the pins that have such a wave."""
    values = []
    for pin in state.pins:
        frequency = _frequency(state, pin.encoding, wave)
        if frequency is not None:
            name = distinguishing_name(pin, state.encoding)
            values.append(Value(f"ω of {name}", f"{frequency:.12g}", _PIN_HELP))
    return values


def _frequency(state: Exploration, e: Encoding | Unknown, wave: int) -> float | None:
    if why_no_curve(state, e):
        return None
    assert isinstance(e, Steady)
    frequencies = e.turns.frequencies
    return abs(float(frequencies[wave])) if wave < len(frequencies) else None
