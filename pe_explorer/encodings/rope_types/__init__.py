"""How rotary frequencies are changed for lengths beyond the trained one: a formula in each file."""

from pe_explorer.encodings.rope_types._parameters import PARAMETERS
from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.encodings.rope_types.default import Default
from pe_explorer.encodings.rope_types.dynamic import Dynamic
from pe_explorer.encodings.rope_types.linear import Linear
from pe_explorer.encodings.rope_types.llama3 import Llama3
from pe_explorer.encodings.rope_types.longrope import LongRope
from pe_explorer.encodings.rope_types.ntk import Ntk
from pe_explorer.encodings.rope_types.proportional import Proportional
from pe_explorer.encodings.rope_types.yarn import Yarn

__all__ = ["PARAMETERS", "TYPES", "RopeType"]

_IN_LISTS = (Default, Linear, Dynamic, Ntk, Yarn, LongRope, Llama3, Proportional)

TYPES: dict[str, type[RopeType]] = {each.name: each for each in _IN_LISTS}
"""The types by the names that configurations give them, the simplest first."""
