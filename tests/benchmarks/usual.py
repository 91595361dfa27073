"""The same four pictures, made with NumPy's sines and matplotlib artists that are updated."""

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from tests.support.sinusoids import sinusoid

MATRIX = 250


class Figure:
    """A heatmap, nine clocks, a curve and a matrix at 1920 x 1080."""

    def __init__(self, count, dim):
        self.count, self.dim = count, dim
        self.figure = plt.figure(figsize=(19.2, 10.8), dpi=100)
        grid = self.figure.add_gridspec(2, 3)
        table = self.table(1e4)
        self.heat = self.figure.add_subplot(grid[0, :]).imshow(
            table, aspect="auto", cmap="RdBu", vmin=-1, vmax=1
        )
        clocks = grid[1, 0].subgridspec(3, 3)
        self.clocks = [
            self.figure.add_subplot(clocks[i // 3, i % 3]).scatter(
                table[:, 2 * i], table[:, 2 * i + 1], c=np.arange(count), s=6
            )
            for i in range(9)
        ]
        (self.curve,) = self.figure.add_subplot(grid[1, 1]).plot(self.distances(table))
        self.matrix = self.figure.add_subplot(grid[1, 2]).imshow(self.pairs(table))
        self.figure.canvas.draw()

    def table(self, base):
        return sinusoid(range(self.count), self.dim, base)

    def distances(self, table):
        return 1 - table @ table[0] / (self.dim / 2)

    def pairs(self, table):
        return 1 - table[:MATRIX] @ table[:MATRIX].T / (self.dim / 2)

    def change(self, base):
        table = self.table(base)
        self.heat.set_data(table)
        for i, clock in enumerate(self.clocks):
            clock.set_offsets(table[:, 2 * i : 2 * i + 2])
        self.curve.set_ydata(self.distances(table))
        self.matrix.set_data(self.pairs(table))
        self.figure.canvas.draw()
