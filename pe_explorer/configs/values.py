"""The meaning of a model's configuration, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pe_explorer.params import ParameterError, with_remedy

Scheme = tuple[str, Mapping[str, Any]]
"""The name of an encoding, and its parameters."""

ERROR, WARNING, NOTE = "error", "warning", "note"
"""The levels of findings.

An error means that a layer has no encoding. A warning means that a field has no effect,
that fields contradict each other, or that the class is unknown. A note means that a
default is used or that versions differ."""

NO_POSITIONS = "none"
"""The layer type of layers without positions, for example linear attention."""

LLAMA, LLAMA_IF_ROTARY = "llama", "llama-if-rotary"
"""The ways to read a class that `classes.json` does not list.

`LLAMA` reads the class like Llama. `LLAMA_IF_ROTARY` does so only if a field is about
RoPE or ALiBi, and is for callers that report the assumption, such as the command
`check`."""

CONFIGURATION = "the configuration"
"""The name used in errors for a configuration that was not read from a file."""


class ConfigError(ParameterError):
    """An error in a configuration; the message begins with the name of the file or field."""


@dataclass(frozen=True)
class Finding:
    """A remark about a field of a configuration.

    Attributes
    ----------
    level : str
        `error`, `warning` or `note`.
    kind : str
        The kind of remark, such as `no-effect`.
    field : str
        The path in the file, such as ``text_config.rope_scaling.factor``.
    happens, why : str
        The effect of the field, and the reason or the remedy, which can be empty.
    layers : tuple of str
        The affected layer types.
    versions : tuple of str
        The versions of transformers whose results differ.
    flag : str
        The command-line flag that `why` recommends; the window shows other advice instead.
    """

    level: str
    kind: str
    field: str
    happens: str
    why: str = ""
    layers: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    flag: str = ""

    @property
    def line(self) -> str:
        """The finding as one line of text."""
        return with_remedy(f"{self.level}: {self.field}: {self.happens}", self.why)


@dataclass(frozen=True)
class Layers:
    """The layers of one type.

    Attributes
    ----------
    indices : tuple of int
        The numbers of the layers, starting at 0; empty if the file does not state the number of
        layers.
    window : int or None
        The number of keys that a query sees, or None if a query sees all keys.
    trained : int or None
        The longest distance in training, in positions, or None if it is unknown.
    """

    indices: tuple[int, ...]
    window: int | None
    trained: int | None


@dataclass(frozen=True)
class ConfigurationMeaning:
    """The meaning of a configuration under one version of transformers, without its encodings.

    Attributes
    ----------
    layers : {layer type: Layers}
        All layers; the key `none` contains the layers without positions, such as linear attention.
    findings : tuple of Finding
    model_type : str
        The class of the file, without the suffix `_text`; empty if the file names no class.
    assumed : str
        `llama` if an unknown class is read like Llama; empty for a known class.
    trained, stated : int or None
        The training length, and the length that the file states, in positions.
    softmax_factor : float
        The factor that multiplies scores before softmax; 1.0 without latent attention.
    dtype : str or None
        The dtype of the weights, such as `bfloat16`; None if the file does not state it.
    paths : {str: str}
        The paths of `length` (`max_position_embeddings` or similar), `stated`, `window` and
        `dtype`, even if the file does not contain the fields. `rounded_slopes` has a path
        if the class rounds the slopes of ALiBi to bfloat16.
    """

    layers: Mapping[str, Layers]
    findings: tuple[Finding, ...]
    model_type: str
    assumed: str
    trained: int | None
    stated: int | None
    softmax_factor: float
    dtype: str | None
    paths: Mapping[str, str]


@dataclass(frozen=True)
class Configuration(ConfigurationMeaning):
    """The meaning of a configuration, with a scheme for each layer type.

    Attributes
    ----------
    schemes : {layer type: Scheme}
        The schemes of layers that have positions and a supported encoding.
    """

    schemes: Mapping[str, Scheme]
