"""Rules of the source that neither ruff nor import-linter checks."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.support.processes import run_program

PACKAGE = Path(__file__).parents[1] / "pe_explorer"
QT = {"PySide6", "shiboken6", "pyqtgraph"}
SETTINGS = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = {c["name"]: c for c in SETTINGS["tool"]["importlinter"]["contracts"]}


def core_rooms():
    layers = CONTRACTS["Imports go one way"]["layers"]
    below = layers[layers.index("model") + 1 :]
    return [name.strip() for layer in below for name in layer.split("|")]


def files_of(room):
    folder = PACKAGE / room
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [PACKAGE / f"{room}.py"]


CORE = [file for room in core_rooms() for file in files_of(room)]
ALL = sorted(PACKAGE.rglob("*.py"))
TESTS = PACKAGE.parent / "tests"
ALL_TESTS = sorted(TESTS.rglob("*.py"))
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def tree_of(file):
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def walked(tree):
    return list(ast.walk(tree))  # once: several rules ask for the nodes


def nodes_of(tree, kinds):
    return [node for node in walked(tree) if isinstance(node, kinds)]


def breaking(rule, files=ALL):
    found = {str(file.relative_to(PACKAGE.parent)): rule(file) for file in files}
    return {name: what for name, what in found.items() if what}


def test_the_contract_of_imports_is_about_the_same_core():
    contract = CONTRACTS["The core knows no Qt"]
    found = {name.removeprefix("pe_explorer.") for name in contract["source_modules"]}
    assert found == set(core_rooms())
    assert set(contract["forbidden_modules"]) == QT
    assert all(file.is_file() for file in CORE)
    assert len(CORE) > 80


def test_private_modules_are_imported_within_their_folder_only():
    """And those in the folder of one view by `pictures` only."""

    def elsewhere(file):
        own = ["pe_explorer", *file.relative_to(PACKAGE).parts[:-1]]
        modules = [name.split(".") for name in imported_modules(tree_of(file))]
        found = [parts for parts in modules if parts[:2] == ["pe_explorer", "pictures"] != own[:2]]
        found = [parts for parts in found if is_module(".".join(parts[:4])) and len(parts) > 3]
        for parts in modules:
            private = [n for n, part in enumerate(parts) if re.match("_(?!_)", part)]
            found += [parts for n in private if own[:n] != parts[:n] and parts[0] == own[0]]
        return found

    assert breaking(elsewhere) == {}


def imported_modules(tree):
    """Return the names of modules of the package that are imported, deferred imports, too."""
    for node in nodes_of(tree, ast.Import):
        yield from (alias.name for alias in node.names)
    for node in nodes_of(tree, ast.ImportFrom):
        assert node.level == 0
        yield node.module
        yield from filter(is_module, (f"{node.module}.{alias.name}" for alias in node.names))


@cache
def is_module(name):
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def test_core_and_command_line_work_without_qt_and_what_only_umap_needs(tmp_path):
    paths = [file.relative_to(PACKAGE.parent).with_suffix("") for file in CORE]
    modules = sorted(".".join(path.parts).removesuffix(".__init__") for path in paths)
    program = f"""
import importlib, sys
sys.modules.update(dict.fromkeys({sorted(QT | {"tqdm"})}))
for name in {["pe_explorer.commandline.main", *modules]}:
    importlib.import_module(name)
words = "export --encoding sinusoidal --dim 4 --positions 0:3 -o table.npy".split()
sys.exit(sys.modules["pe_explorer.commandline.main"].main(words))
"""
    run = run_program(tmp_path, program=("-c", program))
    assert (run.returncode, run.stderr) == (0, "")
    angles = np.arange(3)[:, None] * [1, 0.01]
    expected = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(3, 4)
    np.testing.assert_allclose(np.load(tmp_path / "table.npy"), expected, rtol=0, atol=1e-15)


def test_no_cache_counts_entries():
    """One entry may be a thousand times as large as another: `caching.cached` counts bytes.

    The numbers beside an axis of a figure are few, whatever the axis, and so are widths of texts,
    printed wavelengths and the parts of a style; a few reports, distances of neighbours and
    numbers of columns are at most some megabytes, and so are four tables.
    """
    found = breaking(lambda file: "lru_cache" in file.read_text(encoding="utf-8"))
    assert list(found) == [
        "pe_explorer/analysis/angles.py",
        "pe_explorer/analysis/context.py",
        "pe_explorer/analysis/distance.py",
        "pe_explorer/figures/_ticks.py",
        "pe_explorer/painting/page_painter.py",
        "pe_explorer/params/printed.py",
        "pe_explorer/tables/__init__.py",
        "pe_explorer/views/page_view.py",
    ]


def unbound_slots(tree):
    """Return the lines of `connect` calls with a lambda, a partial or a local function.

    They outlive their view.
    """
    local = set()
    for outer in nodes_of(tree, FUNCTIONS):
        local |= {inner.name for inner in nodes_of(outer, FUNCTIONS) if inner is not outer}
    for node in nodes_of(tree, ast.Assign):
        if _is_unbound(node.value, ()):
            local |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    calls = [call for call in nodes_of(tree, ast.Call) if isinstance(call.func, ast.Attribute)]
    connecting = [call for call in calls if call.func.attr == "connect"]
    return [call.lineno for call in connecting for slot in call.args if _is_unbound(slot, local)]


def _is_unbound(slot, names):
    if isinstance(slot, ast.Call):
        return "partial" in (getattr(slot.func, "id", ""), getattr(slot.func, "attr", ""))
    return isinstance(slot, ast.Lambda) or (isinstance(slot, ast.Name) and slot.id in names)


THREADS = {"Thread", "Timer", "start_new_thread", "ThreadPoolExecutor", "ProcessPoolExecutor"}
THREADS |= {"QThread", "QThreadPool", "QRunnable", "QtConcurrent", "moveToThread"}
WITH_THREADS = {PACKAGE / "model" / "worker.py", PACKAGE / "files" / "export.py"}
WITH_THREADS |= {PACKAGE / "analysis" / f"{name}.py" for name in ("umap_process", "_umap_child")}
"""Of a process beside the program, only waiting for the other side is done in a thread."""
LOOPS = {"processEvents", "QEventLoop", "exec", "exec_", "getOpenFileName", "getSaveFileName"}
LOOPS |= {"getExistingDirectory", "getText", "getItem"}


def names_in(tree):
    """Return every name that a piece of source mentions: of variables, attributes and imports."""
    found = {node.id for node in nodes_of(tree, ast.Name)}
    found |= {node.attr for node in nodes_of(tree, ast.Attribute)}
    imports = nodes_of(tree, ast.Import | ast.ImportFrom)
    return found | {alias.name for node in imports for alias in node.names}


def emitting_threads(tree):
    """Return the names of functions that emit signals and take the event that cancels a task."""
    signals = {"emit", "Signal", "SignalInstance", "QObject", "QCoreApplication", "QMetaObject"}
    tasks = [node for node in nodes_of(tree, FUNCTIONS) if "Event" in names_in(node.args)]
    return [node.name for node in tasks if names_in(node) & {*signals, "postEvent"}]


def test_only_the_worker_starts_threads():
    starting = {file for file in ALL if names_in(tree_of(file)) & THREADS}
    assert starting == WITH_THREADS


def test_what_runs_in_a_thread_of_the_worker_knows_nothing_of_qt():
    tree = tree_of(PACKAGE / "model" / "worker.py")
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    from_qt = [node for node in imports if node.module.startswith("PySide6")]
    qt = {alias.name for node in from_qt for alias in node.names}
    assert {"QObject", "QTimer", "Signal"} <= qt
    knowing = {
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef | FUNCTIONS) and names_in(node) & (qt | {"emit", "Worker"})
    }
    assert knowing == {"Worker"}


def test_events_are_processed_in_one_place():
    """A loop within a click lets everything happen to the objects that are in the middle of it."""
    loops = breaking(lambda file: names_in(tree_of(file)) & LOOPS)
    # That of `figures` is Python's own `exec`, which is no loop.
    allowed = ("pe_explorer/app/run.py", "pe_explorer/figures/script.py")
    assert loops == {name: {"exec"} for name in allowed}


def unended_painters(tree):
    """Return the lines of functions that make a painter and do not end it.

    A painter that waits for the garbage paints on after its event, where something else holds the
    frame of the function, such as an error's traceback; Qt crashes then.
    """
    found = []
    for function in nodes_of(tree, FUNCTIONS):
        calls = [node.func for node in nodes_of(function, ast.Call)]
        made = [call for call in calls if getattr(call, "id", "") == "QPainter"]
        ended = [call for call in calls if getattr(call, "attr", "") == "end"]
        if len(ended) < len(made):
            found.append(function.lineno)
    return found


@pytest.mark.parametrize("rule", [unbound_slots, emitting_threads, unended_painters])
def test_the_program_keeps_a_rule(rule):
    assert breaking(lambda file: rule(tree_of(file))) == {}


def test_garbage_is_collected_in_one_place():
    """Between events: in the middle of a click a collection may delete what the click is about."""

    def collects(file):
        return any(node.attr == "collect" for node in nodes_of(tree_of(file), ast.Attribute))

    assert list(filter(collects, ALL)) == [PACKAGE / "app" / "application.py"]


ORACLES = TESTS / "support" / "oracles.py"
"""What a test file says of its encoding, view or quantity is found by its name, here alone."""


def test_no_test_module_is_imported():
    """What two of them need is in a module beside them or in tests/support, or is a fixture."""

    def tests_in(file):
        names = [name for name in imported_modules(tree_of(file)) if name.startswith("tests.")]
        parts = {part for name in names for part in name.split(".")}
        return {part for part in parts if part.startswith("test_") or part == "conftest"}

    assert breaking(tests_in, ALL_TESTS) == {}
    by_name = re.compile(r"[\"'][\w.]*\{\w+\}\.test_|[\"']tests[\w.]*\.test_")
    assert [file for file in ALL_TESTS if by_name.search(file.read_text())] == [ORACLES]


PRIVATE_NAMES_IN_TESTS = {
    "a limit that is set low, so that a small example reaches it": """
        _BLOCK_BYTES _CHUNK_VALUES _LEAST_BLOCK_ROWS _LEFT_CHUNK_SIZE _MAX_INLINE_COST
        _MAX_COPIED_SIZE _MAX_FILES _MAX_HEADER_SIZE _MAX_YIELD_TIME _MIN_BLOCK_ROWS _PATIENCE""",
    "a registry or a list that gets entries of the test's own": """
        _load_schemes""",
    "a function that is made to fail, or whose calls are counted: that nothing is made twice": """
        _check_positions _drawing _fill_heads _find_waves _make_band _make_sine_mask _make_stamp""",
    "a thread that ends when the test says so, and what it is asked for": """
        _queue _newest_requests""",
    "a module with formulas or bytes that are tested by themselves": """
        _tables""",
    "of Python and its libraries, which have no public name for it": """
        _DummyThread _actions _current_frames _exit _open""",
}
"""The private names that tests reach for, by the reason."""
MOST_PRIVATE_NAMES = 43
"""How often they may do so, altogether: rather less than more."""


def private_names(tree):
    """Yield the private names of other objects and modules that a test mentions."""
    for node in walked(tree):
        names = []
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") not in ("self", "cls"):
            names = [node.attr]
        elif isinstance(node, ast.ImportFrom):
            names = [*node.module.split("."), *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "setattr":
            names = [getattr(argument, "value", "") for argument in node.args[1:2]]
        # `_replace` of named tuples is public
        yield from (name for name in names if re.match("_(?!_|replace$)", str(name)))


def test_private_names_are_few_and_have_a_reason():
    listed = {name for names in PRIVATE_NAMES_IN_TESTS.values() for name in names.split()}
    found = [name for file in ALL_TESTS for name in private_names(tree_of(file))]
    assert set(found) - listed == set()
    assert len(found) <= MOST_PRIVATE_NAMES


@pytest.mark.parametrize(
    ("rule", "text", "found"),
    [
        (unbound_slots, "signal.connect(lambda: 0)", [1]),
        (unbound_slots, "signal.connect(functools.partial(print))", [1]),
        (unbound_slots, "def f():\n    def local(): pass\n    signal.connect(local)", [3]),
        (unbound_slots, "named = partial(print, 1)\nsignal.connect(named)", [2]),
        (unbound_slots, "signal.connect(self.f)", []),
        (emitting_threads, "def task(a, cancelled: threading.Event): answered.emit(1)", ["task"]),
        (emitting_threads, "def slot(self): self.answered.emit(1)", []),
        (unended_painters, "def paint(self): painter = QPainter(self)", [1]),
        (
            private_names,
            "from a._b import _c\nself._x\na._d\nmonkeypatch.setattr(a, '_e', 1)\na.__f__",
            ["_b", "_c", "_d", "_e"],
        ),
    ],
)
def test_what_breaks_a_rule_is_found(rule, text, found):
    assert sorted(rule(ast.parse(text))) == found
