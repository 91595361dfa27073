"""Samples of a product that have every pair of values: a fault seldom needs three to show."""

from itertools import combinations, product


def pairwise(*factors):
    """Return tuples, one value of each factor, so that any two values of two factors meet in one.

    The same factors give the same tuples. With two factors these are the whole product.
    """
    factors = [list(factor) for factor in factors]
    sizes = [range(len(factor)) for factor in factors]
    pairs = [
        ((one, i), (other, j))
        for one, other in combinations(range(len(factors)), 2)
        for i, j in product(sizes[one], sizes[other])
    ]
    missing = dict.fromkeys(pairs)  # in a fixed order, unlike a set
    rows = []
    while missing:
        chosen = dict(next(iter(missing)))
        for place in range(len(factors)):
            if place not in chosen:
                chosen[place] = _best(place, sizes[place], chosen, missing)
        row = sorted(chosen.items())
        for pair in combinations(row, 2):
            missing.pop(pair, None)
        rows.append(tuple(factors[place][value] for place, value in row))
    return rows


def some_pairs(these, others, share):
    """Yield each value with every second, third ... of the others, beginning with another one."""
    for number, this in enumerate(these):
        yield from ((this, other) for other in list(others)[number % share :: share])


def _best(place, values, chosen, missing):
    """Return the value of a factor that makes most of the missing pairs with what is chosen."""

    def gain(value):
        pairs = [tuple(sorted(((place, value), item))) for item in chosen.items()]
        return sum(pair in missing for pair in pairs)

    return max(values, key=gain)
