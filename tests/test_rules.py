"""Rules that the core keeps: it knows no Qt, and all that is public explains itself."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

PACKAGE = Path(__file__).parents[1] / "pe_explorer"
QT = {"PySide6", "shiboken6", "pyqtgraph"}
CORE_FILES = ("assets.py", "caching.py", "progress.py", "registry.py")
CORE_FOLDERS = (
    "colours",
    "params",
    "numeric",
    "tables",
    "encodings",
    "analysis",
    "exploration",
    "quantities",
    "flags",
    "files",
)
CORE = [
    *(PACKAGE / name for name in CORE_FILES),
    *(file for layer in CORE_FOLDERS for file in sorted((PACKAGE / layer).rglob("*.py"))),
]

ALL = sorted(PACKAGE.rglob("*.py"))
MOST_LINES, MOST_OF_A_FUNCTION = 435, 60
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef

every_file = pytest.mark.parametrize("file", ALL, ids=lambda file: str(file.relative_to(PACKAGE)))
every_core_file = pytest.mark.parametrize(
    "file", CORE, ids=lambda file: str(file.relative_to(PACKAGE))
)


def test_the_contract_of_imports_is_about_the_same_core():
    settings = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {each["name"]: each for each in settings["tool"]["importlinter"]["contracts"]}
    contract = contracts["The core knows no Qt"]
    core = {*CORE_FOLDERS, *(name.removesuffix(".py") for name in CORE_FILES)}
    found = {name.removeprefix("pe_explorer.") for name in contract["source_modules"]}
    assert found == core
    assert set(contract["forbidden_modules"]) == QT


@every_core_file
def test_core_imports_no_qt(file):
    imported = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    assert {name.partition(".")[0] for name in imported} & QT == set()


PRIVATE_ELSEWHERE = {
    "app/output/picture.py": {"pe_explorer.views._cost", "pe_explorer.views._wanted"},
}
"""Private modules that a file of another folder imports, still."""


@every_file
def test_private_modules_are_imported_within_their_folder_only(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    folder = ".".join(("pe_explorer", *file.relative_to(PACKAGE).parts[:-1]))
    found = {name for name in imported_modules(tree) if not folder_may_import(folder, name)}
    assert found == PRIVATE_ELSEWHERE.get(str(file.relative_to(PACKAGE).as_posix()), set())


def imported_modules(tree):
    """Return the names of modules of the package that are imported, deferred imports, too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield node.module
            yield from (
                name for alias in node.names if is_module(name := f"{node.module}.{alias.name}")
            )


def is_module(name):
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def folder_may_import(folder, name):
    """Return whether a folder may import a module: what begins with _ belongs to its folder."""
    parts = name.split(".")
    if parts[0] != "pe_explorer":
        return True
    private = (i for i, part in enumerate(parts) if part.startswith("_") and part != "__version__")
    return all(folder.split(".")[:i] == parts[:i] for i in private)


def test_what_is_private_is_found():
    text = "from pe_explorer.views import _cost, base\nimport pe_explorer.views._levels.more\n"
    modules = set(imported_modules(ast.parse(text)))
    assert {"pe_explorer.views._cost", "pe_explorer.views._levels.more"} <= modules
    refused = {name for name in modules if not folder_may_import("pe_explorer.app", name)}
    assert refused == {"pe_explorer.views._cost", "pe_explorer.views._levels.more"}
    assert all(folder_may_import("pe_explorer.views", name) for name in modules)


@every_core_file
def test_public_core_has_docstrings(file):
    module = ast.parse(file.read_text(encoding="utf-8"))
    scopes = [
        module,
        *(
            node
            for node in module.body
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        ),
    ]
    definitions = (
        node
        for scope in scopes
        for node in scope.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    )
    silent = [
        node.name
        for node in definitions
        if not node.name.startswith("_") and not ast.get_docstring(node)
    ]
    assert ast.get_docstring(module)
    assert silent == []


def test_core_and_command_line_work_without_qt(tmp_path):
    modules = sorted(
        ".".join(("pe_explorer", *file.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
            ".__init__"
        )
        for file in CORE
    )
    program = f"""
import importlib, sys
sys.modules.update(dict.fromkeys({sorted(QT)}))
for name in {["pe_explorer.commandline.main", *modules]}:
    importlib.import_module(name)
words = "export --encoding sinusoidal --dim 4 --positions 0:3 -o table.npy".split()
sys.exit(sys.modules["pe_explorer.commandline.main"].main(words))
"""
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    angles = np.arange(3)[:, None] * [1, 0.01]
    expected = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(3, 4)
    np.testing.assert_allclose(np.load(tmp_path / "table.npy"), expected, rtol=0, atol=1e-15)


@every_file
def test_files_and_functions_are_short(file):
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, FUNCTIONS)]
    assert [
        node.name for node in functions if node.end_lineno - node.lineno + 1 > MOST_OF_A_FUNCTION
    ] == []


@every_file
def test_no_cache_counts_entries(file):
    """One entry may be a thousand times as large as another: `caching.cached` counts bytes."""
    assert "lru_cache" not in file.read_text(encoding="utf-8")


def unbound_slots(text):
    """Return the lines of `connect` calls that are given a lambda, a partial or a local function:
    they outlive their view.
    """
    tree = ast.parse(text)
    inner = {
        inner.name
        for outer in ast.walk(tree)
        if isinstance(outer, FUNCTIONS)
        for inner in ast.walk(outer)
        if isinstance(inner, FUNCTIONS) and inner is not outer
    }
    named = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and (isinstance(node.value, ast.Lambda) or _is_partial(node.value))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    calls = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "connect"
    )
    return [call.lineno for call in calls for slot in call.args if _is_unbound(slot, inner | named)]


def _is_partial(node):
    return isinstance(node, ast.Call) and "partial" in (
        getattr(node.func, "id", ""),
        getattr(node.func, "attr", ""),
    )


def _is_unbound(slot, names):
    return (
        isinstance(slot, ast.Lambda)
        or _is_partial(slot)
        or (isinstance(slot, ast.Name) and slot.id in names)
    )


@every_file
def test_slots_are_bound_methods(file):
    assert unbound_slots(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "slot", ["lambda: 0", "partial(print, 1)", "functools.partial(print)", "local", "named"]
)
def test_unbound_slots_are_found(slot):
    assert unbound_slots(
        f"def f():\n    def local(): pass\n    named = lambda: 0\n    signal.connect({slot})"
    ) == [4]
    assert unbound_slots("class A:\n    def f(self):\n        self.signal.connect(self.f)") == []


THREADS = {"Thread", "Timer", "start_new_thread", "ThreadPoolExecutor", "ProcessPoolExecutor"}
THREADS |= {"QThread", "QThreadPool", "QRunnable", "QtConcurrent", "moveToThread"}
WITH_THREADS = {PACKAGE / "model" / "worker.py", PACKAGE / "files" / "export.py"}
LOOPS = {
    "processEvents",
    "QEventLoop",
    "exec",
    "exec_",
    "getOpenFileName",
    "getSaveFileName",
    "getExistingDirectory",
    "getText",
    "getItem",
}
THE_LOOP = PACKAGE / "app" / "run.py"


def names_in(tree):
    """Return every name that a piece of source mentions: of variables, attributes and imports."""
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return found | {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def takes_request(node):
    """Tell whether a function is a task, or a part of one: it takes the event that cancels it."""
    if not isinstance(node, FUNCTIONS):
        return False
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return any(
        argument.annotation and "Event" in names_in(argument.annotation) for argument in arguments
    )


def emitting_threads(text):
    """Return the names of what runs in a thread, by the looks of it, and emits signals or knows of
    any.
    """
    tree = ast.parse(text)
    signals = {
        "emit",
        "Signal",
        "SignalInstance",
        "QObject",
        "QCoreApplication",
        "QMetaObject",
        "postEvent",
    }
    return [
        node.name for node in ast.walk(tree) if takes_request(node) and names_in(node) & signals
    ]


@every_file
def test_only_the_worker_starts_threads(file):
    started = names_in(ast.parse(file.read_text(encoding="utf-8"))) & THREADS
    assert bool(started) == (file in WITH_THREADS)


@every_file
def test_no_task_knows_a_signal(file):
    assert emitting_threads(file.read_text(encoding="utf-8")) == []


def test_an_emitting_task_is_found():
    head = "def task(a, cancelled: threading.Event):\n"
    assert emitting_threads(
        f"{head}    def progress():\n        told.emit(1)\n    write(progress)"
    ) == ["task"]
    assert emitting_threads(f"{head}    return a") == []
    assert emitting_threads("def slot(self):\n    self.told.emit(1)") == []


def test_what_runs_in_a_thread_of_the_worker_knows_nothing_of_qt():
    tree = ast.parse((PACKAGE / "model" / "worker.py").read_text(encoding="utf-8"))
    qt = {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module.startswith("PySide6")
        for alias in node.names
    }
    assert {"QObject", "QTimer", "Signal"} <= qt
    knowing = {
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef | FUNCTIONS) and names_in(node) & (qt | {"emit", "Worker"})
    }
    assert knowing == {"Worker"}


WIDE = {
    "BaseException",
    "Exception",
    "ImportError",
    "OSError",
    "OverflowError",
    "RuntimeError",
    "TypeError",
    "ValueError",
}


def bare_errors(text):
    """Return the lines where an error that may have no text of its own gets into a sentence by
    itself, not by `reason`.
    """
    found = []
    for handler in ast.walk(ast.parse(text)):
        if (
            isinstance(handler, ast.ExceptHandler)
            and handler.name
            and {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)} & WIDE
        ):
            found += [node.lineno for node in ast.walk(handler) if _is_bare(node, handler.name)]
    return found


def _is_bare(node, error):
    """Whether a caught error is turned into text, or its place in a sentence is filled with it."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "str":
        values = node.args
    elif isinstance(node, ast.FormattedValue):
        values = node.value.values if isinstance(node.value, ast.BoolOp) else [node.value]
    else:
        return False
    return any(isinstance(value, ast.Name) and value.id == error for value in values)


@every_file
def test_errors_in_sentences_say_something(file):
    assert bare_errors(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        'f"no: {error}"',
        'f"{error or type(error).__name__}"',
        "str(error)",
        'f"{error.strerror or error}"',
    ],
)
def test_bare_errors_are_found(text):
    assert bare_errors(
        f"try:\n    f()\nexcept (KeyError, OSError) as error:\n    told = {text}"
    ) == [4]
    assert (
        bare_errors('try:\n    f()\nexcept OSError as error:\n    told = f"no: {reason(error)}"')
        == []
    )


@every_file
def test_events_are_processed_in_one_place(file):
    """A loop within a click lets everything happen to the objects that are in the middle of it."""
    assert names_in(ast.parse(file.read_text(encoding="utf-8"))) & LOOPS == (
        {"exec"} if file == THE_LOOP else set()
    )


@every_file
def test_garbage_is_collected_in_one_place(file):
    """Between events: in the middle of a click a collection may delete what the click is about."""
    calls = [
        node
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "collect"
    ]
    assert bool(calls) == (file == PACKAGE / "app" / "application.py")


TESTS = PACKAGE.parent / "tests"


@pytest.mark.parametrize(
    "file", sorted(TESTS.rglob("*.py")), ids=lambda file: str(file.relative_to(TESTS))
)
def test_no_test_module_is_imported(file):
    """What two test modules need is in tests/support, or a fixture in a conftest.py."""
    imported = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported |= {f"{node.module}.{alias.name}" for alias in node.names}
    parts = {part for name in imported if name.startswith("tests") for part in name.split(".")}
    assert {part for part in parts if part.startswith("test_") or part == "conftest"} == set()
