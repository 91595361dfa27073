"""The numbers of exhibits on synthetic learned tables."""

import hashlib
import math

import numpy as np
import pytest

from pe_explorer.assets import find_asset
from pe_explorer.commandline.main import main
from pe_explorer.files import session
from tests.gallery.numbers.formulas import exported, numbers_after_try
from tests.gallery.numbers.words import check_exhibit

ROWS, COLUMNS = 50, 32


def path_of(seed):
    return find_asset(f"gallery/tables/made-table-{seed}.npy")


def table_of_seed(seed):
    return np.load(path_of(seed)).astype(float)


def apart(rows, p, q):
    """Return the cosine distance of two rows, number by number."""
    u, v = rows[p].tolist(), rows[q].tolist()
    lengths = math.sqrt(math.fsum(a * a for a in u) * math.fsum(b * b for b in v))
    return 1 - math.fsum(a * b for a, b in zip(u, v, strict=True)) / lengths


def far_from_20(rows):
    """Return the mean distance of row 20 from independent rows."""
    return np.mean([apart(rows, 20, q) for q in range(ROWS) if abs(q - 20) >= 9])


@pytest.mark.parametrize("seed", [1, 2])
def test_a_made_table_is_what_its_words_say(seed):
    drawn = hashlib.shake_128(f"made table {seed}".encode()).digest(2 * (ROWS + 8) * COLUMNS)
    numbers = [
        int.from_bytes(drawn[place : place + 2], "little") / 2**15 - 1
        for place in range(0, len(drawn), 2)
    ]
    columns = [numbers[column::COLUMNS] for column in range(COLUMNS)]
    rows = [[sum(column[row : row + 9]) / 7 for column in columns] for row in range(ROWS)]
    stored = np.load(path_of(seed))
    assert stored.dtype == np.float32
    assert np.abs(stored - rows).max() < 1e-7
    assert np.abs(stored).max() < 1


def test_000_learned():
    first, second = table_of_seed(1), table_of_seed(2)
    assert np.array_equal(numbers_after_try("000-learned", 0)[:, :COLUMNS], first)
    assert not (first == second).any()
    neighbours = [apart(first, p, p + 1) for p in range(ROWS - 1)]
    values = [len(first), np.mean(neighbours)]
    check_exhibit("000-learned", values, given="25.7 25.8")


def test_002_learned():
    first, second = table_of_seed(1), table_of_seed(2)
    curves = [[apart(rows, 20, q) for q in range(ROWS)] for rows in (first, second)]
    assert np.abs(exported("002-learned") - curves[0]).max() < 1e-12
    for curve in curves:
        assert sorted(np.argsort(curve)[:3].tolist()) == [19, 20, 21]
    values = [far_from_20(first)]
    values += [60 - ROWS]
    check_exhibit("002-learned", values, given="19 25.7 25.8")


def test_004_learned():
    first = table_of_seed(1)
    values = [len(first) - 1, len(first)]
    check_exhibit("004-learned", values, given="25.7 25.8")


def test_code_says_where_a_made_table_is(monkeypatch, capsys):
    monkeypatch.chdir(path_of(1).parent)
    assert main(["code", "--exhibit", "002-learned"]) == 0
    code = capsys.readouterr().out
    assert "# It comes with PE Explorer, in resources/gallery/tables.\n" in code
    assert str(path_of(1).parent) not in code
    actual = {}
    exec(code, actual)
    assert np.array_equal(actual["current"], table_of_seed(1))
    assert np.array_equal(actual["pinned"], table_of_seed(2))


def test_a_session_finds_a_made_table_wherever_it_was(tmp_path):
    out = tmp_path / "numbers.npy"
    assert main(["export", "--exhibit", "002-learned", "-o", str(out)]) == 0
    side = session.to_side_path(out)
    text = side.read_text(encoding="utf-8")
    assert str(path_of(1).parent) not in text
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for words in (text, text.replace("made-table-1.npy", "/old/program/made-table-1.npy")):
        (elsewhere / "s.json").write_text(words, encoding="utf-8")
        state = session.read(elsewhere / "s.json").state
        assert state.encoding.file == str(path_of(1))
        assert state.pins[0].encoding.file == str(path_of(2))
