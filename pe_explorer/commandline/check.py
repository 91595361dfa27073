"""The command `check`, which explains a configuration in one of several formats."""

import argparse
import json
import math
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple
from urllib.parse import quote

from pe_explorer import __version__, configs, encodings
from pe_explorer.analysis import specification_words
from pe_explorer.analysis.configuration import TOLERANCE, ConfigurationCheck, check
from pe_explorer.analysis.sheet import Sheet
from pe_explorer.analysis.sheet_words import TextRows, describe_reader, format_heading, list_rows
from pe_explorer.analysis.specification import Comparison, compare
from pe_explorer.assets import find_asset
from pe_explorer.commandline.parser import (
    Parser,
    is_flag,
    join_values,
    make_argument_type,
    make_choice_type,
)
from pe_explorer.commandline.process import EXIT_BAD_INPUT, load_config, print_error
from pe_explorer.configs import ERROR, LLAMA, NEW_RULES, NOTE, SEMANTICS, WARNING, Finding
from pe_explorer.encodings import LIMIT, Encoding, EncodingError
from pe_explorer.params import (
    NUMBERS_HELP,
    ParameterError,
    Whole,
    capitalise,
    drop_unused_fields,
    to_one_line,
    with_full_stop,
)

_DESCRIPTION = """\
Explain what a model's config.json means for each layer type, and report misleading fields.

Each finding is one line with its level, the field, the effect and the reason. An error means that
some layers have no usable encoding. A warning reports a field that has no effect or contradicts
another field, an unknown class, or a length beyond the training length. A note reports a default,
or a field that other programs read differently. The command also compares lengths with those in
tokenizer_config.json and generation_config.json in the same folder.

If you pass two files, the command compares them; add --each to check them separately. Three or more
files are checked separately.

Exit code: 0 if there are no warnings or errors, 1 if there are any, 2 if the file cannot be read,
3 for an internal error. For several files, it is the highest of their codes. For a comparison, it
is 0 if the files are equivalent, and 1 if they differ or if one has an unknown class."""
SCHEMA_VERSION = 1  # increase this version after an incompatible change to the JSON output
EXPLANATION = find_asset("check.txt").read_text(encoding="utf-8").rstrip()
"""An explanation of the names in the output and of the kinds of findings."""
TEXT_FORMAT, JSON_FORMAT, ALL_VERSIONS = "text", "json", "all"
_LENGTH_TYPE = Whole(1, 1, LIMIT, label="Length", unit="positions", help="A number of positions.")


class CheckedFile(NamedTuple):
    """The checks of a file, one per version of transformers.

    If the file cannot be checked, `problem` is the reason, and `field` names its location.
    """

    argument: str
    name: str
    data: bytes
    checks: Sequence[ConfigurationCheck]
    problem: str = ""
    field: str = ""


class LayerPair(NamedTuple):
    """The comparison of a layer type in two configurations, or why it cannot be compared."""

    differs: bool
    comparison: Comparison | None
    problem: str = ""


class FilePair(NamedTuple):
    """The comparison of two configurations under one version of transformers."""

    semantics: str
    model_types: list[str]
    assumed_classes: list[str]  # class assumed for each file; empty for a known class
    softmax_factors: list[float]
    layers: dict[str, LayerPair]

    @property
    def differs(self) -> bool:
        """Whether the two configurations differ in meaning."""
        first, second = self.softmax_factors
        return first != second or any(layer.differs for layer in self.layers.values())


def add(parser: Parser, words: list[str]) -> list[str]:
    """Add the flags, and return the normalised arguments; see `join_values`."""
    parser.description = _DESCRIPTION
    parser.epilog = f"{EXPLANATION}\n\n{textwrap.fill(NUMBERS_HELP, 90)}"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    file = "A config.json of at most 16 MB, a folder that contains one, or - for standard input."
    parser.add_argument("files", metavar="FILE", nargs="+", help=file)
    each = "Check two files separately instead of comparing them."
    parser.add_argument("--each", action="store_true", help=each)
    semantics = (
        f"Version of transformers whose rules apply: {', '.join(SEMANTICS)}, a later version such "
        f"as 5.12 or 5.12.1, or {ALL_VERSIONS} (default: {NEW_RULES.name}, the newest known)."
    )
    length = "Target length in positions (default: the length in the file)."
    trained = "Training length, if the length in the file was raised by hand."
    assume = f"Read an unknown class like {LLAMA} even if no field is about RoPE or ALiBi."
    override = "JSON object whose fields replace those of config.json, as in vLLM's --hf-overrides."
    for name, metavar, parse, meaning in (
        ("semantics", "VERSION", make_argument_type(_parse_semantics), semantics),
        ("length", "N", make_argument_type(partial(_LENGTH_TYPE.parse, "length")), length),
        ("trained", "N", make_argument_type(partial(_LENGTH_TYPE.parse, "trained")), trained),
        ("assume", "CLASS", make_choice_type((LLAMA,)), assume),
        ("override", "JSON", make_argument_type(configs.parse_override), override),
    ):
        parser.add_argument(f"--{name}", metavar=metavar, type=parse, help=meaning)
    output = parser.add_mutually_exclusive_group()
    help_text = (
        "Output format: text for people (default), json with all values, sarif for findings as "
        "SARIF 2.1.0, or github for findings as annotations of a GitHub workflow."
    )
    names = make_choice_type((TEXT_FORMAT, JSON_FORMAT, *REPORTS))
    output.add_argument("--format", metavar="NAME", type=names, default=TEXT_FORMAT, help=help_text)
    text = "Same as --format json."
    output.add_argument("--json", action="store_const", const=JSON_FORMAT, dest="format", help=text)
    parser.set_defaults(run=run, semantics=NEW_RULES.name)
    words = join_values(words)
    if words.count("-") > 1:
        parser.error("-: standard input can be read only once. Leave out the second -.")
    # Move the files to the end, because argparse requires them to be adjacent.
    start, end = words.index("check") + 1, [*words, "--"].index("--")
    return [*words[:start], *sorted(words[start:end], key=is_flag, reverse=True), *words[end:]]


def _parse_semantics(text: str) -> str:
    if text != ALL_VERSIONS:
        configs.find_semantics(text)  # raises an error for an unknown version
    return text


def run(options: argparse.Namespace) -> int:
    """Print the checks, or the comparison of two files, and return the exit code."""
    is_pair = len(options.files) == 2 and not options.each
    if is_pair and options.format in REPORTS:
        problem = f"{options.format} supports only findings about single files, not comparisons"
        raise ParameterError("format", problem, "add --each to check the files separately")
    code = _print_comparison(options) if is_pair else _print_checks(options)
    sys.stdout.flush()
    return code


def _print_checks(options: argparse.Namespace) -> int:
    files = [_check_file(argument, options) for argument in options.files]
    to_object = partial(make_file_json, length=options.length, trained=options.trained)
    if options.format in REPORTS:
        print(REPORTS[options.format](files), end="")
    elif options.format == JSON_FORMAT and (options.each or len(files) > 1):
        document = {"schema": SCHEMA_VERSION, "checks": [to_object(file) for file in files]}
        print(json.dumps(document))
    else:
        separator = ""
        for file in files:
            if file.problem:
                print_error(f"pe-explorer check: {file.name}: {file.problem}")
                continue
            print(end=separator)
            if options.format == JSON_FORMAT:
                print(json.dumps(to_object(file)))
            else:
                print(*format_file_lines(file.name, file.checks), sep="\n", flush=True)
            separator = "\n"
    if any(file.problem for file in files):
        return EXIT_BAD_INPUT
    return int(any(check.is_misleading for file in files for check in file.checks))


def _check_file(argument: str, options: argparse.Namespace) -> CheckedFile:
    try:
        config = load_config(argument)
    except ParameterError as error:
        return CheckedFile(argument, error.name, b"", (), error.problem)
    try:
        source = _apply_override(config, options)
        versions: tuple[str, ...] = (options.semantics,)
        if options.semantics == ALL_VERSIONS:
            versions = (*SEMANTICS, *reversed(configs.find_changed_versions(source)))
        settings = options.length, options.trained, options.assume
        checks = [check(source, version, *settings) for version in versions]
        return CheckedFile(argument, config.name, config.data, checks)
    except ParameterError as error:
        return CheckedFile(argument, config.name, config.data, (), str(error), error.name)


def _apply_override(config: Any, options: argparse.Namespace) -> Any:
    override = options.override
    return config if override is None else configs.OverriddenConfig(config, override)


def _print_comparison(options: argparse.Namespace) -> int:
    place = ""
    try:
        configurations = list(map(load_config, options.files))
        names = [config.name for config in configurations]
        place = f"{' and '.join(names)}: "
        if options.trained is not None:
            problem = "has no effect on a comparison of two files"
            raise EncodingError("--trained", problem, "leave it out, or add --each")
        sources = [_apply_override(config, options) for config in configurations]
        versions = SEMANTICS if options.semantics == ALL_VERSIONS else (options.semantics,)
        settings = options.length, options.assume or configs.LLAMA_IF_ROTARY
        pairs = [compare_files(sources, version, *settings) for version in versions]
    except ParameterError as error:
        print_error(f"pe-explorer check: {place}{error}")
        return EXIT_BAD_INPUT
    if options.format == JSON_FORMAT:
        files = {"schema": SCHEMA_VERSION, "files": options.files, "length": options.length}
        pair_values = to_json_value([make_pair_json(pair) for pair in pairs])
        print(json.dumps({**files, "readings": pair_values}))
    else:
        print(*format_pair_lines(names, pairs), sep="\n")
    return int(any(pair.differs or any(pair.assumed_classes) for pair in pairs))


_LEVEL_COLOURS = {ERROR: "31", WARNING: "33", NOTE: "36"}  # terminal colours: red, yellow, cyan


def format_file_lines(path: str, checks: Sequence[ConfigurationCheck]) -> Iterator[str]:
    """Yield the output lines for a file; on a terminal, wrap and colour them."""
    path = to_one_line(path)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    printed_rows: list[tuple[str, TextRows]] = []  # version and rows of each check
    if checks[0].model_type in (configs.META, configs.MISTRAL):
        # These formats are not read by transformers, so all versions give the same result.
        checks = checks[:1]
    for result in checks:
        if printed_rows:
            yield ""
        yield f"{path}: {format_heading(result)}"
        rows = list_rows(result)
        layers = [to_one_line(sheet.layer) for sheet in result.sheets]
        if version := next((name for name, old_rows in printed_rows if old_rows == rows), None):
            yield f"the same values as with {version}"
        elif width is not None:
            yield from columns(layers, rows, width)
        else:
            for number, layer in enumerate(layers):
                values = [(label, cells[number]) for label, cells in rows if cells[number]]
                yield from (f"{layer}: {label}: {value}" for label, value in values)
        printed_rows.append((result.semantics, rows))
        if width is not None:
            yield ""
        for finding in result.findings:
            yield from _format_finding_lines(finding, width)
        counts = [f"{n} {level}{'s' * (n > 1)}" for level, n in result.counts.items() if n]
        yield ", ".join(counts) or "no findings"


def _format_finding_lines(finding: Finding, width: int | None) -> Iterator[str]:
    if width is None:
        yield finding.line
        return
    wrapper = textwrap.TextWrapper(max(width, 20), subsequent_indent="  ", break_on_hyphens=False)
    first_line, *more_lines = wrapper.wrap(finding.line)
    if "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb":
        coloured_level = f"\033[1;{_LEVEL_COLOURS[finding.level]}m{finding.level}\033[0m"
        first_line = f"{coloured_level}{first_line.removeprefix(finding.level)}"
    yield from (first_line, *more_lines)


def format_pair_lines(names: Iterable[str], pairs: Sequence[FilePair]) -> Iterator[str]:
    """Yield the output lines for a comparison of two files."""
    paths = list(map(to_one_line, names))
    for number, pair in enumerate(pairs):
        if number:
            yield ""
        readers = dict.fromkeys(describe_reader(name, pair.semantics) for name in pair.model_types)
        is_certain = not any(pair.assumed_classes)
        relation = "as read by" if is_certain else "using the rules of"
        yield f"{' against '.join(paths)}, {relation} {' and '.join(readers)}"
        for path, assumed in zip(paths, pair.assumed_classes, strict=True):
            if assumed:
                yield f"{WARNING}: {path}: the class is unknown, so it is read like {assumed}"
        for layer, layer_pair in pair.layers.items():
            yield from (f"{to_one_line(layer)}: {line}" for line in _list_facts(layer_pair))
        factors = pair.softmax_factors
        if factors != [1, 1]:
            yield f"softmax factor: {factors[0]:.5g} and {factors[1]:.5g}"
        verdict = "the files differ" if pair.differs else "the files are equivalent"
        yield verdict if is_certain else f"{verdict}, if the assumption holds"


def _list_facts(pair: LayerPair) -> Iterator[str]:
    comparison = pair.comparison
    if comparison is None:
        yield with_full_stop(capitalise(pair.problem))
        return
    yield f"pairs that differ: {specification_words.describe_differing_pairs(comparison)}"
    largest = specification_words.describe_largest_ratio(comparison, "the first", "the second")
    yield f"largest frequency ratio: {largest}"
    offset = specification_words.describe_first_offset(comparison, TOLERANCE)
    yield f"angles differ by more than {TOLERANCE} rad: {offset}"
    yield f"attention factors: {specification_words.attention(comparison)}"
    yield f"order of channels: {specification_words.order(comparison)}"


_COLUMN_GAP = "  "
_MIN_COLUMN_WIDTH = 16  # in characters


def columns(titles: list[str], rows: TextRows, width: int) -> Iterator[str]:
    """Yield the lines of a labelled table; columns that do not fit follow in further tables."""
    margin = max((len(label) for label, _ in rows), default=0)
    count = max(1, (width - margin) // (len(_COLUMN_GAP) + _MIN_COLUMN_WIDTH))
    for start in range(0, len(titles), count):
        if start:
            yield ""
        table = [(label, cells[start : start + count]) for label, cells in [("", titles), *rows]]
        share = max(_MIN_COLUMN_WIDTH, (width - margin) // len(table[0][1]) - len(_COLUMN_GAP))
        columns = zip(*(cells for _, cells in table), strict=True)
        widths = [min(share, max(map(len, texts))) for texts in columns]
        for label, cells in table:
            wrapped_cells = map(textwrap.wrap, [cell or "-" for cell in cells], widths)
            for number, parts in enumerate(zip_longest(*wrapped_cells, fillvalue="")):
                texts = ["" if number else label, *parts]
                yield _COLUMN_GAP.join(map(str.ljust, texts, [margin, *widths])).rstrip()


def make_file_json(file: CheckedFile, length: int | None, trained: int | None) -> dict[str, Any]:
    """Return the result for a file as a JSON object."""
    if file.problem:
        return {"file": file.argument, "error": file.problem}
    settings = {
        "schema": SCHEMA_VERSION,
        "file": file.argument,
        "length": length,
        "trained": trained,
    }
    return {**settings, "readings": to_json_value(list(map(_make_check_json, file.checks)))}


def _make_check_json(check: ConfigurationCheck) -> dict[str, Any]:
    finding_fields = ("level", "kind", "field", "happens", "why", "layers", "versions")
    return {
        **_read_attributes(check, "semantics", "model_type", "dtype"),
        **_read_attributes(check, "trained", "stated", "target"),
        "assumed": check.assumed or None,
        **_read_attributes(check, "softmax_factor", "counts"),
        "layers": {sheet.layer: _make_sheet_json(sheet) for sheet in check.sheets},
        "findings": [_read_attributes(finding, *finding_fields) for finding in check.findings],
    }


def _make_sheet_json(sheet: Sheet) -> dict[str, Any]:
    report = sheet.report
    return {
        **_read_attributes(sheet, "indices", "window", "trained", "target"),
        "encoding": None if sheet.encoding is None else sheet.encoding.name,
        **_read_attributes(sheet, "parameters", "wavelengths", "wavelengths_at_target"),
        **_read_attributes(sheet, "unscaled_wavelengths", "changed"),
        **_read_attributes(report, "never_turned", "new"),
        "worst": _zip_names(("pair", "ratio"), report.worst if report else None),
        **_read_attributes(report, "longest"),
        "attention_factor": sheet.attention_factor,
    }


def _read_attributes(value: object, *names: str) -> dict[str, Any]:
    return {name: None if value is None else getattr(value, name) for name in names}


def _zip_names(names: Sequence[str], values: Sequence[Any] | None) -> dict[str, Any] | None:
    return None if values is None else dict(zip(names, values, strict=True))


def to_json_value(value: Any) -> Any:
    """Convert a value to JSON types: arrays become lists, non-finite numbers become None."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: to_json_value(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [to_json_value(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def compare_files(sources: list[Any], semantics: str, length: int | None, assume: str) -> FilePair:
    """Compare two configurations layer type by layer type.

    If each configuration has only one encoding, the layer type is ``all``. Raise `EncodingError` if
    a configuration cannot be read or has no encoding; see `encodings.read_config`.
    """
    files = [encodings.read_config(source, semantics, length, assume) for source in sources]
    layer_encodings = [file.require_encodings() for file in files]
    layers = [layer for file in files for layer in file.layers if layer != configs.NO_POSITIONS]
    if all(len(file) == 1 for file in layer_encodings):
        layers = ["all"]
        layer_encodings = [{"all": e} for file in layer_encodings for e in file.values()]
    return FilePair(
        semantics,
        [file.model_type for file in files],
        [file.assumed for file in files],
        [file.softmax_factor for file in files],
        {layer: _make_layer_pair(layer, *layer_encodings) for layer in layers},
    )


def _make_layer_pair(layer: str, *layer_encodings: Mapping[str, Encoding]) -> LayerPair:
    first_e, second_e = (file.get(layer, file.get("all")) for file in layer_encodings)
    if first_e is None or second_e is None:
        if first_e is second_e:
            return LayerPair(False, None, "neither file has an encoding for layers of this type")
        ordinal = "second" if first_e is None else "first"
        return LayerPair(True, None, f"only the {ordinal} file has layers of this type")
    try:
        comparison = compare(first_e, second_e)
    except EncodingError as error:
        return LayerPair(
            drop_unused_fields(first_e) != drop_unused_fields(second_e), None, error.problem
        )
    return LayerPair(not comparison.is_identity, comparison)


def make_pair_json(pair: FilePair) -> dict[str, Any]:
    """Return a comparison as a JSON object, in which `to_json_value` must still convert arrays."""
    return {
        "semantics": pair.semantics,
        "assumed": [assumed or None for assumed in pair.assumed_classes],
        **_read_attributes(pair, "differs", "softmax_factors"),
        "layers": {name: _make_layer_json(layer) for name, layer in pair.layers.items()},
    }


def _make_layer_json(pair: LayerPair) -> dict[str, Any]:
    comparison = pair.comparison
    if comparison is None:
        return {"differs": pair.differs, "lack": pair.problem}
    return {
        "differs": pair.differs,
        **_read_attributes(comparison, "pairs", "ratios", "differing", "first_pair"),
        "largest": _zip_names(("pair", "ratio"), comparison.largest),
        "first_beyond": _zip_names(("offset", "pair"), comparison.first_beyond(TOLERANCE)),
        **_read_attributes(comparison, "attention", "permutation"),
    }


_TOKEN_PATTERN = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*+")\s*(:?)|[{}]', re.DOTALL)
"""A pattern for a JSON string (and the colon that follows a field name) or a brace."""
_LINE_COLUMN_PATTERN = re.compile(r"\(line (\d+), column (\d+)")
_MESSAGE_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY_ESCAPES = {**_MESSAGE_ESCAPES, **str.maketrans({":": "%3A", ",": "%2C"})}


def sarif(files: Sequence[CheckedFile]) -> str:
    """Return a SARIF 2.1.0 log: the template `findings.sarif` with the results added."""
    log = json.loads(find_asset("findings.sarif").read_text(encoding="utf-8"))
    (run,) = log["runs"]
    run["tool"]["driver"]["version"] = __version__
    for path, line, column, level, kind, message in _results(files):
        place = {
            "artifactLocation": {"uri": quote(os.fsencode(path))},
            "region": {"startLine": line, "startColumn": column},
        }
        result = {"ruleId": kind, "level": level, "message": {"text": message}}
        run["results"].append(result | {"locations": [{"physicalLocation": place}] if path else []})
    return f"{json.dumps(log)}\n"


def github(files: Sequence[CheckedFile]) -> str:
    """Return GitHub workflow commands, one per finding, that annotate the files."""
    text = ""
    for path, line, column, level, kind, message in _results(files):
        place = f"line={line},col={column},"
        place = f"file={path.translate(_PROPERTY_ESCAPES)},{place}" if path else ""
        command = "notice" if level == NOTE else level
        text += f"::{command} {place}title={kind}::{message.translate(_MESSAGE_ESCAPES)}\n"
    return text


REPORTS = {"sarif": sarif, "github": github}


def _results(files: Sequence[CheckedFile]) -> Iterator[tuple[str, int, int, str, str, str]]:
    """Yield path (empty for standard input), line, column, level, kind and message of findings."""
    for file in files:
        text, path = file.data.decode("utf-8-sig"), file.name
        # `relpath` fails if the working folder was deleted, or is on another drive.
        with suppress(OSError, ValueError):
            path = os.path.relpath(path)
        path = "" if file.argument == "-" else path.replace(os.sep, "/")
        locate_field = partial(_locate_field, text, _find_field_offsets(text))
        if file.problem:
            match = _LINE_COLUMN_PATTERN.search(file.problem)
            place = (int(match[1]), int(match[2])) if match else locate_field(file.field)
            yield path, *place, ERROR, "unreadable", file.problem
        findings = (finding for check in file.checks for finding in check.findings)
        results = dict.fromkeys(replace(finding, layers=(), versions=()) for finding in findings)
        for finding in configs.sort_by_level(results):
            message = finding.line.removeprefix(f"{finding.level}: ")
            yield path, *locate_field(finding.field), finding.level, finding.kind, message


def _find_field_offsets(text: str) -> dict[str, int]:
    """Return the text offset of each field, by path; paths do not contain list indices."""
    offsets: dict[str, int] = {}
    path: list[str] = []
    for token_match in _TOKEN_PATTERN.finditer(text):
        if token_match[0] == "{":
            path.append("")
        elif token_match[0] == "}":
            path.pop()
        elif token_match[2]:
            path[-1] = json.loads(token_match[1])
            offsets[".".join(path)] = token_match.start()
    return offsets


def _locate_field(text: str, offsets: dict[str, int], field: str) -> tuple[int, int]:
    """Return the line and column of a field, or of its object if the field is missing."""
    while field and field not in offsets:
        field = field.rpartition(".")[0]
    offset = offsets.get(field, 0)
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
