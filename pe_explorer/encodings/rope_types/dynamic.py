"""The type `dynamic`: a base that grows with the length in use."""

from dataclasses import dataclass
from decimal import Decimal

from pe_explorer.encodings.rope_types.ntk import LargerBaseType


@dataclass(frozen=True)
class DynamicType(LargerBaseType):
    """The base grows with the length in use beyond the training length.

    For pair i of the R >= 4 rotated channels, with the training length L and the longest length in
    use N >= L::

        ω_i = b^(-2i/R),    b = rope_theta · (factor·N/L - (factor - 1))^(R/(R - 2))

    L is `max_position_embeddings` in a configuration. A model recomputes its frequencies when a
    sequence gets longer, so cached keys were rotated with other frequencies.

    Sources
    -------
    emozilla 2023, "Dynamically Scaled RoPE"; transformers,
    `_compute_dynamic_ntk_parameters`.
    """

    name = "dynamic"

    original_max_position_embeddings: int
    sequence_length: int | None

    @property
    def _length_in_use(self) -> int:
        trained = self.original_max_position_embeddings
        return max(self.sequence_length or trained, trained)

    @property
    def stretch(self) -> Decimal:
        """factor·N/L - (factor - 1), which is 1 at the training length."""
        factor, trained = Decimal(self.factor), self.original_max_position_embeddings
        return factor * (self._length_in_use - trained) / trained + 1

    @property
    def ineffective_parameters(self) -> dict[str, str]:
        reason = "the length in use does not exceed the training length; increase the length in use"
        if self.sequence_length is None:
            return {"factor": reason, "original_max_position_embeddings": reason}
        if self._length_in_use == self.original_max_position_embeddings:
            return {"factor": reason}
        return {}

    def reason(self, pair: int) -> str:
        if self._length_in_use == self.original_max_position_embeddings:
            cause = "the length in use does not exceed the training length"
            return f"{cause}, so the base does not change"
        return super().reason(pair)

    def _write_stretch(self, factor: str) -> str:
        ratio = f"{self._length_in_use} / {self.original_max_position_embeddings}"
        return f"({factor} * {ratio} - ({factor} - 1))"
