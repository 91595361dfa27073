"""What was chosen for a figure comes back at the next start."""

import pytest

from pe_explorer.app.settings.figure_choices import FigureChoices
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style


def test_choices_come_back_but_not_what_belongs_to_one_figure(path, qapp):
    style = Style(
        dpi=600.0,
        font="50 % Sans\u00e9",
        font_size=9.5,
        title="Once",
        grid=True,
        ticks=7,
        limits=(-0.5, 0.5),
        ground="dark",
        clocks=(1, 2),
    )
    settings = SettingsFile(path)
    choices = FigureChoices(style, FigureSize(3.3, 2.4, "in"), ".png")
    settings.change(figure=choices.as_texts())
    settings.close()
    found = FigureChoices.from_texts(SettingsFile(path).settings.figure)
    assert (found.size, found.ending) == (FigureSize(3.3, 2.4, "in"), ".png")
    wanted = Style(dpi=600.0, font=style.font, font_size=9.5, grid=True, ticks=7, ground="dark")
    assert found.style == wanted


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("size=wide", "figure/size"),
        # Of another length than before: a file as long as that, changed within the same
        # millisecond, is to QSettings the one that it has read.
        ("ending=.docx", "figure/ending"),
        ("dpi=nine", "figure/dpi"),
        ("ground=pink", "figure/ground"),
    ],
)
def test_a_damaged_choice_is_one_sentence_and_the_others_stay(path, qapp, line, says):
    SettingsFile(path).close()
    settings = SettingsFile(path)
    settings.change(figure=FigureChoices(Style(font_size=11.0)).as_texts())
    settings.close()
    key, _, value = line.partition("=")
    lines = path.read_text().splitlines()
    lines = [f"{key}={value}" if each.startswith(f"{key}=") else each for each in lines]
    path.write_text("\n".join(lines) + "\n")
    again = SettingsFile(path)
    assert key in again.notes[0]
    assert FigureChoices.from_texts(again.settings.figure).style.font_size == 11


def test_a_choice_of_a_later_version_is_left_alone(path, qapp):
    settings = SettingsFile(path)
    settings.change(figure=FigureChoices().as_texts())
    settings.close()
    text = path.read_text().replace("[figure]", "[figure]\nglitter=much")
    path.write_text(text)
    again = SettingsFile(path)
    assert again.notes == ()
    again.change(figure=FigureChoices(ending=".svg").as_texts())
    again.close()
    assert "glitter=much" in path.read_text()
