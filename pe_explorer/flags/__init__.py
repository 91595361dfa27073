"""Commands as text: the table of flags, positions, pins and whole command lines."""

from pe_explorer.flags.commands import (
    CARRY,
    COMMAND_FLAGS,
    HEIGHT,
    PANES,
    PLATE,
    SCALE,
    SHOWN_FIELDS,
    SIZE,
    SUBJECT,
    SUMMARIES,
    WIDTH,
    WINDOW,
    ExportRequest,
    RenderSettings,
    omissions,
    shows_several,
)
from pe_explorer.flags.lines import (
    PIN_HELP,
    POSITIONS_HELP,
    check_drawn,
    drawn_views,
    export_line,
    format_pin,
    format_positions,
    parse_pins,
    parse_positions,
    render_line,
    unused_fields,
    without_effect,
)
from pe_explorer.flags.options import (
    ENCODING,
    Option,
    command_options,
    flag,
    group_by_choice,
    options,
    parameters,
)
