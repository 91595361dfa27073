"""Sample values of all encodings, for tests of every scheme.

The functions read the declarations of a scheme and name no scheme, so that a new scheme is tested
as soon as its file exists.
"""

import atexit
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

from pe_explorer import encodings
from pe_explorer.params import (
    Choice,
    FileName,
    Flag,
    ParameterError,
    declared,
    find_used_parameters,
)
from tests.support.oracles import of_scheme

ROWS, COLUMNS = 3000, 12


@cache
def stored_table():
    """Return the name of a file with a table of `ROWS` x `COLUMNS` numbers, written once."""
    folder = tempfile.mkdtemp(prefix="pe-tables-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder, "rows.npy")
    np.save(path, np.random.default_rng(11).normal(size=(ROWS, COLUMNS)).astype(np.float32))
    return str(path)


def sample(name, **parameters):
    """Return an encoding that has rows, with those of the parameters that the scheme declares."""
    known = declared(encodings.find(name))
    files = {key: stored_table() for key, kind in known.items() if isinstance(kind, FileName)}
    given = {key: value for key, value in parameters.items() if key in known}
    return encodings.create(name, **{**files, **given})


def counting(name, parameter):
    """Return an encoding in which a parameter with its default is used and has an effect."""
    kind = declared(encodings.find(name))[parameter]
    chosen = [{kind.when[0]: word} for word in kind.when[1:]]
    for parameters in ({}, *chosen, *of_scheme(name).sets):
        with suppress(ParameterError):
            e = sample(name, **{**parameters, parameter: kind.default})
            if parameter in find_used_parameters(e) and parameter not in e.ineffective_parameters:
                return e
    return sample(name, **{parameter: kind.default})


def samples(**parameters):
    return [sample(name, **parameters) for name in encodings.names()]


def variations(name):
    """Return variations of an encoding.

    These have the defaults, each parameter at an end of its slider or with one of its choices, and
    the parameters that the definition asks for.
    """
    found, given = [sample(name)], []
    for key, kind in declared(encodings.find(name)).items():
        values = (
            (False, True) if isinstance(kind, Flag) else getattr(kind, "slider_range", None) or ()
        )
        given += [{key: each} for each in (kind.choices if isinstance(kind, Choice) else values)]
    for parameters in (*given, *of_scheme(name).sets):
        with suppress(ParameterError):  # does not fit the defaults of other parameters
            found.append(sample(name, **parameters))
    return found
