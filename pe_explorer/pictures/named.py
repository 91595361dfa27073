"""The encodings that a panel shows: the current encoding and the pins."""

from typing import NamedTuple

from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration, Pin, make_current_name, make_distinguishing_name


class NamedEncoding(NamedTuple):
    """An encoding with its name, its brief name and its colour."""

    encoding: Encoding | Unknown
    name: str
    brief: str
    colour: str


def list_encodings(state: Exploration) -> tuple[Encoding | Unknown, ...]:
    """Return the current encoding, followed by the encodings of the pins."""
    return (state.encoding, *(pin.encoding for pin in state.pins))


def named_encodings(state: Exploration) -> tuple[NamedEncoding, ...]:
    """Return the current encoding, followed by the pins, with names and colours."""
    pins = (
        NamedEncoding(pin.encoding, *find_encoding_names(state, pin), pin.colour)
        for pin in state.pins
    )
    return (NamedEncoding(state.encoding, *find_encoding_names(state), "accent"), *pins)


def find_encoding_names(state: Exploration, pin: Pin | None = None) -> tuple[str, str]:
    """Return the name and brief name of a pin, or of the current encoding if `pin` is None."""
    if pin is None:
        return make_current_name(state, is_full=True), make_current_name(state)
    return make_distinguishing_name(state, pin, is_full=True), make_distinguishing_name(state, pin)
