"""Declarations of parameters, from which forms, flags and documentation are derived.

A parameter is a field of a frozen dataclass. Its declaration contains the kind, limits,
default, symbol, unit and help::

    @dataclass(frozen=True)
    class Sinusoidal(Declared):
        dim: int = declare(Whole(128, 1, 65_536, label="Width", symbol="d", ...))

This declaration is used for validation (`Declared`), text parsing (`Parameter.parse`), forms,
command-line flags, files and documentation (`declared`). For every kind of parameter, `check`
restores every legal value, even if JSON turned a tuple into a list, and `parse` reverses `format`.
"""

from pe_explorer.params.errors import (
    ParameterError,
    capitalise,
    describe_bad_choice,
    format_fault,
    join_words,
    quote_value,
    reason,
    suggest_choice,
    to_one_line,
    with_full_stop,
    with_remedy,
)
from pe_explorer.params.number_text import NUMBERS_HELP, parse_whole_number
from pe_explorer.params.numeric import Numbers, Real, Span, Whole, format_real
from pe_explorer.params.parameter import (
    Declared,
    Optional,
    Parameter,
    declare,
    declared,
    drop_unused_fields,
    find_inner_kind,
    find_used_parameters,
    is_used,
    read_words,
    require_used_fields,
    sections,
)
from pe_explorer.params.words import (
    FILE_NAME_FAULT,
    Choice,
    FileName,
    Flag,
    LabelledNumbers,
    MultiChoice,
    Text,
    TextPairs,
    Texts,
    is_valid_path,
)
