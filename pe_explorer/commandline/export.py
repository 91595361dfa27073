"""The command `export`: what an encoding is, as numbers in a file."""

from __future__ import annotations

import argparse

from pe_explorer import flags
from pe_explorer.commandline import interrupts
from pe_explorer.commandline.arguments import add_encoding, add_fields, add_output, add_pins
from pe_explorer.commandline.given import encoding_of, known_by_flag, made_of, positions_of
from pe_explorer.commandline.parser import Parser
from pe_explorer.commandline.start import start_from
from pe_explorer.exploration import FOR_COMMANDS, DirectStore, resolve
from pe_explorer.files import export
from pe_explorer.files.sources import refuse_sources
from pe_explorer.flags import Request
from pe_explorer.flags.words import Word
from pe_explorer.params import declared

__all__ = ["add", "run"]

_DESCRIPTION = "Write what an encoding is to a file, exact at every position and of any length."


def add(parser: Parser, given: list[Word]) -> list[Word]:
    """Add the flags; return the words as they are to be read."""
    parser.description = _DESCRIPTION
    start = start_from(given, {})
    options = flags.options("export", type(start.encoding))
    given = add_encoding(parser, given, "export", start, options)
    what = parser.add_argument_group("what to write")
    add_fields(what, declared(Request), vars(start.found.state))
    add_pins(what)
    endings = " or ".join(export.SUFFIXES)
    add_output(what, f"file to write; its ending, {endings}, chooses the format")
    parser.set_defaults(run=run)
    return given


def run(options: argparse.Namespace) -> int:
    """Write the file, and beside it the session, if it is to go with it."""
    from tqdm import tqdm

    found = options.found
    e, request = encoding_of(options), made_of(Request, options)
    state = found.state.with_(encoding=e, compared=request.compared)
    refuse_sources(options.output, state)
    resolved = resolve(state, DirectStore(), FOR_COMMANDS)
    if request.show != "pinned":
        known_by_flag(resolved.encoding)
    subject = request.subject(resolved.encoding, resolved.pins)
    positions = positions_of(options, subject)
    data = request.data(resolved.encoding, positions, resolved.pins)
    beside = export.session_beside(resolved, positions, request, options.output, found.extra)
    left = len(data.index)

    def show_progress(rows: int) -> None:
        nonlocal left
        bar.update(rows)
        left -= rows
        if not left:  # the files take their places, all of them or none
            interrupts.ignore()

    interrupts.raise_interrupt()
    with tqdm(total=left, unit=" rows", unit_scale=True, disable=None, leave=False) as bar:
        export.write(data, options.output, request.dtype, show_progress, beside=beside)
    return 0
