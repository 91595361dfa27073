"""The command palette, as somebody uses it: Ctrl+K, some words, and Enter."""

from itertools import permutations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings, pictures
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.app.window.palette import PaletteDialog, find_entries, list_entries
from pe_explorer.app.window.search import SYNONYMS, Search, make_search_words
from pe_explorer.exploration import Exploration, Panes
from pe_explorer.files import session
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.params import declared
from tests.app.windows import change, close_message, press_key, visible_dialogs, wait_until_idle
from tests.support.gestures import settle

FIRST = 3
"""How many results are read before somebody types other words."""

SEARCHES = """
000-wider: emb_size; smoother
000-frequencies: denom_base
000-rows-10000 | 000-windows: seq_len
000-windows: start_pos
000-heatmap | 004-heatmap: heat map
000-heatmap | Heatmap: Colours coolwarm_r: coolwarm_r
000-clocks: unit circle; clock hands; minute and hour hands; dark purple
000-slowest: 22,500
000-why-10000 | 000-slowest: minimal frequency
000-turn: linear translation
000-rows-5000 | 001-module: 5,000
001-module: max_len; register_buffer; dropout
001-float32: div_term; log space
001-wavelength: kappa; period
001-sine-table: unsqueeze; simple_pe
001-order: attention matrix
001-order | 002-sentences: word order
002-sentences: bag of words; only she told him
002-umap: umap
002-umap | 002-pca: dimensionality reduction
002-sum-or-concat: concatenating
002-rotary: RoFormer
002-wishes | 002-fraction: invariant to sequence length
002-index | 003-angles: unbounded
002-from-1: monotonically
002-two-lines | 003-dot: nearby positions
002-printed: 0.4323
002-learned | 004-learned | Learned: learned embeddings
002-histogram | Distances: Part histogram: histogram
000-frequencies | 003-rates: geometric progression
003-rates: semilogy; rads/step
003-angles: hsv; discontinuous
003-transition | 003-shifted: 10 steps back
003-error: numerical precision
003-sse | Metric sum of squared errors: SSE
004-width-4: word2vec; I should sleep
004-range: 0.33
004-not-linear: linearly scaling
004-rotation | 004-blocks: rotation matrix
004-extrapolate: trainable embedding; longer than training
paper-base | paper-big: Attention Is All You Need
Open | Learned: safetensors
Learned: gpt2
x-yarn | Qwen2.5 7B with YaRN: yarn
x-yarn | Compare: attention factor
x-yarn: mscale
RoPE | x-two-clocks: rope_theta
RoPE: head_dim
x-four-ways | x-yarn | x-past-training: rope_scaling
Context | x-past-training: max_position_embeddings; long context
x-two-clocks: sliding window
Llama 3.1 8B: llama 3.1
x-four-ways | Context: Table types: ntk
x-past-training | x-yarn: garbage
x-two-layouts: rotate_half; permute weights
x-two-layouts | Layout: interleaved
x-float32: bf16
ALiBi: slopes
Export figure: vector graphics; latex; font size; axis limits
Export picture | Export figure: dpi; high resolution
Heatmap: Colours viridis | Heatmap: Colours cividis: colour blind
Heatmap: Colours grey: grayscale
Frequencies: Axis logarithmic: log scale
000-turn | Play or pause: animation
Copy picture | Export picture: screenshot
Copy picture: clipboard
Copy as figure code | Copy as command: script
Export data: csv
Dark theme: dark mode
Keys and mouse: shortcuts
About PE Explorer: cite
"""
"""Exhibits and names, one of which is among the first, and what learners and engineers type."""


@pytest.fixture
def find(window, qtbot):
    """Return a function that opens the palette, types words, and perhaps presses Enter."""

    def find(words, enter=True):
        qtbot.keyClick(window.workspace.active, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        settle()
        (palette,) = visible_dialogs(window, PaletteDialog)
        qtbot.keyClicks(palette.line, words)
        if enter:
            qtbot.keyClick(palette.line, Qt.Key.Key_Return)
            wait_until_idle(window)
            assert visible_dialogs(window, PaletteDialog) == []
        return palette

    return find


def rows(palette):
    """Return the texts of each row."""
    items = [palette.list.topLevelItem(place) for place in range(palette.list.topLevelItemCount())]
    return [tuple(item.text(column).strip() for column in range(3)) for item in items]


# -- what is found -----------------------------------------------------------------------------


def test_all_tables_are_in_it_and_every_name_is_found_by_its_words_in_any_order(window):
    entries = list_entries(window)
    for entry in entries:
        for order in permutations(entry.name.split()[:3]):
            assert find_entries([entry], " ".join(order)) == [entry]

    def names(kind):
        return [entry.name for entry in entries if entry.kind == kind]

    assert names("View") == [pictures.find(name).title for name in pictures.names()]
    texts = {action.text.replace("&", "").removesuffix("…") for action in ACTIONS}
    assert texts - {"Undo", "Redo"} <= {entry.name for entry in entries}
    assert names("Exhibit") == [exhibit.title for exhibit in exhibits().values()]
    assert names("Encoding") == [encodings.find(name).title() for name in encodings.names()]
    assert sum(entry.kind.endswith(" menu") for entry in entries) == len(ACTIONS)
    fields = declared(type(window.model.state.encoding)).values()
    labels = [*(field.label for field in fields), "Start", "Count"]
    assert len(names("Parameter")) == len(labels)
    assert all(map(str.startswith, names("Parameter"), labels))
    assert "Base b" in names("Parameter"), "the symbol is a word of the name, too"


def test_what_readers_type_finds_what_is_meant_here_and_in_the_gallery(window, sampled):
    entries, page = list_entries(window), window.centre.page
    window.centre.show_gallery()
    page.fill()
    titles = {exhibit.title: name for name, exhibit in exhibits().items()}
    missed = []
    lines = [line.rpartition(": ") for line in SEARCHES.split("\n") if line]
    searches = [(text, of.split(" | ")) for of, _, texts in lines for text in texts.split("; ")]
    for text, meant in sampled(searches, 60):
        here = find_entries(entries, text)
        names = [titles[e.name] if e.kind == "Exhibit" else e.name for e in here]
        page.search.setText(text)
        cards = [card.name for card in page.shown_cards]
        assert {*cards} & {*exhibits()} == {*names} & {*exhibits()}, text
        in_gallery = {*meant} & {*exhibits()}
        if not {*meant} & {*names[:FIRST]} or (in_gallery and not in_gallery & {*cards[:FIRST]}):
            missed.append((text, names[:FIRST], cards[:FIRST]))
        assert not in_gallery or len(cards) <= len(exhibits()) / 2, "half of all is no answer"
    assert not missed
    for text in ("quixotic", "clock quixotic", "quixotic matplotlib"):
        page.search.setText(text)
        assert (page.shown_cards, find_entries(entries, text)) == ([], [])
    for typed in SYNONYMS:
        for end in range(3, len(typed) + 1):
            assert find_entries(entries, typed[:end]), (
                "a synonym finds something from its third letter on"
            )


def test_what_is_called_so_comes_before_what_speaks_of_it():
    best_first = [
        make_search_words("Heat map", (), ()),
        make_search_words("Heat map of values", (), ()),
        make_search_words("The map of a heating", (), ()),
        make_search_words("Fifty rows", ("a map of heat",), ()),
        make_search_words("Preheated mapper", (), ()),
        make_search_words("Rows", (), ("Heat is drawn as a map.",)),
    ]
    search = Search("heat MAP")
    assert [search.rank(words) for words in best_first] == [0, 1, 2, 4, 5, 6]
    assert Search("colormap").rank(make_search_words("Colours", (), ())) == 3
    assert search.rank(make_search_words("Heat", ("rows",), ("rows",))) is None
    assert Search("heatmap").rank(best_first[0]) == 0, "blanks do not matter"
    assert Search("22,500").rank(make_search_words("", (), ("22500 rows",))) == 6
    assert Search("0.43").rank(make_search_words("", (), ("0.4323",))) == 6
    assert Search("0.43").rank(make_search_words("", (), ("0 or 43",))) is None


# -- what is done ------------------------------------------------------------------------------


def test_choices_are_made_where_they_can_be_seen(window, find):
    shown, model = window.workspace.shown_views, window.model
    find("metric manhattan")
    assert model.state.metric == "manhattan"
    assert window.workspace.shown_views == shown, "the distances are there already"
    model.set(panes=Panes(("clocks",), "one"))
    find("metric euclidean")
    assert model.state.metric == "euclidean"
    assert window.workspace.shown_views == ("distances",)
    find("distances part histogram")
    assert pictures.find("distances")(model.state).options.part == "histogram"
    (entry,) = [e for e in list_entries(window) if e.name == "Shown encoding difference"]
    assert "pinned" in entry.unavailable_reason
    find("pin encoding")
    find("difference")
    assert model.state.show == "difference"
    find("rope")
    assert model.state.encoding.name == "rope"


def test_exhibits_are_opened_as_one_step_and_their_tries_are_found(window, find):
    clocks, turn = exhibits()["000-clocks"], exhibits()["000-turn"]

    def tries():
        return {each.name for each in list_entries(window) if f"{turn.title}:" in each.name}

    find(clocks.title)
    assert clocks.matches(window.model.state)
    assert window.history.stack.undoText() == clocks.step
    window.exhibit_walk.open(turn.id)
    assert tries() == {f"Try in {turn.title}: {each.label}" for each in turn.tries}
    find(turn.tries[0].label)
    assert window.model.state.options["shift"].k == 44
    assert window.exhibit_walk.exhibit.id == "000-turn"
    window.exhibit_walk.leave()
    assert not tries()


def test_views_and_recent_files_are_shown(window, find, tmp_path, sampled):
    window.workspace.arrange("one")
    for name in sampled(pictures.names(), 4):
        find(pictures.find(name).title)
        assert window.workspace.shown_views == (name,)
    session.write(tmp_path / "talk.json", Exploration(count=7))
    window.settings.add_recent_file(tmp_path / "talk.json")
    find("talk")
    assert window.model.state.count == 7
    window.settings.add_recent_file(tmp_path / "gone.json")
    find("gone")
    assert "no such file" in close_message(window)


@pytest.mark.parametrize("width", [800, 1280])
def test_the_panel_of_a_parameter_opens(window, qtbot, find, width):
    window.resize(width, 700)
    settle()
    window.actions_by_key["encoding"].setChecked(False)
    assert not window.sides.is_open("encoding")
    find("base")
    assert window.sides.is_open("encoding")
    assert window.panel.form.editor("base").main.hasFocus()
    qtbot.keyClicks(QApplication.focusWidget(), "500\r")
    settle(window.model)
    assert window.model.state.encoding.base == 500.0


# -- how it is used ----------------------------------------------------------------------------


def test_keys_and_a_click_choose_a_row_and_escape_none(window, find, qtbot):
    before = window.model.state
    palette = find("", enter=False)
    assert palette.line.hasFocus()
    assert len(rows(palette)) == len(list_entries(window))
    assert palette.size().toTuple() == (620, 420)
    assert palette.pos() == window.mapToGlobal(QPoint((window.width() - 620) // 2, 40))
    assert sum(map(palette.list.columnWidth, range(3))) == palette.list.viewport().width()
    assert palette.list.columnWidth(0) > 300
    qtbot.keyClicks(palette.line, "zoom")
    press_key(window, palette.line, Qt.Key.Key_Escape)
    assert not window.findChildren(PaletteDialog)
    assert window.model.state == before
    palette = find("zoom", enter=False)
    names = [name for name, _, _ in rows(palette)]
    assert names[:2] == ["Zoom in", "Zoom out"]
    last = palette.list.topLevelItem(len(names) - 1)
    room = palette.list.viewport().height() - palette.list.visualItemRect(last).bottom()
    assert 0 <= room <= 2 * 22
    assert palette.list.visualItemRect(last).height() == 22
    first = palette.list.topLevelItem(0)
    zoom = next(action for action in ACTIONS if action.key == "zoom_in")
    assert [zoom.help in first.toolTip(column) for column in range(3)] == [True] * 3
    assert palette.help.text() == zoom.help
    assert first.data(2, Qt.ItemDataRole.AccessibleTextRole) == "Ctrl++"
    for key, row in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Up, 0), (Qt.Key.Key_Down, 1)):
        qtbot.keyClick(palette.line, key)
        assert palette.list.currentItem().text(0).strip() == names[row]
        assert palette.help.text() in palette.list.currentItem().toolTip(0)
    assert palette.line.text() == "zoom"
    press_key(window, palette.line, Qt.Key.Key_Return)
    assert window.model.state.count == 100
    palette = find("zoom", enter=False)
    place = palette.list.visualItemRect(palette.list.topLevelItem(0)).center()
    qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(window.model)
    assert window.model.state.count == 50


def test_menu_and_shortcut_stand_at_the_right_and_what_cannot_be_done_is_greyed(
    window, find, qtbot
):
    palette = find("as code", enter=False)
    assert rows(palette)[:2] == [
        ("Copy as code", "Edit menu", "Ctrl+Shift+K"),
        ("Copy as figure code", "Edit menu", "Ctrl+Shift+G"),
    ]
    for words, name, others in (("qqq", "", ("", "")), ("undo", "Undo", ("Edit menu", "Ctrl+Z"))):
        palette.line.clear()
        qtbot.keyClicks(palette.line, words)
        assert rows(palette)[0][1:] == others
        assert rows(palette)[0][0].startswith(name)
        assert len(rows(palette)[0][0]) > 15, "with the reason"
        assert not palette.list.topLevelItem(0).flags() & Qt.ItemFlag.ItemIsEnabled
        assert palette.list.currentItem() is None
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
        assert palette.isVisible()
    palette.line.clear()
    names = [entry.name for entry in list_entries(window)]
    assert all(map(str.startswith, (name for name, _, _ in rows(palette)), names))
    assert len(rows(palette)) == len(names), "all rows return"
    qtbot.keyClick(palette.line, Qt.Key.Key_Escape)
    change(window, count=77)
    find("undo")
    assert window.model.state.count == 50
