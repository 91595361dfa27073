"""The document: an immutable value that contains all of the user's choices."""

from pe_explorer.exploration.fields import (
    CURSOR_FIELDS,
    MAX_PINS,
    PIN_COLOURS,
    TRANSIENT_FIELDS,
    Exploration,
    Pin,
    changes,
    find_differing_fields,
)
from pe_explorer.exploration.moves import (
    centre_range,
    find_first_rows,
    make_fields_for_rows,
    move_cursor,
    pan_range,
    reset_range,
    return_to_0,
    with_encoding,
    with_scheme,
    zoom_range,
)
from pe_explorer.exploration.panes import Panes, make_panes
from pe_explorer.exploration.pins import (
    add_pin,
    apply_pin,
    check_pins,
    make_current_name,
    make_difference_name,
    make_distinguishing_name,
    make_full_name,
    make_short_name,
    make_subject_name,
    make_subject_names,
    remove_pin,
    update_pin,
)
from pe_explorer.exploration.resolved import (
    COMMAND_REMEDY,
    DirectStore,
    OpenedFile,
    PendingFile,
    ResolvedState,
    ResolvedTables,
    Store,
    load_encoding,
    resolve,
)
