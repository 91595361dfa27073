"""The document: an immutable value with all settings that the user has made."""

from pe_explorer.exploration.fields import (
    CURSOR_FIELDS,
    MAX_PINS,
    PIN_COLOURS,
    TRANSIENT_FIELDS,
    Exploration,
    Pin,
    changes,
    differing_fields,
)
from pe_explorer.exploration.moves import (
    back_to_0,
    centre_fields,
    fields_for_rows,
    first_rows,
    initial_range,
    move_cursor,
    pan_fields,
    with_encoding,
    with_scheme,
    zoom_fields,
)
from pe_explorer.exploration.panes import Panes, panes_of
from pe_explorer.exploration.pins import (
    add_pin,
    check_pins,
    current_name,
    difference_name,
    distinguishing_name,
    fields_from_pin,
    full_name,
    remove_pin,
    short_name,
    subject_name,
    subject_names,
    update_pin,
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
