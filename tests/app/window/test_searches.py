"""What a reader types is found in the gallery, and by Ctrl+K."""

import pytest

from pe_explorer.app.window.gallery_groups import groups, searchable
from pe_explorer.app.window.palette_entries import entries_in, found
from pe_explorer.gallery.exhibits import exhibits
from tests.support.searches import FROM_DOCUMENTS

every_search = pytest.mark.parametrize("text", FROM_DOCUMENTS)


@every_search
def test_the_gallery_finds_words_of_the_documents(text):
    words = {name: each for group in groups("question") for name, each in group.words.items()}
    parts = searchable(text).split()
    assert any(words[name].say(parts) for name in FROM_DOCUMENTS[text])
    assert sum(each.say(parts) for each in words.values()) < len(words) / 2, "not half of all"


def test_words_that_nobody_uses_find_nothing():
    everything = [each for group in groups("question") for each in group.words.values()]
    assert not any(each.say(["quixotic"]) for each in everything)


def test_ctrl_k_finds_words_of_the_documents(window):
    entries = entries_in(window)
    for text, names in FROM_DOCUMENTS.items():
        titles = {exhibits()[name].title for name in names}
        shown = {entry.name for entry in found(entries, text) if entry.kind == "Exhibit"}
        assert titles & shown, text
