"""The tables of colour maps are those that their authors published, as pyqtgraph ships them."""

import numpy as np
import pyqtgraph as pg
import pytest

from pe_explorer.colours import maps

PUBLISHED = {
    "blue-red": "CET-D1A",
    "red-blue": "CET-D1A",
    "viridis": "viridis",
    "cividis": "cividis",
    "grey": "CET-L1",
    "cyclic": "CET-C2",
    "cyclic-two": "CET-CBC1",
}


def test_every_map_has_its_table():
    assert {*maps.VALUE_MAPS, *maps.ANGLE_MAPS, maps.ORDER_MAP} == set(PUBLISHED)
    assert set(maps.VALUE_MAPS) > maps.DIVERGING


@pytest.mark.parametrize("size", [2, 100, 255, 256, 1000])
@pytest.mark.parametrize("name", PUBLISHED)
def test_tables_are_those_published(name, size):
    expected = pg.colormap.get(PUBLISHED[name]).getLookupTable(nPts=size, alpha=False)
    if name == "red-blue":
        expected = expected[::-1]
    np.testing.assert_array_equal(maps.table(name, size), expected)


@pytest.mark.parametrize("name", maps.ANGLE_MAPS)
def test_cyclic_maps_end_as_they_begin(name):
    first, last = maps.table(name)[[0, -1]].astype(int)
    assert abs(first - last).max() <= 8
