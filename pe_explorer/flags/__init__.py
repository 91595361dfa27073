"""Writes and reads commands: the table of flags, positions, pins, whole lines."""

from pe_explorer.flags import shell_words
from pe_explorer.flags.commands import (
    CARRY,
    COMMAND_FLAGS,
    HEIGHT,
    PLATE,
    RESERVED,
    SCALE,
    SHOWN,
    SIZE,
    SUMMARIES,
    WIDTH,
    WINDOW,
    ExportRequest,
    RenderSettings,
    left_out,
    quantity_options,
    shows_several,
)
from pe_explorer.flags.lines import export_line, render_line
from pe_explorer.flags.options import (
    ENCODING,
    Option,
    by_choice,
    distinct_parameters,
    flag,
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
    "COMMAND_FLAGS",
    "ENCODING",
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
    "ExportRequest",
    "Option",
    "RenderSettings",
    "by_choice",
    "chosen_panes",
    "distinct_parameters",
    "drawn_views",
    "export_line",
    "flag",
    "left_out",
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
