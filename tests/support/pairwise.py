"""Samples of a product that cover every pair of values, because few faults need three values."""

from itertools import combinations, product


def pairwise(*factors):
    """Return tuples with one value of each factor that contain every pair of values.

    Equal factors give equal tuples. For two factors, the tuples are the whole product.
    """
    factors = [list(factor) for factor in factors]
    cells = [[(place, n) for n in range(len(factor))] for place, factor in enumerate(factors)]
    pairs = (pair for two in combinations(cells, 2) for pair in product(*two))
    missing = dict.fromkeys(pairs)  # a dict keeps its order, unlike a set
    rows = []
    while missing:
        row = list(next(iter(missing)))
        for own in cells:
            if not set(own) & set(row):  # choose the value that covers most of the missing pairs
                row.append(max(own, key=lambda cell: _gain(cell, row, missing)))
        row.sort()
        for pair in combinations(row, 2):
            missing.pop(pair, None)
        rows.append(tuple(factors[place][n] for place, n in row))
    return rows


def _gain(cell, row, missing):
    return sum(tuple(sorted((cell, other))) in missing for other in row)
