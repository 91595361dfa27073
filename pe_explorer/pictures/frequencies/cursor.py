"""What the frequencies say of the cursor: how fast its wave turns, also with the pins."""

import math

import numpy as np

from pe_explorer.encodings import Encoding, EncodingError, Unknown, Waves, needs, require_known
from pe_explorer.exploration import Exploration, distinguishing_name
from pe_explorer.params import capitalised, printed
from pe_explorer.pictures.clock_texts import number
from pe_explorer.pictures.frequencies.numbers import values_of, wave_noun, why_no_curve
from pe_explorer.pictures.inspection import Inspection, Value

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
    if problem := needs.waves(e):
        raise EncodingError("encoding", problem)
    assert isinstance(e, Waves)
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
    values = [
        Value(MAIN, repr(exact), _FREQUENCY_HELP.format(e.rows.name)),
        Value("Wavelength", _text(wavelength), _WAVELENGTH_HELP.format(rows)),
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
    assert isinstance(e, Waves)
    frequencies = e.turns.frequencies
    return abs(float(frequencies[wave])) if wave < len(frequencies) else None


def _text(wavelength: float) -> str:
    return f"{wavelength:.12g}" if math.isfinite(wavelength) else "infinite"
