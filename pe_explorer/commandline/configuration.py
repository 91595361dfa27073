"""What `--config` and `--model` start from: the encodings of a model's configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pe_explorer import encodings
from pe_explorer.configs import CONFIGURATION, WITHOUT
from pe_explorer.exploration import Exploration
from pe_explorer.exploration.layer_types import main_first, pinned_layers
from pe_explorer.params import ParameterError, did_you_mean, one_line, quoted

if TYPE_CHECKING:
    from pe_explorer.encodings import Encoding, ReadConfiguration


class Given(NamedTuple):
    """A configuration that is given on a command line.

    Attributes
    ----------
    flag : str
        The name of the flag that gives it.
    name : str
        What it is called in messages: its file, or the model.
    source : path or mapping
        What is read.
    """

    flag: str
    name: str
    source: str | Mapping[str, Any]


def explored(given: Given, layers: str, *, several: bool) -> Exploration:
    """Return a first look at the encodings of a configuration.

    Parameters
    ----------
    given : Given
    layers : str
        The layer type that is chosen; empty for none.
    several : bool
        Whether encodings of several layer types can be had: one is the current encoding, the
        others are pins.

    Raises
    ------
    ParameterError
        If the file cannot be read or has no encoding, there are no such layers, or there are
        several types of which one must be chosen.
    """
    read = _read(given)
    found = _chosen(read, layers) if layers else main_first(read)
    if len(found) > 1 and not several:
        problem = f"{given.name} has several layer types: {_named(found)}"
        raise ParameterError(given.flag, problem, "choose one with --layers")
    return pinned_layers(found)


def _read(given: Given) -> ReadConfiguration:
    """Return what a configuration with encodings means; errors name the flag and the file."""
    try:
        found = encodings.read_config(given.source)
        found.require()
    except encodings.EncodingError as error:
        field = "" if error.name in (given.name, CONFIGURATION) else f"{error.name}: "
        problem = f"{given.name}: {field}{error.fault}"
        raise ParameterError(given.flag, problem, error.remedy) from None
    return found


def _chosen(read: ReadConfiguration, layers: str) -> Mapping[str, Encoding]:
    """Return the encoding of one layer type."""
    found = read.encodings
    types = [layer for layer in read.layers if layer != WITHOUT]
    if layers in found:
        return {layers: found[layers]}
    if layers in types and len(found) == 1:  # one for all layers
        return found
    hint = did_you_mean(layers, types)
    raise ParameterError("layers", f"{quoted(layers)} is not one of {_named(types)}{hint}")


def _named(layers: Mapping[str, object] | list[str]) -> str:
    return ", ".join(map(one_line, layers))
