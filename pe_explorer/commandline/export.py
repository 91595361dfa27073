"""The command `export`, which writes the values of an encoding to a file."""

import argparse
from dataclasses import replace

from pe_explorer import flags, pictures, quantities
from pe_explorer.analysis.comparison import ShowOption
from pe_explorer.commandline import process, shared
from pe_explorer.commandline.parser import Parser
from pe_explorer.commandline.process import print_error
from pe_explorer.exploration import COMMAND_REMEDY, DirectStore, resolve
from pe_explorer.files import export
from pe_explorer.files.session import reject_table_paths
from pe_explorer.flags import ExportRequest
from pe_explorer.params import declared
from pe_explorer.progress import TerminalProgress


def add(parser: Parser, words: list[str]) -> list[str]:
    """Add the flags, and return the normalised arguments; see `join_values`."""
    parser.description = (
        "Write a quantity of an encoding to a file, with any number of rows and exact values at "
        "every position."
    )
    start = shared.parse_start(parser, words)
    words, _ = shared.add_subject(parser, words, "export", start)
    values = ExportRequest.read_shared_fields(start.opened.state)
    values |= values.pop("options")
    if start.exhibit:
        state = start.opened.state
        picture = pictures.make_picture(start.exhibit.main_view, state)
        values["what"], values["show"] = picture.quantity_name(), picture.show
        if values["what"] == "projection" and (note := shared.make_umap_note(state)):
            values["method"] = "pca"
            print_error(f"pe-explorer export: {note}")
    group = parser.add_argument_group("quantity")
    fields = {**declared(ExportRequest), **quantities.options()}
    shared.add_options(group, flags.make_command_options(fields), values)
    shared.add_pins(group)
    output = f"File to write. Its extension selects the format: {' or '.join(export.WRITERS)}."
    group.add_argument("-o", "--output", metavar="FILE", required=True, help=output)
    parser.set_defaults(run=run)
    return words


def read_request(options: argparse.Namespace) -> ExportRequest:
    """Return the request that the flags describe."""
    quantity_options = {name: shared.read_flag(options, name) for name in quantities.options()}
    return replace(shared.create_from_flags(ExportRequest, options), options=quantity_options)


def run(options: argparse.Namespace) -> int:
    """Write the file, and a session beside it unless the flags exclude the session."""
    opened = options.opened
    request = read_request(options).with_windows(opened.state)
    encoding = shared.read_encoding(options)
    state = opened.state.with_(encoding=encoding, compared=request.compared)
    reject_table_paths(options.output, state)
    resolved = resolve(state, DirectStore(), COMMAND_REMEDY)
    if request.show != ShowOption.PINNED:
        shared.require_computable(resolved.encoding)
    subject = request.subject(resolved.encoding, resolved.pins)
    shared.print_file_notes("export", subject.encodings)
    positions = shared.read_positions(options, subject)
    data = request.data(resolved.encoding, positions, resolved.pins)
    arguments = resolved, positions, request, options.output, opened.extra, data.curves
    session_text = export.make_data_session(*arguments)
    panes = options.exhibit and opened.state.panes
    omissions = flags.omissions(request, panes.active, resolved) if panes else ()
    for note in (*omissions, *data.notes):
        print_error(f"pe-explorer export: {note}")
    process.raise_on_signal()
    with TerminalProgress(process.ignore_signals) as progress:
        export.write(data, options.output, request.dtype, progress, session_text=session_text)
    return 0
