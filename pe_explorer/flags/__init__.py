"""Commands as text: flags, positions, pins and whole command lines."""

from pe_explorer.flags.commands import (
    COMMAND_FLAGS,
    DEFAULT_SIZE,
    EXPLORATION_FLAGS,
    HEIGHT,
    PANE_FLAGS,
    PLATE,
    SCALE,
    SESSION_CHOICE,
    SHOWN_FIELDS,
    WIDTH,
    WINDOW,
    ExportRequest,
    RenderSettings,
    has_several_curves,
    omissions,
)
from pe_explorer.flags.lines import (
    PIN_HELP,
    POSITIONS_HELP,
    check_image,
    find_ineffective_fields,
    find_unused_fields,
    format_export_line,
    format_pin,
    format_positions,
    format_render_line,
    list_drawn_views,
    parse_pins,
    parse_positions,
)
from pe_explorer.flags.options import (
    ENCODING,
    Option,
    flag,
    group_by_choice,
    make_command_options,
    options,
    parameters,
)
