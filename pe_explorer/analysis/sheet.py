"""The sheet of a configuration: for each layer type its encoding, and the numbers that follow."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pe_explorer.analysis import context
from pe_explorer.arrays import Floats, Ints
from pe_explorer.configs import WITHOUT, Layers
from pe_explorer.encodings import Encoding, Steady, Waves
from pe_explorer.params import used

_ALL = "all"


@dataclass(frozen=True)
class Sheet:
    """What a configuration means for the layers of one type; what nothing says is None."""

    layer: str  # the layer type, such as `full_attention`
    indices: tuple[int, ...]  # of the layers; empty where the file does not say how many
    encoding: Encoding | None  # None without positions, and where an error says why
    window: int | None  # how many keys a query sees
    trained: int | None  # the longest distance of training
    target: int | None  # the longest distance looked at, which is no longer than the window

    @property
    def waves(self) -> Steady | None:
        """The encoding, if it has frequencies."""
        return self.encoding if isinstance(self.encoding, Steady) else None

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the encoding that count; those left to the encoding are None."""
        e = self.encoding
        return {} if e is None else {name: e.parameters[name] for name in used(e)}

    @cached_property
    def wavelengths(self) -> Floats | None:
        """The positions per turn of each pair, shape (pairs,); None without frequencies."""
        return None if self.waves is None else self.waves.wavelengths()

    @cached_property
    def wavelengths_at_target(self) -> Floats | None:
        """Those at the length that is looked at, on which the frequencies of some types depend."""
        e = self.waves
        if e is None or self.trained is None or self.target is None:
            return self.wavelengths
        return context.in_use(e, self.trained, self.target).wavelengths()

    @cached_property
    def unscaled_wavelengths(self) -> Floats | None:
        """Those before any scaling."""
        return None if self.waves is None else self.waves.unscaled.wavelengths()

    @cached_property
    def changed(self) -> Ints | None:
        """The pairs whose frequencies a scaling changes."""
        return None if self.waves is None else context.changed(self.waves)

    @cached_property
    def report(self) -> context.Report | None:
        """What the pairs meet at the length that is looked at; None without trained length."""
        return None if self.target is None else self.report_at(self.target)

    def report_at(self, target: int) -> context.Report | None:
        """Return what the pairs meet at another length; None without trained length."""
        if self.waves is None or self.trained is None:
            return None
        e = context.in_use(self.waves, self.trained, target)
        return context.report(e, self.trained, target)

    @property
    def attention_factor(self) -> float:
        """The factor of cosines and sines; 1 where the encoding has none."""
        return self.encoding.amplitude if isinstance(self.encoding, Waves) else 1.0


def sheets(
    encodings: Mapping[str, Encoding],
    layers: Mapping[str, Layers],
    trained: int | None,
    target: int | None,
) -> Iterator[Sheet]:
    """Yield the sheet of each layer type, of encodings and layers as `read_config` returns them.

    `trained` is the length of training if it is another than the configuration says.
    """
    for layer, group in layers.items():
        e = None if layer == WITHOUT else encodings.get(layer, encodings.get(_ALL))
        length = group.trained if trained is None else _shorter(trained, group.window)
        seen = _shorter(target, group.window)
        yield Sheet(layer, group.indices, e, group.window, length, seen)


def _shorter(length: int | None, window: int | None) -> int | None:
    return min((each for each in (length, window) if each is not None), default=None)
