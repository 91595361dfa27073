"""Samples of a product that have every pair of values: a fault seldom needs three to show."""

from itertools import combinations, product


def pairwise(*factors):
    """Return tuples, one value of each factor, so that any two values of two factors meet in one.

    The same factors give the same tuples. With two factors these are the whole product.
    """
    factors = [list(factor) for factor in factors]
    cells = [[(place, n) for n in range(len(factor))] for place, factor in enumerate(factors)]
    pairs = (pair for two in combinations(cells, 2) for pair in product(*two))
    missing = dict.fromkeys(pairs)  # in a fixed order, unlike a set
    rows = []
    while missing:
        row = list(next(iter(missing)))
        for own in cells:
            if not set(own) & set(row):  # add the value that makes most of the missing pairs
                row.append(max(own, key=lambda cell: _gain(cell, row, missing)))
        row.sort()
        for pair in combinations(row, 2):
            missing.pop(pair, None)
        rows.append(tuple(factors[place][n] for place, n in row))
    return rows


def _gain(cell, row, missing):
    return sum(tuple(sorted((cell, other))) in missing for other in row)
