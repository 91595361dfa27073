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
    flag,
    options,
    options_of_each,
    parameters,
)
from pe_explorer.flags.panes import ACTIVE_HELP, PANES_HELP, chosen_panes, pane_words
from pe_explorer.flags.pins import PIN_HELP, parse_pins, spelled_pin
from pe_explorer.flags.positions import POSITIONS_HELP, parse_positions, spelled_positions
from pe_explorer.flags.unused import check_drawn, drawn_views, unused, without_effect
