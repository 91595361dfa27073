"""How commands are written and read: the table of flags, positions, pins, whole lines."""

from pe_explorer.flags import shell_words
from pe_explorer.flags.commands import (
    CARRY,
    FIXED,
    HEIGHT,
    PLATE,
    RESERVED,
    SCALE,
    SHOWN,
    SIZE,
    SUMMARIES,
    WIDTH,
    WINDOW,
    Print,
    Request,
    left_out,
    quantity_options,
    shows_several,
)
from pe_explorer.flags.lines import export_line, render_line
from pe_explorer.flags.options import (
    ENCODING,
    Option,
    by_choice,
    flag,
    named_apart,
    options,
    parameters,
)
from pe_explorer.flags.panes import ACTIVE_HELP, PANES_HELP, chosen_panes, pane_words
from pe_explorer.flags.pins import PIN_HELP, parse_pins, spelled_pin
from pe_explorer.flags.positions import POSITIONS_HELP, parse_positions, spelled_positions
from pe_explorer.flags.unused import drawn_views, unused, without_effect

__all__ = [
    "ACTIVE_HELP",
    "CARRY",
    "ENCODING",
    "FIXED",
    "HEIGHT",
    "PANES_HELP",
    "PIN_HELP",
    "PLATE",
    "POSITIONS_HELP",
    "RESERVED",
    "SCALE",
    "SHOWN",
    "SIZE",
    "SUMMARIES",
    "WIDTH",
    "WINDOW",
    "Option",
    "Print",
    "Request",
    "by_choice",
    "chosen_panes",
    "drawn_views",
    "export_line",
    "flag",
    "left_out",
    "named_apart",
    "options",
    "pane_words",
    "parameters",
    "parse_pins",
    "parse_positions",
    "quantity_options",
    "render_line",
    "shell_words",
    "shows_several",
    "spelled_pin",
    "spelled_positions",
    "unused",
    "without_effect",
]
