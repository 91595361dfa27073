"""The command `check`: the meaning of a configuration, and its misleading fields."""

import argparse
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from pe_explorer import configs
from pe_explorer.analysis import specification_words
from pe_explorer.analysis.configuration import TOLERANCE, ConfigurationCheck, check
from pe_explorer.analysis.sheet_words import Rows, heading_of, reader_of, rows_of
from pe_explorer.commandline import check_json
from pe_explorer.commandline.check_json import CheckedFile
from pe_explorer.commandline.parser import Parser, is_flag, joined, one_of, reader
from pe_explorer.commandline.process import EXIT_BAD_INPUT, load_config, print_error
from pe_explorer.configs import ERROR, LLAMA, NEWEST, NOTE, SEMANTICS, WARNING, Finding
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.params import NUMBERS_HELP, ParameterError, Whole, capitalised, one_line

_DESCRIPTION = """\
Explain a model's config.json, layer type by layer type, and report misleading fields.

Each finding is a line, LEVEL: FIELD: HAPPENS; WHY. An error leaves layers without an encoding;
a warning is about a field that does nothing or contradicts another, an unknown class, or a length
beyond that of training; a note is about a default, or about what other programs make of the file.
It also compares the lengths in tokenizer_config.json and generation_config.json beside the file.
With two files it prints how they differ instead, layer type by layer type. With --each, or with
three or more files, it checks each file.
Exit code: 0 without warnings and errors, 1 with one of them, 2 if the file cannot be read, and 3
for an internal error of this program; for several files the highest code; for two files that are
compared 0 if they mean the same, 1 if they differ or the class of one is unknown."""
TEXT, JSON, ALL = "text", "json", "all"
_LENGTH = Whole(1, 1, LIMIT, label="Length", unit="positions", help="A length of texts.")


def add(parser: Parser, words: list[str]) -> list[str]:
    """Add the flags; return the words as these flags read them."""
    parser.description = _DESCRIPTION
    parser.epilog = f"{check_json.EXPLAINED}\n\n{textwrap.fill(NUMBERS_HELP, 90)}"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    file = "a config.json of at most 16 MB, a folder that has one, or - for standard input"
    parser.add_argument("files", metavar="FILE", nargs="+", help=file)
    parser.add_argument("--each", action="store_true", help="check two files separately")
    semantics = (
        f"the version of transformers whose rules apply: {', '.join(SEMANTICS)}, one such as 5.12 "
        f"or 5.12.1, or {ALL} (default {NEWEST.name}, the newest known)"
    )
    length = "the longest text in use, in positions (default: that in the file)"
    trained = "the training length, if that in the file was raised by hand"
    assume = f"read an unknown class like {LLAMA} even if no field is about RoPE or ALiBi"
    override = "fields to replace before reading, as vLLM's --hf-overrides does"
    for name, metavar, read, meaning in (
        ("semantics", "VERSION", reader(_semantics), semantics),
        ("length", "N", reader(partial(_LENGTH.parse, "length")), length),
        ("trained", "N", reader(partial(_LENGTH.parse, "trained")), trained),
        ("assume", "CLASS", one_of((LLAMA,)), assume),
        ("override", "JSON", reader(configs.override_from), override),
    ):
        parser.add_argument(f"--{name}", metavar=metavar, type=read, help=meaning)
    output = parser.add_mutually_exclusive_group()
    formats = (
        "text (default); json, which has all values; sarif, the findings as SARIF 2.1.0; or "
        "github, the findings as annotations of a GitHub workflow"
    )
    names = one_of((TEXT, JSON, *check_json.REPORTS))
    output.add_argument("--format", metavar="NAME", type=names, default=TEXT, help=formats)
    short = "short for --format json"
    output.add_argument("--json", action="store_const", const=JSON, dest="format", help=short)
    parser.set_defaults(run=run, semantics=NEWEST.name)
    words = joined(words)
    if words.count("-") > 1:
        parser.error("-: standard input can be read only once; leave out the second -")
    # The files come last, because argparse takes them only if they stand together.
    first = words.index("check") + 1
    end = [*words, "--"].index("--")
    return [*words[:first], *sorted(words[first:end], key=is_flag, reverse=True), *words[end:]]


def _semantics(text: str) -> str:
    if text != ALL:
        configs.semantics_of(text)
    return text


def run(options: argparse.Namespace) -> int:
    """Print the sheets and findings, or the comparison of two files; return the exit code."""
    is_pair = len(options.files) == 2 and not options.each
    if is_pair and options.format in check_json.REPORTS:
        problem = f"two files are compared, but {options.format} is about the findings of each file"
        raise ParameterError("format", problem, "add --each to check both files")
    code = _compare(options) if is_pair else _check_each(options)
    sys.stdout.flush()
    return code


def _check_each(options: argparse.Namespace) -> int:
    files = [_checked(argument, options) for argument in options.files]
    as_object = partial(check_json.as_json, length=options.length, trained=options.trained)
    if options.format in check_json.REPORTS:
        print(check_json.REPORTS[options.format](files), end="")
    elif options.format == JSON and (options.each or len(files) > 1):
        document = {"schema": check_json.SCHEMA, "checks": [as_object(file) for file in files]}
        print(json.dumps(document))
    else:
        separator = ""
        for file in files:
            if file.problem:
                print_error(f"pe-explorer check: {file.name}: {file.problem}")
                continue
            print(end=separator)
            if options.format == JSON:
                print(json.dumps(as_object(file)))
            else:
                print(*lines(file.name, file.checks), sep="\n", flush=True)
            separator = "\n"
    return max(map(_code, files))


def _code(file: CheckedFile) -> int:
    return EXIT_BAD_INPUT if file.problem else int(any(check.misleads for check in file.checks))


def _checked(argument: str, options: argparse.Namespace) -> CheckedFile:
    try:
        config = load_config(argument)
    except ParameterError as error:
        return CheckedFile(argument, error.name, b"", (), error.problem)
    try:
        source = _source(config, options)
        versions: tuple[str, ...] = (options.semantics,)
        if options.semantics == ALL:
            versions = (*SEMANTICS, *reversed(configs.changed_versions(source)))
        settings = options.length, options.trained, options.assume
        checks = [check(source, version, *settings) for version in versions]
        return CheckedFile(argument, config.name, config.data, checks)
    except ParameterError as error:
        return CheckedFile(argument, config.name, config.data, (), str(error), error.name)


def _source(config: Any, options: argparse.Namespace) -> Any:
    return config if options.override is None else configs.Overridden(config, options.override)


def _compare(options: argparse.Namespace) -> int:
    where = ""
    try:
        configurations = [load_config(argument) for argument in options.files]
        first, second = (config.name for config in configurations)
        where = f"{first} and {second}: "
        if options.trained is not None:
            raise EncodingError("--trained", "is about one file", "leave it out, or add --each")
        left, right = (_source(config, options) for config in configurations)
        versions = SEMANTICS if options.semantics == ALL else (options.semantics,)
        settings = options.length, options.assume
        pairs = [check_json.compare_files(left, right, version, *settings) for version in versions]
    except ParameterError as error:
        print_error(f"pe-explorer check: {where}{error}")
        return EXIT_BAD_INPUT
    if options.format == JSON:
        files = {"schema": check_json.SCHEMA, "files": options.files, "length": options.length}
        print(json.dumps({**files, "readings": [check_json.pair_json(pair) for pair in pairs]}))
    else:
        print(*pair_lines(first, second, pairs), sep="\n")
    return int(any(pair.differs or any(pair.assumed) for pair in pairs))


_COLOURS = {ERROR: "31", WARNING: "33", NOTE: "36"}  # red, yellow, cyan of the terminal


def lines(path: str, checks: Sequence[ConfigurationCheck]) -> Iterator[str]:
    """Yield the lines for a file: plain ones, or on a terminal a table, wrapped and coloured."""
    path = one_line(path)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    before: list[tuple[str, Rows]] = []
    if checks[0].model_type in (configs.META, configs.MISTRAL):
        checks = checks[:1]  # no version of transformers reads it
    for found in checks:
        if before:
            yield ""
        yield f"{path}: {heading_of(found)}"
        rows = rows_of(found)
        layers = [one_line(sheet.layer) for sheet in found.sheets]
        if same := next((version for version, others in before if others == rows), None):
            yield f"the same numbers as under {same}"
        else:
            yield from _sheet(layers, rows, width)
        before.append((found.semantics, rows))
        if width is not None:
            yield ""
        for finding in found.findings:
            yield from _wrapped(finding, width)
        counts = [f"{n} {level}{'s' * (n > 1)}" for level, n in found.counts.items() if n]
        yield ", ".join(counts) or "nothing found"


def _sheet(layers: Sequence[str], rows: Rows, width: int | None) -> Iterator[str]:
    if width is not None:
        return columns(layers, rows, width)
    numbered = enumerate(layers)
    return (f"{layer}: {label}: {it[n]}" for n, layer in numbered for label, it in rows if it[n])


def _wrapped(finding: Finding, width: int | None) -> Iterator[str]:
    if width is None:
        yield finding.line
        return
    wrapper = textwrap.TextWrapper(max(width, 20), subsequent_indent="  ", break_on_hyphens=False)
    first, *rest = wrapper.wrap(finding.line)
    if "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb":
        coloured = f"\033[1;{_COLOURS[finding.level]}m{finding.level}\033[0m"
        first = f"{coloured}{first.removeprefix(finding.level)}"
    yield from (first, *rest)


def pair_lines(first: str, second: str, found: Sequence[check_json.FilePair]) -> Iterator[str]:
    """Yield a line for each fact about two files."""
    one, other = one_line(first), one_line(second)
    for number, pair in enumerate(found):
        if number:
            yield ""
        readers_of = (reader_of(each.model_type, pair.semantics) for each in pair.files)
        is_certain, readers = not any(pair.assumed), " and ".join(dict.fromkeys(readers_of))
        how = f"as read by {readers}" if is_certain else f"by the rules of {readers}"
        yield f"{one} against {other}, {how}"
        for path, assumed in zip((one, other), pair.assumed, strict=True):
            if assumed:
                yield f"{WARNING}: {path}: has an unknown class, assumed to work like {assumed}"
        for layer, of_layer in pair.layers.items():
            yield from (f"{one_line(layer)}: {line}" for line in _facts(of_layer))
        softmax = pair.softmax_factors
        if softmax != [1, 1]:
            yield f"softmax factor: {softmax[0]:.5g} and {softmax[1]:.5g}"
        verdict = "they differ" if pair.differs else "they mean the same"
        yield verdict if is_certain else f"{verdict}, if the assumption holds"


def _facts(pair: check_json.LayerPair) -> Iterator[str]:
    found = pair.found
    if found is None:
        yield f"{capitalised(pair.problem)}."
        return
    yield f"pairs that differ: {specification_words.differing(found)}"
    yield f"largest ratio: {specification_words.largest(found, 'the first', 'the second')}"
    yield f"off by more than {TOLERANCE} rad: {specification_words.beyond(found, TOLERANCE)}"
    yield f"attention factors: {specification_words.attention(found)}"
    yield f"order of channels: {specification_words.order(found)}"


_GAP = "  "
_NARROWEST = 16  # characters of a column


def columns(
    titles: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], width: int
) -> Iterator[str]:
    """Yield the lines of a table of labels and texts; columns that do not fit come below."""
    margin = max((len(label) for label, _ in rows), default=0)
    most = max(1, (width - margin) // (len(_GAP) + _NARROWEST))
    for first in range(0, len(titles), most):
        if first:
            yield ""
        table = [(label, cells[first : first + most]) for label, cells in [("", titles), *rows]]
        share = max(_NARROWEST, (width - margin) // len(table[0][1]) - len(_GAP))
        by_column = zip(*(cells for _, cells in table), strict=True)
        widths = [min(share, max(map(len, texts))) for texts in by_column]
        for label, cells in table:
            sized = zip(cells, widths, strict=True)
            wrapped = [textwrap.wrap(text or "-", size) for text, size in sized]
            for number, parts in enumerate(zip_longest(*wrapped, fillvalue="")):
                padded = map(str.ljust, parts, widths)
                yield _GAP.join([("" if number else label).ljust(margin), *padded]).rstrip()
