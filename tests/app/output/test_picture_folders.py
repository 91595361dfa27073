"""Pictures go to others: nothing of them depends on the folders of whoever made them."""

import numpy as np

from pe_explorer import encodings
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from tests.support.cases import for_each
from tests.support.images import pixels
from tests.support.oracles import needs_of
from tests.support.pictures import PICTURES, draw
from tests.support.tables_in_files import numbers, put


def learned(path):
    return encodings.create("learned", file=str(path))


def drawn(what, folder):
    """Draw a table of a folder, with pins of tables that are there and that lack."""
    folder.mkdir()
    e, gone = learned(put(folder / "s.npy", numbers())), learned(folder / "gone.npy")
    pins = [Pin(e, "there", "teal"), Pin(gone, "gone", "gold")]
    state = Exploration(e, count=30, pins=pins)
    return pixels(draw(what, resolve(state, DirectStore()), 1300, 800, 1.0, "light"))


@for_each("what", [name for name in PICTURES if not needs_of(name)])
def test_a_picture_does_not_tell_of_folders(what, tmp_path):
    mine, others = drawn(what, tmp_path / "alice"), drawn(what, tmp_path / "b")
    np.testing.assert_array_equal(mine, others)


def test_a_picture_names_the_file(tmp_path):
    """It is the folder alone that is left out."""
    drawn = []
    for name in ("s.npy", "t.npy"):
        e = learned(put(tmp_path / name, numbers()))
        state = Exploration(e, count=30)
        drawn.append(pixels(draw("window", state, 1300, 800, 1.0, "light")))
    assert (drawn[0] != drawn[1]).any()
