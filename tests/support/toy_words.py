"""Word vectors of the built-in table, one bit of a hash after the other."""

import hashlib
import math


def toy_vector(word, width):
    """Return the vector of a word, whose capitals and full stop do not count."""
    digest = hashlib.shake_128(word.strip(".").lower().encode("utf-8")).digest(-(-width // 8))
    bits = [digest[j // 8] >> (j % 8) & 1 for j in range(width)]
    return [(2 * bit - 1) / math.sqrt(2) for bit in bits]
