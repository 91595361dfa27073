"""The document: everything that the user has set up, as one frozen value."""

from pe_explorer.exploration.fields import (
    CURSOR,
    LOOK,
    MOST_PINS,
    PIN_COLOURS,
    Exploration,
    Pin,
    changes,
    differing,
)
from pe_explorer.exploration.moves import (
    back_to_0,
    first_look,
    first_rows,
    moved_cursor,
    moved_to,
    panned,
    zoomed,
)
from pe_explorer.exploration.panes import Panes, panes_of
from pe_explorer.exploration.pins import (
    check_pins,
    pinned,
    repinned,
    restored_from_pin,
    short_name,
    unpinned,
)
from pe_explorer.exploration.resolved import (
    FOR_COMMANDS,
    DirectStore,
    OnItsWay,
    Resolved,
    Store,
    StoreOf,
    loaded,
    resolve,
)

__all__ = [
    "CURSOR",
    "FOR_COMMANDS",
    "LOOK",
    "MOST_PINS",
    "PIN_COLOURS",
    "DirectStore",
    "Exploration",
    "OnItsWay",
    "Panes",
    "Pin",
    "Resolved",
    "Store",
    "StoreOf",
    "back_to_0",
    "changes",
    "check_pins",
    "differing",
    "first_look",
    "first_rows",
    "loaded",
    "moved_cursor",
    "moved_to",
    "panes_of",
    "panned",
    "pinned",
    "repinned",
    "resolve",
    "restored_from_pin",
    "short_name",
    "unpinned",
    "zoomed",
]
