"""Rules that the core keeps: it knows no Qt, and all that is public explains itself."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PACKAGE = Path(__file__).parents[1] / "pe_explorer"
QT = {"PySide6", "shiboken6", "pyqtgraph"}
CORE = [PACKAGE / "params.py", *(file for layer in ("encodings", "analysis", "files") for file in sorted((PACKAGE / layer).rglob("*.py")))]

ALL = sorted(PACKAGE.rglob("*.py"))
MOST_LINES, MOST_OF_A_FUNCTION = 400, 60
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef

every_file = pytest.mark.parametrize("file", ALL, ids=lambda file: str(file.relative_to(PACKAGE)))
every_core_file = pytest.mark.parametrize("file", CORE, ids=lambda file: str(file.relative_to(PACKAGE)))


@every_core_file
def test_core_imports_no_qt(file):
    imported = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    assert {name.partition(".")[0] for name in imported} & QT == set()


@every_core_file
def test_public_core_has_docstrings(file):
    module = ast.parse(file.read_text(encoding="utf-8"))
    scopes = [module, *(node for node in module.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_"))]
    definitions = (node for scope in scopes for node in scope.body if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef))
    silent = [node.name for node in definitions if not node.name.startswith("_") and not ast.get_docstring(node)]
    assert ast.get_docstring(module)
    assert silent == []


def test_core_and_command_line_work_without_qt(tmp_path):
    modules = sorted(".".join(("pe_explorer", *file.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__") for file in CORE)
    program = f"""
import importlib, sys
sys.modules.update(dict.fromkeys({sorted(QT)}))
for name in {["pe_explorer.cli", *modules]}:
    importlib.import_module(name)
sys.exit(sys.modules["pe_explorer.cli"].main(["export", "--encoding", "sinusoidal", "--dim", "4", "--positions", "0:3", "-o", "table.npy"]))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env={"PYTHONPATH": str(PACKAGE.parent)}, capture_output=True, text=True, check=False
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
    assert [node.name for node in functions if node.end_lineno - node.lineno + 1 > MOST_OF_A_FUNCTION] == []


def unbound_slots(text):
    """Return the lines of `connect` calls that are given a lambda, a partial or a local function: they outlive their view."""
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
        if isinstance(node, ast.Assign) and (isinstance(node.value, ast.Lambda) or _is_partial(node.value))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "connect")
    return [call.lineno for call in calls for slot in call.args if _is_unbound(slot, inner | named)]


def _is_partial(node):
    return isinstance(node, ast.Call) and "partial" in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))


def _is_unbound(slot, names):
    return isinstance(slot, ast.Lambda) or _is_partial(slot) or (isinstance(slot, ast.Name) and slot.id in names)


@every_file
def test_slots_are_bound_methods(file):
    assert unbound_slots(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("slot", ["lambda: 0", "partial(print, 1)", "functools.partial(print)", "local", "named"])
def test_unbound_slots_are_found(slot):
    assert unbound_slots(f"def f():\n    def local(): pass\n    named = lambda: 0\n    signal.connect({slot})") == [4]
    assert unbound_slots("class A:\n    def f(self):\n        self.signal.connect(self.f)") == []
