"""The document: everything that the user has set up, as one immutable value."""

from pe_explorer.exploration.fields import (
    CURSOR,
    MAX_PINS,
    PIN_COLOURS,
    TRANSIENT,
    Exploration,
    Pin,
    changes,
    differing,
)
from pe_explorer.exploration.moves import (
    back_to_0,
    centred,
    first_rows,
    first_shown,
    moved_cursor,
    moved_to,
    panned,
    with_encoding,
    with_scheme,
    zoomed,
)
from pe_explorer.exploration.panes import Panes, panes_of
from pe_explorer.exploration.pins import (
    check_pins,
    current_name,
    difference_name,
    distinguishing_name,
    full_name,
    pinned,
    restored_from_pin,
    short_name,
    subject_name,
    subject_names,
    unpinned,
    updated_pin,
)
from pe_explorer.exploration.resolved import (
    COMMAND_REMEDY,
    DirectStore,
    OpenedFile,
    PendingFile,
    Resolved,
    ResolvedTables,
    Store,
    load_encoding,
    resolve,
)
