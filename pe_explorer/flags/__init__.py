"""Commands as text: flags, positions, pins and whole command lines."""

from pe_explorer.flags.commands import (
    COMMAND_FLAGS,
    HEIGHT,
    INCLUDE_SESSION,
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
    has_several_curves,
    omissions,
)
from pe_explorer.flags.lines import (
    PIN_HELP,
    POSITIONS_HELP,
    check_image,
    drawn_views,
    export_line,
    fields_without_effect,
    format_pin,
    format_positions,
    parse_pins,
    parse_positions,
    render_line,
    unused_fields,
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
