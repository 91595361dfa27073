"""The encodings that a panel shows: the current encoding and the pins."""

from typing import NamedTuple

from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration, Pin, current_name, distinguishing_name


class NamedEncoding(NamedTuple):
    """An encoding with its name, its brief name and its colour."""

    encoding: Encoding | Unknown
    name: str
    brief: str
    colour: str


def every_encoding(state: Exploration) -> tuple[Encoding | Unknown, ...]:
    """Return the current encoding, followed by the encodings of the pins."""
    return (state.encoding, *(pin.encoding for pin in state.pins))


def named_encodings(state: Exploration) -> tuple[NamedEncoding, ...]:
    """Return the current encoding, followed by the pins, with names and colours."""
    pins = (NamedEncoding(pin.encoding, *names_of(state, pin), pin.colour) for pin in state.pins)
    return (NamedEncoding(state.encoding, *names_of(state), "accent"), *pins)


def names_of(state: Exploration, pin: Pin | None = None) -> tuple[str, str]:
    """Return the name and brief name of a pin, or of the current encoding if `pin` is None."""
    if pin is None:
        return current_name(state, is_full=True), current_name(state)
    return distinguishing_name(state, pin, is_full=True), distinguishing_name(state, pin)
