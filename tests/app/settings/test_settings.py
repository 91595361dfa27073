"""What is remembered, in memory and in the file."""

import os
from dataclasses import replace

from hypothesis import given, strategies as st

from pe_explorer.app.output.figure_order import FigureChoices
from pe_explorer.app.settings.settings import (
    SKIPPED_GUESS,
    LessonProgress,
    Place,
    Settings,
    SettingsFile,
    find_settings_path,
    find_state_folder,
)
from pe_explorer.exploration import Panes
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.params import format_real
from tests.app.settings.inis import (
    change_settings,
    folder,
    ini,
    recent,
    remember_file,
    sections_of,
    settings_in,
    write_file,
)

WINDOW = Place((40, 30, 1100, 700), ("normal",))
LESSON = LessonProgress(3, frozenset({0, 2}), {0: "51", 2: SKIPPED_GUESS})
STYLE = Style(dpi=600.0, font="50 % Sans\u00e9", font_size=9.5, grid=True, ticks=7, ground="dark")


def test_what_is_changed_is_there_at_the_next_start_but_nothing_that_belongs_to_one_figure(path):
    store = SettingsFile(path)
    assert store.settings == Settings("system", (), {}, None)
    assert not path.exists()
    once = replace(STYLE, title="Once", limits=(-0.5, 0.5), clocks=(1, 2))
    choices = FigureChoices(once, FigureSize(3.3, 2.4, "in"), ".png")
    store.change(theme="dark", window=WINDOW, lessons={"000": LESSON}, figure=choices.to_texts())
    store.add_recent_file(folder("a", "1.json"))
    store.add_recent_file(folder("a", "2.json"))
    store.change(folders={"picture": folder("p")})
    found = settings_in(path)
    assert FigureChoices.from_texts(found.figure) == choices._replace(style=STYLE)
    assert found._replace(figure={}) == Settings(
        "dark",
        (folder("a", "2.json"), folder("a", "1.json")),
        {"session": folder("a"), "picture": folder("p")},
        WINDOW,
        lessons={"000": LESSON},
    )
    assert store.notes == ()
    assert "\ntheme=dark\n" in path.read_text()
    assert os.listdir(path.parent) == ["settings.ini"]


OF_NOVEMBER_2026 = """\
[General]
maximised=yes
panes=beside heatmap clocks heatmap
schema=1
start_here=hide
window=maximised -40 30 1100 700

[bars]
toolbar=top shown 0 0

[figure]
font=DejaVu Sans
size=84x60mm

[folders]
data=/d/100 %25

[lessons]
000=at 1 done 0 2 guessed 0:-1.5e3 2:-
001=at 0 done guessed

[own_windows]
distances=1 2 3 4

[panels]
explain=right folded tabbed 5 6 310 400

[recent]
1795947287802951668="/a b/\u00e9; \\"x\\", y.json"
1795947287804382460=/s/b.json

[sizes]
beside=2 1
over-two=100 200 / 3 4
"""


def test_a_file_of_an_earlier_version_is_read_and_kept_as_it_was(path):
    write_file(path, OF_NOVEMBER_2026)
    store = SettingsFile(path)
    assert store.settings == Settings(
        recent=("/s/b.json", '/a b/\u00e9; "x", y.json'),
        folders={"data": "/d/100 %"},
        window=Place((-40, 30, 1100, 700), ("maximised",)),
        panels={"explain": Place((5, 6, 310, 400), ("right", "folded", "tabbed"))},
        bars={"toolbar": Place((0, 0), ("top", "shown"))},
        panes=Panes(("clocks", "heatmap"), "beside", "heatmap"),
        maximised=True,
        sizes={"beside": ((2, 1), ()), "over-two": ((100, 200), (3, 4))},
        own_windows={"distances": Place((1, 2, 3, 4))},
        start_here="hide",
        figure={"font": "DejaVu Sans", "size": "84x60mm"},
        lessons={
            "000": LessonProgress(1, frozenset({0, 2}), {0: "-1.5e3", 2: SKIPPED_GUESS}),
            "001": LessonProgress(),
        },
    )
    change_settings(store, maximised=False)
    assert path.read_text() == OF_NOVEMBER_2026.replace("maximised=yes", "maximised=no")


def test_ten_recent_files_each_once_newest_first(path, monkeypatch):
    store = SettingsFile(path)
    for number in [*range(14), 9]:
        store.add_recent_file(folder(f"{number}"))
    assert recent(path) == [folder(f"{n}") for n in (9, 13, 12, 11, 10, 8, 7, 6, 5, 4)]
    store.forget_recent_files(folder("13"))
    monkeypatch.setattr("time.time_ns", lambda: 1)  # the clock was set back
    for name in "ab":
        store.add_recent_file(folder(name))
    assert recent(path)[:4] == [folder(name) for name in ("b", "a", "9", "12")]
    assert settings_in(path).recent == store.settings.recent == tuple(recent(path))
    store.forget_recent_files()
    assert (store.settings.recent, recent(path), settings_in(path).recent) == ((), [], ())


def test_names_of_any_kind_come_back_and_as_many_as_there_can_be(path):
    names = [
        folder("é ü", "日本語.json"),
        folder('quote"\n\\'),
        folder(os.fsdecode(b"caf\xe9.json")),
        folder("a, b; c=d"),
        folder("100%25 @Rect(1 2 3 4) "),
        folder("lone half \ud800.json"),
    ]
    for name in names:
        remember_file(SettingsFile(path), name)
    assert settings_in(path).recent == tuple(reversed(names))
    assert "/é ü/日本語.json" in path.read_text(encoding="utf-8").replace("\\", "/")
    store = SettingsFile(path)
    for number in range(10):
        store.add_recent_file("/" + "語" * 32_760 + f"{number}")
    for kind in ("session", "picture", "data"):
        store.change(folders={kind: "/" + "語" * 32_760})
    assert settings_in(path) == store.settings
    assert len(store.settings.recent) == 10


steps = st.integers(0, 20)
guesses = st.just(SKIPPED_GUESS) | st.floats(-1e12, 1e12, allow_nan=False).map(format_real)


@given(steps, st.frozensets(steps), st.dictionaries(steps, guesses))
def test_the_text_of_a_lesson_gives_the_same_progress_again(at, done, guessed):
    progress = LessonProgress(at, done, guessed)
    store = SettingsFile(None)
    store.change(lessons={"000": progress})
    assert (store.settings.lessons, store.notes) == ({"000": progress}, ())


def test_what_does_not_fit_is_named_and_not_kept(path):
    store = SettingsFile(path)
    change_settings(store, theme="dark")
    change_settings(store, theme="pink", maximised=True)
    assert store.settings == settings_in(path) == Settings(maximised=True)
    (note,) = store.notes
    assert "theme: 'pink'" in note


def test_without_a_file_nothing_is_written_and_the_usual_one_is_at_home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = SettingsFile(None)
    store.change(theme="light")
    for name in "xy":
        store.add_recent_file(folder(name))
    store.forget_recent_files(folder("x"))
    store.refresh()
    store.refresh()
    assert (store.settings.theme, store.settings.recent) == ("light", (folder("y"),))
    assert store.notes == ()
    assert list(tmp_path.iterdir()) == []
    for found in (find_settings_path(), find_state_folder()):
        assert found.is_relative_to(tmp_path)
        assert "pe-explorer" in found.parts
    change_settings(SettingsFile(find_settings_path()), theme="dark")
    assert settings_in(find_settings_path()).theme == "dark"


def test_a_change_writes_only_what_changed(path):
    store = SettingsFile(path)
    change_settings(store, theme="dark")
    path.write_text(path.read_text().replace("dark", "light"))
    remember_file(store, folder("f", "a.json"))
    found = sections_of(path)
    assert (found["General"]["theme"], found["folders"]) == ("light", {"session": folder("f")})
    assert recent(path) == [folder("f", "a.json")]


def test_keys_that_are_not_known_stay(path):
    general, sizes = ["later=a, b", "theme=light"], ["[sizes]", "grid=1 2 3"]
    others = ["[own_windows]", "spiral=1 2 3 4", "[x]", "y\\z=@ByteArray(\\x1\\xff)"]
    write_file(
        path, ini(*general, "[folders]", "films=/f", "[figure]", "glitter=much", *sizes, *others)
    )
    store = SettingsFile(path)
    assert (store.settings.theme, dict(store.settings.folders)) == ("light", {"films": "/f"})
    change_settings(store, theme="dark", figure=FigureChoices(ending=".svg").to_texts())
    remember_file(store, folder("s", "a.json"))
    found = sections_of(path)
    assert found.pop("figure")["glitter"] == "much"
    assert found == {
        "General": {"later": "a, b", "schema": "1", "theme": "dark"},
        "folders": {"films": "/f", "session": folder("s")},
        "recent": found["recent"],
        "sizes": {"grid": "1 2 3"},
        "own_windows": {"spiral": "1 2 3 4"},
        "x": {"y\\z": "@ByteArray(\\x1\\xff)"},
    }
    assert store.notes == ()


DAMAGED = {
    "window": [
        "",
        "normal 1 2 3",
        "tiny 1 2 3 4",
        "normal 1 2 nan 4",
        "@Rect(1 2 3 4)",
        "9 " * 9000,
    ],
    "panels/encoding": ["up open docked 1 2 3 4"],
    "bars/toolbar": ["top shown 1"],
    "panes": ["grid heatmap heatmap", "one", "heatmap " * 9000],
    "maximised": ["perhaps"],
    "stepwise": ["true"],
    "sizes/over-two": ["1 2"],
    "sizes/beside": ["1 2 3", "1 -2", "1 999999999999999999999"],
    "own_windows/clocks": ["1 2 3", "1 2 nan 4"],
    "figure/size": ["wide"],
    "figure/ending": [".docx"],
    "figure/dpi": ["nine"],
    "figure/ground": ["pink"],
    "lessons/000": ["", "at", "at x done guessed", "at 1 done 2", "at -1 done guessed"],
    "recent/yesterday": ["/c"],
    "recent/1000000000000000002": ["@Rect(1 2 3 4)"],
    "folders/data": ["%FF"],
}


def test_each_damaged_value_is_named_in_one_sentence_and_all_others_are_used(tmp_path):
    for number, (key, text) in enumerate((k, text) for k in DAMAGED for text in DAMAGED[k]):
        path = tmp_path / f"{number}.ini"
        group, slash, name = key.rpartition("/")
        write_file(path, ini("theme=dark", *[f"[{group}]"][: len(slash)], f"{name}={text}"))
        file = SettingsFile(path)
        assert file.settings == Settings("dark"), (key, text)
        (note,) = file.notes
        assert key in note
        assert len(note) < 400
