"""Items of the long test are the same for a seed, and of every kind that there is."""

import os
from contextlib import suppress
from random import Random

import numpy as np

from pe_explorer import encodings
from tests.endurance.lines import random_line
from tests.endurance.many_digits import mp
from tests.endurance.mutations import mutated
from tests.endurance.numbers import why_wrong
from tests.endurance.places import changing_meanwhile, replaced_by_something_else
from tests.endurance.settings import some_encoding, some_positions, write_tables
from tests.endurance.spellings import LOCALES, random_spelling
from tests.endurance.tables import table_of
from tests.support.cases import for_each

ENDINGS = (".json", ".png", ".svg", ".pdf", ".npy", ".txt", ".vocab", ".ini", ".bin")


def test_command_lines():
    made = [[random_line(Random(seed), ["a.json"]) for seed in range(200)] for _ in range(2)]
    assert made[0] == made[1]
    first = {line.words[0] for line in made[0] if line.words}
    assert {"export", "render", "code", "list", "check"} <= first
    assert any(line.opens_window for line in made[0])
    assert len({word for line in made[0] for word in line.words if word[:2] == "--"}) > 150


@for_each("ending", ENDINGS)
def test_a_seed_damages_a_file_in_the_same_way_again(ending):
    data = b'{"schema": 1, "a": [1, 2]}' * 3
    made = [[mutated(data, ending, Random(seed)) for seed in range(28)] for _ in range(2)]
    assert made[0] == made[1]
    assert len(set(made[0])) > 20


def test_a_file_is_changed_while_it_is_read(tmp_path):
    path, kinds = tmp_path / "x", set()
    for seed in range(60):
        path.write_bytes(b"x" * 100)
        with changing_meanwhile(path, Random(seed)), suppress(OSError):
            for _ in range(4):
                os.stat(path)
                with open(os.open(path, os.O_RDONLY)) as file:
                    os.fstat(file.fileno())
        kinds.add("folder" if path.is_dir() else path.stat().st_size if path.exists() else "gone")
        path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
    assert {"folder", "gone", 0, 50, 100 + (1 << 30)} <= kinds


def test_what_is_no_file_is_in_its_place(tmp_path):
    path = tmp_path / "x"
    for seed in range(40):
        path.touch()
        replaced_by_something_else(path, Random(seed))
        assert path.is_dir() or path.is_symlink() or not path.is_file() or path.stat().st_size > 99
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)


def test_tables_are_of_every_size_and_type():
    made = [[table_of(Random(f"table {seed}")) for seed in range(300)] for _ in range(2)]
    for one, other in zip(*made, strict=True):
        np.testing.assert_array_equal(one, other)
    floats = [np.abs(table.astype(np.float64)) for table in made[0] if table.dtype.kind == "f"]
    assert max(table.max() for table in floats) > 1e308
    assert min(table[table > 0].min(initial=1.0) for table in floats) == 5e-324
    assert {table.dtype.kind for table in made[0]} == {"f", "i", "u", "b"}
    assert {table.dtype.itemsize for table in made[0] if table.dtype.kind == "f"} == {2, 4, 8}


def test_spellings_are_of_many_ways():
    def made():
        return [
            random_spelling(Random(seed), LOCALES[seed % 6], whole=seed % 2 == 0)
            for seed in range(900)
        ]

    assert made() == made()
    typed = " ".join(spelling.text for spelling in made())
    assert all(sign in typed for sign in "_e^*×kK,.\u066b\u066c\u202f\u2019\u2212\u0661")


def test_settings_have_every_encoding(tmp_path):
    tables = write_tables(tmp_path, Random(1))
    made = [[some_encoding(Random(seed), tables) for seed in range(60)] for _ in range(2)]
    assert made[0] == made[1]
    assert {e.name for e in made[0]} == set(encodings.names())
    for e in made[0]:
        positions = some_positions(Random(repr(e)), e)
        assert positions[0] in e.domain
        assert positions[-1] in e.domain


def test_a_number_may_differ_in_its_last_digit_where_it_has_few():
    exact = mp.mpf(1) / 3
    assert not why_wrong(1 / 3, exact)
    assert not why_wrong(0.333, exact)
    for wrong in (0.331, 1 / 3 + 1e-11, float("nan"), float("inf")):
        assert why_wrong(wrong, exact)
    assert not why_wrong(1 / 3 + 1e-11, exact, 1e-10)
    assert not why_wrong(float("nan"), mp.nan)
