"""What pixels show of a table's columns, written anew: pixel by pixel, column by column."""

import numpy as np


def coverage(columns, pixels):
    """Return how much of each column each pixel covers, shape (columns, pixels), in columns."""
    shares = np.zeros((columns, pixels))
    for pixel in range(pixels):
        low, high = pixel * columns / pixels, (pixel + 1) * columns / pixels
        for column in range(int(low), min(columns, int(np.ceil(high)))):
            shares[column, pixel] = max(0.0, min(high, column + 1) - max(low, column))
    return shares


def resampled(table, pixels, turns=1):
    """Return the means that pixels show of rows of numbers, shape (rows, pixels).

    Columns alternate between `turns` kinds. Where they have less than two pixels, pixels show one
    kind each in turn; otherwise each shows the mean of what it covers.
    """
    columns = table.shape[1]
    if pixels >= 4 * columns:
        return table
    if turns == 1 or pixels >= 2 * columns:
        shares = coverage(columns, pixels)
        return table @ (shares / shares.sum(axis=0))
    found = np.empty((len(table), pixels))
    for kind in range(turns):
        own, shown = table[:, kind::turns], found[:, kind::turns]
        shares = coverage(own.shape[1], shown.shape[1])
        shown[...] = own @ (shares / shares.sum(axis=0))
    return found
