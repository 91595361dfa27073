"""The output of `check A B`: whether two configurations mean the same, by layer type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pe_explorer import encodings
from pe_explorer.analysis import specification_words as words
from pe_explorer.analysis.sheet_words import reader_of
from pe_explorer.analysis.specification import Comparison, compare
from pe_explorer.commandline.check_json import attributes, named, plain
from pe_explorer.configs import LLAMA_IF_ROTARY, WARNING, WITHOUT
from pe_explorer.encodings import Encoding, EncodingError
from pe_explorer.params import capitalised, one_line, only_used

if TYPE_CHECKING:
    from pe_explorer.encodings import ReadConfiguration

_ALL = "all"
_TOLERANCE = 0.1  # radians: a larger error changes a score by some percent


class LayerPair(NamedTuple):
    """A layer type of two configurations: its differences, or why they cannot be compared."""

    differs: bool
    found: Comparison | None
    problem: str = ""


class FilePair(NamedTuple):
    """Two configurations, each as its reader understands it.

    `assumed` has the classes that unknown ones are assumed to work like.
    """

    semantics: str
    readers: tuple[str, ...]
    assumed: tuple[str, ...]
    softmax_factors: tuple[float, ...]
    layers: dict[str, LayerPair]

    @property
    def differs(self) -> bool:
        """Whether the two differ in meaning."""
        first, second = self.softmax_factors
        return first != second or any(layer.differs for layer in self.layers.values())


def compare_files(
    first: Any, second: Any, semantics: str, length: int | None, assume: str | None = None
) -> FilePair:
    """Return the differences between two configurations, by layer type.

    If each has one encoding, it is that of all layers. Raises `EncodingError` if one of them cannot
    be read, or has no encoding; see `encodings.read_config`.
    """
    assume = assume or LLAMA_IF_ROTARY
    found = [encodings.read_config(each, semantics, length, assume) for each in (first, second)]
    return FilePair(
        semantics,
        tuple(reader_of(each.model_type, semantics) for each in found),
        tuple(each.assumed for each in found),
        tuple(each.softmax_factor for each in found),
        _layer_pairs(found),
    )


def _layer_pairs(found: Sequence[ReadConfiguration]) -> dict[str, LayerPair]:
    made = [each.require() for each in found]
    layers = [layer for each in found for layer in each.layers if layer != WITHOUT]
    if all(len(by_layer) == 1 for by_layer in made):
        made, layers = [{_ALL: e} for by_layer in made for e in by_layer.values()], [_ALL]
    return {
        layer: _layer_pair(*(by_layer.get(layer, by_layer.get(_ALL)) for by_layer in made))
        for layer in layers
    }


def _layer_pair(first: Encoding | None, second: Encoding | None) -> LayerPair:
    if first is None or second is None:
        which = "first" if second is None else "second"
        return LayerPair(first is not second, None, f"only the {which} file has such layers")
    try:
        found = compare(first, second)
    except EncodingError as error:
        return LayerPair(only_used(first) != only_used(second), None, error.problem)
    return LayerPair(not found.is_identity, found)


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
        for layer, pair in check.layers.items():
            yield from (f"{one_line(layer)}: {line}" for line in _facts(pair))
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
            "layers": {layer: plain(_layer(pair)) for layer, pair in check.layers.items()},
        }
        for check in checks
    ]


def _layer(pair: LayerPair) -> dict[str, Any]:
    found = pair.found
    if found is None:
        return {"differs": pair.differs, "lack": pair.problem}
    return {
        "differs": pair.differs,
        **attributes(found, "pairs", "ratios", "differing", "first_pair"),
        "largest": named(("pair", "ratio"), found.largest),
        "first_beyond": named(("offset", "pair"), found.first_beyond(_TOLERANCE)),
        **attributes(found, "attention", "permutation"),
    }
