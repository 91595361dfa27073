"""Files of word vectors: text formats, tables with lists of words, invalid lines, many words."""

import threading
import tracemalloc

import numpy as np
import pytest

from pe_explorer import tables
from pe_explorer.progress import CancelledError, Progress
from pe_explorer.tables import TableError, find_words, is_word_file, open_word_file
from pe_explorer.tables.npy import MAX_COLUMNS

RUNNING = threading.Event()


def text(path, *lines, ending="\n"):
    path.write_bytes(ending.join(lines).encode() + b"\n")
    return str(path)


def vectors(path, *keys, progress=RUNNING):
    source = tables.read_table(path) if path.endswith(".npy") else open_word_file(path)
    return {k: v.tolist() for k, v in find_words(source, frozenset(keys), progress).items()}


@pytest.mark.parametrize("header", [(), ("3 2",)])
@pytest.mark.parametrize(("gap", "after"), [(" ", ""), (" ", " "), ("\t", "")])
def test_text_formats_of_word_vectors(tmp_path, header, gap, after):
    lines = [gap.join(parts) + after for parts in (("she", "1", "-2e-1"), ("שלום", "3", "4"))]
    path = text(tmp_path / "v.txt", *header, *lines, f"🙂{gap}5 6", ending="\r\n")
    source = open_word_file(path)
    assert [is_word_file(name) for name in (path, "A.VEC", "v.npy", "txt")] == [1, 1, 0, 0]
    assert source.columns == 2
    assert source.words == (3 if header else None)
    assert vectors(path, "she", "🙂", "nowhere") == {"she": [1.0, -0.2], "🙂": [5.0, 6.0]}
    assert vectors(path, "שלום") == {"שלום": [3.0, 4.0]}


def test_vectors_can_have_one_number(tmp_path):
    for header in ((), ("1 1",)):
        assert vectors(text(tmp_path / "v.txt", *header, "a 5"), "a") == {"a": [5]}


def test_a_word_in_lower_case_is_preferred(tmp_path):
    path = text(tmp_path / "v.vec", "Us 1 1", "US 2 2", "us 3 3", "Paris 4 4", ". . 5 5")
    assert vectors(path, "us") == {"us": [3, 3]}
    assert vectors(text(tmp_path / "w.vec", "a 1 2", "broken"), "a") == {"a": [1, 2]}  # never read
    assert vectors(path, "us", "paris", ". .") == {
        "us": [3, 3], "paris": [4, 4], ". .": [5, 5],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("a 1 2", "b 1 2", "c 1"), ("line 3: ", "2 numbers, got 1")),
        (("a 1 2", "b 1 x2"), ("line 2", "'x2'")),
        (("a oops 1",), ("line 1", "'oops'")),
        (("word",), ("line 1: ", "got 0")),
        (("",), ("empty", "line 1: ")),
        (("5 2", "a 1 2"), ("truncated", "line 1 ", "5 words", "are 1")),
        (("3 2", "a 1 2", "", "d 1 2"), ("truncated", "line 1 ", "3 words", "are 2")),
        (("1 2",), ("truncated", "line 1 ", "1 words", "are 0")),
        (("a 1 2", "", "b 1 x2"), ("line 3:", "'x2'")),
        (("a 1 2", "b"), ("line 2: ", "2 numbers, got 0")),
        ((f"5 {MAX_COLUMNS + 1}",), ("line 1: ", f"got {MAX_COLUMNS + 1:,}")),
        (("a" + " 1" * (MAX_COLUMNS + 1),), ("line 1: ", f"got {MAX_COLUMNS + 1:,}")),
        (("5 0", "a 1 2"), ("line 1: ", "got 0")),
    ],
)
@pytest.mark.sampled(20)
def test_an_error_names_the_invalid_line(tmp_path, lines, words):
    path = text(tmp_path / "v.txt", *lines)
    with pytest.raises(TableError) as caught:
        vectors(path, "b", "c", "zebra")
    assert [word for word in (f"{path}: ", *words) if word not in str(caught.value)] == []


def test_a_line_that_is_too_long_is_refused(tmp_path):
    for number in (1, 3):
        path = text(tmp_path / "v.txt", *["a 1 2"] * (number - 1), "b" * (1 << 24))
        with pytest.raises(TableError) as caught:
            vectors(path, "zebra")
        assert f"{path}: line {number} " in str(caught.value)


def test_a_table_has_its_words_in_a_separate_file(tmp_path):
    np.save(tmp_path / "v.npy", np.arange(10.0).reshape(5, 2))
    path, words = str(tmp_path / "v.npy"), str(tmp_path / "v.vocab")

    def refusal():
        with pytest.raises(TableError) as caught:
            vectors(path, "she")
        return str(caught.value)

    assert refusal().startswith(f"{path}: ")
    assert "v.vocab or v.txt" in refusal()
    text(tmp_path / "v.txt", "told 17", "She 12", "him 3", "HIM", "she")
    assert vectors(path, "she", "him") == {"she": [8, 9], "him": [4, 5]}
    for lines, problem in (
        (("told", "she"), "expected 5 words, one for each row of the table, got 2"),
        (("told", "", "she"), "line 2: expected a word, got an empty line"),
        (
            ("1", "she", "SHE", "4", "5", "6"),
            "expected 5 words, one for each row of the table, got 6",
        ),
    ):
        text(tmp_path / "v.vocab", *lines)
        assert refusal().startswith(f"{words}: ")
        assert problem in refusal()
    text(tmp_path / "v.vocab", "1", "she", "SHE", "4", "5")
    assert vectors(path, "she", "nobody") == {"she": [2, 3]}


def test_missing_and_changed_files_are_refused(tmp_path):
    with pytest.raises(TableError, match="cannot be read"):
        open_word_file(str(tmp_path / "none.txt"))
    with pytest.raises(TableError, match=r"not a regular file|cannot be read"):
        open_word_file(str(tmp_path))
    path = text(tmp_path / "v.txt", "a 1 2")
    source = open_word_file(path)
    text(tmp_path / "v.txt", "a 1 2", "b 3 4")
    with pytest.raises(TableError, match="has changed since it was opened"):
        find_words(source, frozenset({"a"}), RUNNING)


def test_reading_many_words_needs_little_memory_and_can_be_cancelled(tmp_path):
    path = tmp_path / "v.txt"
    with path.open("w") as file:
        file.writelines(f"w{n} {n} 0.25 0.5\n" for n in range(40_000))
    source = open_word_file(str(path))
    tracemalloc.start()
    try:
        progress = Progress()
        (row,) = find_words(source, frozenset({"w39999", "none"}), progress).values()
        _, peak_memory = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert row.tolist() == [39_999, 0.25, 0.5]
    assert peak_memory < 1_000_000
    assert 0.9 < progress.share < 1
    progress.set()
    with pytest.raises(CancelledError):
        find_words(source, frozenset({"none"}), progress)
