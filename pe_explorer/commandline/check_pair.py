"""The output of `check A B`: whether two configurations mean the same, by layer type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pe_explorer import encodings
from pe_explorer.analysis import specification_words as words
from pe_explorer.analysis.sheet_words import reader_of
from pe_explorer.analysis.specification import Comparison, compare
from pe_explorer.commandline.check_json import finite
from pe_explorer.configs import LLAMA_IF_ROTARY, WARNING, WITHOUT
from pe_explorer.encodings import Encoding, EncodingError
from pe_explorer.params import capitalised, one_line, only_used

if TYPE_CHECKING:
    from pe_explorer.encodings import ReadConfiguration

_ALL = "all"
_TOLERANCE = 0.1  # radians: a larger error changes a score by some percent


@dataclass(frozen=True)
class LayerPair:
    """A layer type of two configurations: its encodings and their differences.

    If they cannot be compared, `problem` says why.
    """

    layer: str
    first: Encoding | None
    second: Encoding | None
    found: Comparison | None
    problem: str = ""

    @property
    def differs(self) -> bool:
        """Whether the two differ in meaning."""
        if self.found is None:
            return _meaning(self.first) != _meaning(self.second)
        return not self.found.is_identity


@dataclass(frozen=True)
class FilePair:
    """Two configurations, each as its reader understands it.

    `assumed` has the classes that unknown ones are assumed to work like.
    """

    semantics: str
    readers: tuple[str, ...]
    assumed: tuple[str, str]
    softmax_factors: tuple[float, float]
    layers: tuple[LayerPair, ...]

    @property
    def differs(self) -> bool:
        """Whether the two differ in meaning."""
        first, second = self.softmax_factors
        return first != second or any(layer.differs for layer in self.layers)


def compare_files(
    first: Any, second: Any, semantics: str, length: int | None, assume: str | None = None
) -> FilePair:
    """Return the differences between two configurations.

    Raises
    ------
    EncodingError
        If one of them cannot be read, or has no encoding; see `encodings.read_config`.
    """
    assume = assume or LLAMA_IF_ROTARY
    found = [encodings.read_config(each, semantics, length, assume) for each in (first, second)]
    for each in found:
        each.require()
    layers = [_layer_pair(layer, *_of_layer(found, layer)) for layer in _layers(found)]
    softmax_factors = (found[0].softmax_factor, found[1].softmax_factor)
    assumed = (found[0].assumed, found[1].assumed)
    readers = tuple(reader_of(each.model_type, semantics) for each in found)
    return FilePair(semantics, readers, assumed, softmax_factors, tuple(layers))


def _layers(found: Sequence[ReadConfiguration]) -> list[str]:
    """Return the layer types with encodings in either file; `all` if each file has only one."""
    if all(len(each.encodings) == 1 for each in found):
        return [_ALL]
    named = (layer for each in found for layer in each.layers if layer != WITHOUT)
    return list(dict.fromkeys(named))


def _of_layer(
    found: Sequence[ReadConfiguration], layer: str
) -> tuple[Encoding | None, Encoding | None]:
    if layer == _ALL:
        first, second = (next(iter(each.encodings.values())) for each in found)
        return first, second
    made = [each.encodings.get(layer, each.encodings.get(_ALL)) for each in found]
    return made[0], made[1]


def _layer_pair(layer: str, first: Encoding | None, second: Encoding | None) -> LayerPair:
    if first is None or second is None:
        which = "first" if second is None else "second"
        return LayerPair(layer, first, second, None, f"only the {which} file has such layers")
    try:
        return LayerPair(layer, first, second, compare(first, second))
    except EncodingError as error:
        return LayerPair(layer, first, second, None, error.problem)


def _meaning(e: Encoding | None) -> Encoding | None:
    return None if e is None else only_used(e)


def pair_lines(first: str, second: str, checks: Sequence[FilePair]) -> Iterator[str]:
    """Yield a line for each fact about two files."""
    one, other = one_line(first), one_line(second)
    for number, check in enumerate(checks):
        if number:
            yield ""
        is_certain, readers = not any(check.assumed), " and ".join(dict.fromkeys(check.readers))
        how = f"as read by {readers}" if is_certain else f"by the rules of {readers}"
        yield f"{one} against {other}, {how}"
        for path, assumed in zip((one, other), check.assumed, strict=True):
            if assumed:
                yield f"{WARNING}: {path}: has an unknown class, assumed to work like {assumed}"
        for pair in check.layers:
            yield from (f"{one_line(pair.layer)}: {line}" for line in _facts(pair))
        softmax = check.softmax_factors
        if softmax != (1, 1):
            yield f"softmax factor: {softmax[0]:.5g} and {softmax[1]:.5g}"
        verdict = "they differ" if check.differs else "they mean the same"
        yield verdict if is_certain else f"{verdict}, if the assumption holds"


def _facts(pair: LayerPair) -> Iterator[str]:
    found = pair.found
    if found is None:
        yield f"{capitalised(pair.problem)}."
        return
    yield f"pairs that differ: {words.differing(found)}"
    yield f"largest ratio: {words.largest(found, 'the first', 'the second')}"
    yield f"off by more than {_TOLERANCE} rad: {words.beyond(found, _TOLERANCE)}"
    yield f"attention factors: {words.attention(found)}"
    yield f"order of channels: {words.order(found)}"


def pair_json(checks: Sequence[FilePair]) -> list[dict[str, Any]]:
    """Return the output of `--json` for each version as plain values."""
    return [
        {
            "semantics": check.semantics,
            "assumed": [each or None for each in check.assumed],
            "differs": check.differs,
            "softmax_factors": check.softmax_factors,
            "layers": {pair.layer: _layer_json(pair) for pair in check.layers},
        }
        for check in checks
    ]


def _layer_json(pair: LayerPair) -> dict[str, Any]:
    found = pair.found
    if found is None:
        return {"differs": pair.differs, "lack": pair.problem}
    number, ratio = found.largest
    there = found.first_beyond(_TOLERANCE)
    beyond = None if there is None else {"offset": there[0], "pair": there[1]}
    return {
        "differs": pair.differs,
        "pairs": found.pairs,
        "ratios": [finite(each) for each in found.ratios.tolist()],
        "differing": found.differing.tolist(),
        "first_pair": found.first_pair,
        "largest": {"pair": number, "ratio": finite(ratio)},
        "first_beyond": beyond,
        "attention": found.attention,
        "permutation": None if found.permutation is None else found.permutation.tolist(),
    }
