"""What a reader types is found in the gallery, and by Ctrl+K."""

from pe_explorer.app.window.palette_entries import entries_in, found
from pe_explorer.app.window.search import SYNONYMS, Search, search_words
from pe_explorer.gallery.exhibits import exhibits
from tests.support.searches import FROM_DOCUMENTS, SEARCHES

FIRST = 3
"""So many of what is found are read before somebody types other words."""


def filled_gallery(window):
    window.centre.show_gallery()
    window.centre.page.fill()
    return window.centre.page


def names_in_gallery(page, text):
    page.search.setText(text)
    return [card.name for card in page.shown]


def test_there_are_150_phrases_40_of_them_from_the_documents():
    assert len(FROM_DOCUMENTS) == 40
    assert len({text.casefold() for text in SEARCHES}) == 150


def test_ctrl_k_shows_one_of_what_is_meant_among_the_first(window):
    entries = entries_in(window)
    titles = {exhibit.title: name for name, exhibit in exhibits().items()}
    missed = {}
    for text, meant in SEARCHES.items():
        first = [
            titles[entry.name] if entry.kind == "Exhibit" else entry.name
            for entry in found(entries, text)[:FIRST]
        ]
        if not set(meant) & set(first):
            missed[text] = first
    assert not missed


def test_the_gallery_shows_an_exhibit_that_is_meant_among_the_first(window):
    page = filled_gallery(window)
    missed, flooded = {}, {}
    for text, meant in SEARCHES.items():
        wanted = set(meant) & set(exhibits())
        names = names_in_gallery(page, text)
        if wanted and not wanted & set(names[:FIRST]):
            missed[text] = names[:FIRST]
        if wanted and len(names) > len(exhibits()) / 2:
            flooded[text] = len(names)
    assert not missed
    assert not flooded, "half of all is no answer"


def test_words_that_nobody_uses_find_nothing(window):
    page = filled_gallery(window)
    for text in ("quixotic", "clock quixotic", "quixotic matplotlib"):
        assert names_in_gallery(page, text) == []
        assert found(entries_in(window), text) == []


def test_the_same_words_find_the_same_exhibits_in_both(window):
    page, entries = filled_gallery(window), entries_in(window)
    for text in SEARCHES:
        names = set(names_in_gallery(page, text)) & set(exhibits())
        titles = {entry.name for entry in found(entries, text) if entry.kind == "Exhibit"}
        assert {exhibits()[name].title for name in names} == titles, text


def test_a_synonym_finds_something_from_its_third_letter_on(window):
    entries = entries_in(window)
    missed = [
        typed[:end]
        for typed in SYNONYMS
        for end in range(3, len(typed) + 1)
        if not any(found([entry], typed[:end]) for entry in entries)
    ]
    assert not missed


def test_what_is_called_so_comes_before_what_speaks_of_it():
    best_first = [
        search_words("Heat map", (), ()),
        search_words("Heat map of values", (), ()),
        search_words("The map of a heating", (), ()),
        search_words("Fifty rows", ("a map of heat",), ()),
        search_words("Preheated mapper", (), ()),
        search_words("Rows", (), ("Heat is drawn as a map.",)),
    ]
    search = Search("heat MAP")
    assert [search.rank(words) for words in best_first] == [0, 1, 2, 4, 5, 6]
    assert Search("colormap").rank(search_words("Colours", (), ())) == 3
    assert search.rank(search_words("Heat", ("rows",), ("rows",))) is None
    assert Search("heatmap").rank(best_first[0]) == 0, "blanks do not matter"
    assert Search("22,500").rank(search_words("", (), ("22500 rows",))) == 6
    assert Search("0.43").rank(search_words("", (), ("0.4323",))) == 6
    assert Search("0.43").rank(search_words("", (), ("0 or 43",))) is None
