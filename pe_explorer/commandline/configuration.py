"""The encodings of a model's configuration, which `--config` and `--model` start from."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pe_explorer import encodings
from pe_explorer.configs import CONFIGURATION, WITHOUT
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import Exploration
from pe_explorer.exploration.layer_types import pinned_layers
from pe_explorer.params import ParameterError, did_you_mean, one_line, quoted

_LONGEST_NAME = 60  # letters of the name of a layer type in a message


class GivenConfiguration(NamedTuple):
    """A configuration from a command line.

    Attributes
    ----------
    flag : str
        The name of the flag that gives it.
    name : str
        Its name in messages: that of its file, or of the model.
    source : path or mapping
        The file to read, or the mapping.
    """

    flag: str
    name: str
    source: str | Mapping[str, Any]


def explored(given: GivenConfiguration, layers: str, *, several: bool) -> Exploration:
    """Return a first look at the encodings of a configuration.

    Parameters
    ----------
    given : Given
    layers : str
        The layer type that is chosen; empty for none.
    several : bool
        Whether several layer types are allowed: the encoding of the first is the current one,
        the others are pins.

    Raises
    ------
    ParameterError
        If the file cannot be read, layers that are wanted have no encoding, there are no such
        layers, or there are several types of which one must be chosen.
    """
    found = _chosen(given, layers)
    if len(found) > 1 and not several:
        problem = f"{given.name} has several layer types: {_named(found)}"
        raise ParameterError(given.flag, problem, "choose one with --layers")
    return pinned_layers(found)


def trained_length(given: GivenConfiguration) -> int | None:
    """Return the trained length that a configuration states, None without one."""
    return encodings.read_config(given.source).trained


def _chosen(given: GivenConfiguration, layers: str) -> Mapping[str, Encoding]:
    """Return the encoding of the layer type that is chosen, or those of all.

    Errors name the flag and the file.
    """
    try:
        found = encodings.read_config(given.source)
    except encodings.EncodingError as error:
        field = "" if error.name in (given.name, CONFIGURATION) else f"{error.name}: "
        raise ParameterError(
            given.flag, f"{given.name}: {field}{error.fault}", error.remedy
        ) from None
    if not found.encodings:
        raise ParameterError(given.flag, f"{given.name}: {found.lack()}")
    types = [layer for layer in found.layers if layer != WITHOUT]
    if layers and layers not in (*types, *found.encodings):
        hint = did_you_mean(layers, types)
        raise ParameterError("layers", f"{quoted(layers)} is not one of {_named(types)}{hint}")
    if found.encodings.keys().isdisjoint(types):  # one for all of them
        return found.encodings
    wanted = [layers] if layers else types
    for layer in wanted:
        if layer not in found.encodings:
            others = f"choose {_named(found.encodings)} with --layers"
            raise ParameterError(given.flag, f"{given.name}: {found.lack(layer)}", others)
    return {layer: found.encodings[layer] for layer in wanted}


def _named(layers: Iterable[str]) -> str:
    """Return the names of layer types as a part of a sentence; a file may have very long ones."""
    names = (name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…" for name in layers)
    return ", ".join(map(one_line, names))
