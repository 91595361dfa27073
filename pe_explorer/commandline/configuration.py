"""What `--config` starts from: the encodings of a model's configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pe_explorer import encodings
from pe_explorer.configs import CONFIGURATION, WITHOUT
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import Exploration, Pin, first_look
from pe_explorer.exploration.fields import PIN_COLOURS
from pe_explorer.params import ParameterError, did_you_mean, one_line, quoted

_LONGEST_NAME = 60  # characters of a pin's name


def explored(path: str, layers: str, *, several: bool) -> Exploration:
    """Return a first look at the encodings of a configuration.

    Parameters
    ----------
    path : str
        The file of the configuration.
    layers : str
        The layer type that is chosen; empty for none.
    several : bool
        Whether encodings of several layer types can be had: the first is the current one, the
        others are pins.

    Raises
    ------
    ParameterError
        If the file cannot be read, layers that are wanted have no encoding, there are no such
        layers, or there are several types of which one must be chosen.
    """
    found = _chosen(path, layers)
    if len(found) > 1 and not several:
        problem = f"{path} has several layer types: {_named(found)}"
        raise ParameterError("config", problem, "choose one with --layers")
    e, *others = found.values()
    _, *names = found
    pins = [
        Pin(other, one_line(name)[:_LONGEST_NAME], colour)
        for name, other, colour in zip(names, others, PIN_COLOURS, strict=False)
    ]
    state = Exploration()
    shown = first_look(state.encoding, e)
    return state.with_(encoding=e, pins=tuple(pins), **shown)


def _chosen(path: str, layers: str) -> Mapping[str, Encoding]:
    """Return the encoding of the layer type that is chosen, or those of all.

    Errors name the flag and the file.
    """
    try:
        found = encodings.read_config(path)
    except encodings.EncodingError as error:
        field = "" if error.name in (path, CONFIGURATION) else f"{error.name}: "
        raise ParameterError("config", f"{path}: {field}{error.fault}", error.remedy) from None
    if not found.encodings:
        raise ParameterError("config", f"{path}: {found.lack()}")
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
            raise ParameterError("config", f"{path}: {found.lack(layer)}", others)
    return {layer: found.encodings[layer] for layer in wanted}


def _named(layers: Iterable[str]) -> str:
    return ", ".join(map(one_line, layers))
