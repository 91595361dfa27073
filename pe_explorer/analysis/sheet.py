"""The sheets of a configuration: the encoding of each layer type, and values derived from it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pe_explorer.analysis import context
from pe_explorer.arrays import Floats, Ints
from pe_explorer.configs import NO_POSITIONS, Layers
from pe_explorer.encodings import Encoding, Steady, Waves
from pe_explorer.params import find_used_parameters


@dataclass(frozen=True)
class Sheet:
    """The meaning of a configuration for the layers of one type; unknown values are None."""

    layer: str  # the layer type, such as `full_attention`
    indices: tuple[int, ...]  # the indices of the layers; empty if unknown
    encoding: Encoding | None  # None if the layers have no positional encoding or it is unreadable
    window: int | None  # the maximum number of keys that a query attends to; None if unlimited
    trained: int | None  # the longest distance between positions in training
    target: int | None  # the longest distance to check, at most the window

    @property
    def waves(self) -> Steady | None:
        """The encoding if it has frequencies, otherwise None."""
        return self.encoding if isinstance(self.encoding, Steady) else None

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The parameters that affect the encoding; None means a default value."""
        e = self.encoding
        return {} if e is None else {name: e.parameters[name] for name in find_used_parameters(e)}

    @cached_property
    def wavelengths(self) -> Floats | None:
        """The number of positions per turn of each pair; None if there are no frequencies."""
        return None if self.waves is None else self.waves.wavelengths()

    @cached_property
    def wavelengths_at_target(self) -> Floats | None:
        """The wavelengths at the target length, or `wavelengths` if a length is unknown."""
        e = self.waves
        if e is None or self.trained is None or self.target is None:
            return self.wavelengths
        return context.adapt_to_length(e, self.trained, self.target).wavelengths()

    @cached_property
    def unscaled_wavelengths(self) -> Floats | None:
        """The wavelengths before scaling; None if there are no frequencies."""
        return None if self.waves is None else self.waves.unscaled.wavelengths()

    @cached_property
    def changed(self) -> Ints | None:
        """The pairs whose frequencies scaling changes; None if there are no frequencies."""
        return None if self.waves is None else context.find_changed_pairs(self.waves)

    @cached_property
    def report(self) -> context.ContextReport | None:
        """The report on unseen angles at the target; None if lengths or frequencies are missing."""
        return None if self.target is None else self.make_report(self.target)

    def make_report(self, target: int) -> context.ContextReport | None:
        """Return `report` for another target; None if a length or frequencies are missing."""
        if self.waves is None or self.trained is None:
            return None
        e = context.adapt_to_length(self.waves, self.trained, target)
        return context.report(e, self.trained, target)

    @property
    def attention_factor(self) -> float:
        """The factor that multiplies cosines and sines; 1 if the encoding has no waves."""
        return self.encoding.amplitude if isinstance(self.encoding, Waves) else 1.0


def sheets(
    encodings: Mapping[str, Encoding],
    layers: Mapping[str, Layers],
    trained: int | None,
    target: int | None,
) -> Iterator[Sheet]:
    """Yield the sheet of each layer type; `encodings` and `layers` come from `read_config`.

    If `trained` is not None, it replaces the training length in the configuration.
    """
    for layer, group in layers.items():
        e = None if layer == NO_POSITIONS else encodings.get(layer, encodings.get("all"))
        limits = [] if group.window is None else [group.window]
        length = group.trained if trained is None else min([trained, *limits])
        limits += [] if target is None else [target]
        yield Sheet(layer, group.indices, e, group.window, length, min(limits, default=None))
