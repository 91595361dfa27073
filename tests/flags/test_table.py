"""The committed table of flags grows, but what was read once is read as the same thing for good."""

import itertools
import shlex
from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import pytest

from pe_explorer import encodings, flags, pictures, views
from pe_explorer.commandline.shared import create_for_owner, read_encoding
from pe_explorer.encodings.index import Index
from pe_explorer.flags import ENCODING, WINDOW
from pe_explorer.params import Flag, Numbers, Optional, Real, Whole, declare, declared
from pe_explorer.pictures.picture import Options
from tests.flags.inventory import TABLE, committed, now, owned, text
from tests.support.commands import options_of
from tests.support.unknown import use_schemes


def test_every_flag_is_read_as_it_was_and_the_table_has_all():
    """If not: python -m tests.flags."""
    found = owned(now())
    assert found == committed()
    assert TABLE.read_text(encoding="utf-8") == text(found)


def whole(label):
    return declare(Whole(1, 0, 9, label=label, help="A number."))


@dataclass(frozen=True)
class Greedy(Index):
    """A scheme whose parameters are called as commands and views call theirs."""

    name: ClassVar[str] = "greedy"
    scale: int = whole("Scale")
    encoding_scale: int = whole("Encoding scale")
    size: int = whole("Size")
    quantity: int = whole("Quantity")
    heatmap_quantity: int = whole("Quantity of the heatmap")
    positions: int = whole("Positions")
    head_dim: int = whole("Head width")
    what: int = whole("What")
    view: int = whole("View")
    run: int = whole("Run")
    found: int = whole("Found")
    help: int = whole("Help")
    on: bool = declare(Flag(False, label="On", help="On or off."))
    no_on: int = whole("Not on")
    factors: tuple = declare(
        Numbers(
            (), Real(1.0, 0.0, 1e6, label="Factor", help="One."), 9, label="Factors", help="Some."
        )
    )
    cut: float | None = declare(
        Optional(None, Real(1.0, 0.0, 9.0, label="Cut", help="Where."), "as it is")
    )


@dataclass(frozen=True)
class Odd(Options):
    """Options of a view that are called as others are."""

    scale: int = whole("Scale")
    quantity: int = whole("Quantity")
    grid: bool = declare(Flag(True, label="Grid", help="Lines."))


ODD = {"heatmap": Odd, "clocks": Odd}
OWN = {name: pictures.find(name).Options for name in views.names()}


@pytest.fixture
def use(monkeypatch):
    """A function that gives views other options."""

    def use(options):
        monkeypatch.setattr(pictures, "names", lambda: tuple(options))
        monkeypatch.setattr(pictures, "find", lambda name: SimpleNamespace(Options=options[name]))

    return use


@pytest.mark.parametrize("drawn", ["", "heatmap", "clocks", WINDOW])
@pytest.mark.parametrize("command", ["export", "code", "render"])
def test_no_two_options_clash(command, drawn, use):
    schemes = [Greedy, *map(encodings.find, encodings.names())]
    for scheme, declared_views in itertools.product(schemes, (ODD, OWN)):
        use(declared_views)
        found = flags.options(command, scheme, drawn)
        spelled = [word for option in found for word in option.flags]
        assert len(spelled) == len(set(spelled))
        assert not set(spelled) & {flags.flag(name) for name in flags.COMMAND_FLAGS[command]}
        fields = {(option.owner, option.field) for option in found}
        shown = [view for view in declared_views if drawn in (view, WINDOW)]
        wanted = {(ENCODING, field) for field in declared(scheme)}
        assert fields == wanted | {
            (view, field) for view in shown for field in declared(declared_views[view])
        }


def test_an_option_has_one_flag_for_all_commands(use):
    use(ODD)
    spelled: dict = {}
    for command in ("export", "code", "render"):
        for drawn in ("", "heatmap", "clocks", WINDOW):
            for option in flags.options(command, Greedy, drawn):
                spelled.setdefault((option.owner, option.field), set()).add(option.flags[0])
    assert {key: names for key, names in spelled.items() if len(names) != 1} == {}
    assert spelled["heatmap", "scale"] == {"--heatmap-scale"}
    # the encoding has the other
    assert spelled["heatmap", "quantity"] == {"--view-heatmap-quantity"}
    assert spelled[ENCODING, "scale"] == {"--encoding-encoding-scale"}  # likewise
    assert spelled[ENCODING, "head_dim"] == {"--head-dim"}


def test_what_is_called_as_something_else_is_read_all_the_same(monkeypatch):
    use_schemes(monkeypatch, index=Index, greedy=Greedy)
    options = options_of(
        shlex.split(
            "render --on heatmap --encoding greedy --encoding-size 4 --quantity 5 -o x.npy "
            "--heatmap-quantity 6 --view-heatmap-quantity angle --factors '1_100;2 3' --cut auto"
        )
    )
    e = read_encoding(options)
    assert (options.view, e.on, e.size) == ("heatmap", True, 4)
    assert (e.quantity, e.heatmap_quantity) == (5, 6)
    assert (e.factors, e.cut) == ((1100.0, 2.0, 3.0), None)
    heatmap = create_for_owner(pictures.find("heatmap").Options, options, "heatmap")
    assert heatmap.quantity == "angle"
    line = "export -o x.npy --encoding greedy --scale 3 --encoding-positions 2 --run 7 --on off"
    options = options_of(shlex.split(f"{line} --encoding-no-on 8"))
    e = read_encoding(options)
    assert (e.scale, e.encoding_scale, e.positions, e.run, e.on, e.no_on) == (3, 1, 2, 7, False, 8)


def test_parameters_are_grouped_by_the_choices_that_they_belong_to():
    groups = flags.group_by_choice(flags.parameters(encodings.find("rope")))
    fields = {when: [option.field for option in found] for when, found in groups.items()}
    always, *_ = fields
    assert always == ""
    assert "rope_type" in fields[""]
    trained = ["original_max_position_embeddings"]
    assert fields["--rope-type dynamic, yarn, longrope or llama3"] == trained
    assert fields["--rope-type dynamic or longrope"] == ["sequence_length"]
    assert fields["--rope-type llama3"] == ["low_freq_factor", "high_freq_factor"]
