"""`python -m tests.mutation`: change the program a little, again and again, and see what tests say.

A mutant is one small change: `<` for `<=`, a condition negated, a statement left out. It is killed
if a test fails. What survives shows what no test asserts. Each command runs in the sandbox and
writes its result to stdout:

    python -m tests.sandbox .venv/bin/python -m tests.mutation map > map.json
    python -m tests.sandbox .venv/bin/python -m tests.mutation survey map.json --seed 1
    python -m tests.sandbox .venv/bin/python -m tests.mutation sample

`map` notes which lines each test reaches; it needs `pytest-cov`. `survey` makes mutants in every
room and runs the tests that reach them. `sample` tries mutants of `tests/mutants.json`, each with
the one test that killed it, for 90 seconds; the hash of the program chooses which.
"""

import argparse
import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from random import Random
from types import SimpleNamespace

from tests import sandbox

ROOT = Path(__file__).resolve().parents[1]
LISTED = ROOT / "tests/mutants.json"
MOST_TESTS = 60  # of a mutant: those of its own room first, then those that reach the fewest lines
PATIENCE = 60.0  # seconds for the tests of a mutant; a loop without end counts as killed
SAMPLED = 90.0  # seconds
OPPOSITES = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip


def room_of(file):
    """Return the folder of the program that a file is in; types of RoPE are a room of their own."""
    parts = Path(file).parts[1:]
    return "rope_types" if "rope_types" in parts else parts[0] if len(parts) > 1 else "others"


def mutants_of(file):
    """Yield all mutants of a file: in which function, at which line, and its lines old and new."""
    source = (ROOT / file).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for name, function in functions(ast.parse(source)):
        for child in ast.walk(function):
            vars(child)["span"] = hasattr(child, "lineno") and (
                starts[child.lineno - 1] + child.col_offset,
                starts[child.end_lineno - 1] + child.end_col_offset,
            )
        for node, (start, end), new in changes(function.body, source):
            before, after = starts[node.lineno - 1], starts[node.end_lineno]
            old = source[before:after].decode()
            changed = source[before:start].decode() + new + source[end:after].decode()
            yield {"file": str(file), "function": name, "old": old, "new": changed}, node.lineno


def functions(tree, above=""):
    """Yield the functions of a tree with qualified names; inner ones belong to the outer."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield above + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{above}{node.name}.")


def changes(node, source):  # noqa: C901 - one case for each kind of change
    """Yield (node, (start, end), new) of small changes; words of messages are left alone."""

    def text(it):
        return source[slice(*it.span)].decode()

    match node:
        case list():
            for each in node:
                yield from changes(each, source)
            return
        case ast.JoinedStr() | ast.arguments():
            return
        case (
            ast.Compare(left=left, ops=[operator], comparators=[right])
            | ast.BoolOp(values=[left, right], op=operator)
            | ast.BinOp(left=left, right=right, op=operator)
        ):
            place = left.span[1], right.span[0]
            old, new = OPPOSITES.get(type(operator), ("", ""))
            written = source[slice(*place)].decode()
            if old and written.count(old) == 1 and "#" not in written:
                yield node, place, written.replace(old, new)
        case (
            ast.If(test=test)
            | ast.While(test=test)
            | ast.IfExp(test=test)
            | ast.comprehension(ifs=[test, *_])
        ):
            yield test, test.span, f"(not ({text(test)}))"
        case ast.Constant(value=bool() as value):
            yield node, node.span, str(not value)
        case ast.Constant(value=int() | float() as value):
            yield node, node.span, repr(value + 1)
        case ast.Return(value=ast.expr()) if text(node) != "return None":
            yield node, node.span, "return None"
        case (
            ast.Raise()
            | ast.AugAssign()
            | ast.Expr(value=ast.Call())
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
        ):
            yield node, node.span, "pass"
        case ast.Call(func=ast.Name(id="min" | "max" as name) as called):
            yield called, called.span, {"min": "max", "max": "min"}[name]
        case ast.Call(func=called, args=[ast.expr() as first, ast.expr() as second, *_]):
            unordered = text(called) in ("isinstance", "zip", "getattr", "cast")
            if not unordered and not isinstance(first, ast.Starred | ast.GeneratorExp):
                joint = source[first.span[1] : second.span[0]].decode()
                yield node, (first.span[0], second.span[1]), text(second) + joint + text(first)
    yield from changes(list(ast.iter_child_nodes(node)), source)


def applied(mutant):
    """Return the source of the file with the change, or None where its code has gone."""
    source = (ROOT / mutant["file"]).read_text(encoding="utf-8")
    for name, function in functions(ast.parse(source)):
        if name == mutant["function"]:
            before = "".join(source.splitlines(keepends=True)[: function.lineno - 1])
            after = source[len(before) :]
            if mutant["old"] in ast.get_source_segment(source, function) + "\n":
                return before + after.replace(mutant["old"], mutant["new"], 1)
    return None


class Copies(ThreadPoolExecutor):
    """Threads that try mutants, one for each core, each in its own copy of the checkout."""

    def __enter__(self):
        self._folder, self._free, self._time = Path(tempfile.mkdtemp()), SimpleQueue(), count(1)
        for number in range(self._max_workers):
            copy = self._folder / str(number)
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "map.json"))
            self._free.put(copy)
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        shutil.rmtree(self._folder)

    def killer(self, mutant, tests):
        """Return the first of the tests that fails with a mutant, or None."""
        copy = self._free.get()
        file = copy / mutant["file"]
        original, written = file.read_bytes(), file.stat().st_mtime
        file.write_text(applied(mutant), encoding="utf-8")
        os.utime(file, (next(self._time),) * 2)  # Python compares times of files by the second
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.mutation", "run", *tests],
            cwd=copy, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # and what a test started
        told, _ = process.communicate()
        file.write_bytes(original)
        os.utime(file, (written, written))
        self._free.put(copy)
        begun = [line for line in told.splitlines() if line.startswith(("passed", "tests/"))]
        last = begun[-1] if begun else tests[0]  # it could not even be imported
        return None if last == "passed" else last


def run(tests):
    """Run tests until one fails, print the name of each as it begins, and `passed` at the end."""
    import pytest

    out = os.dup(1)
    names = SimpleNamespace(
        pytest_runtest_logstart=lambda nodeid: os.write(out, f"\n{nodeid}\n".encode())
    )
    options = "-x -p no:cacheprovider -p no:xdist --hypothesis-seed=0 -o addopts= "
    options += "-o faulthandler_timeout=0"
    if pytest.main([*options.split(), *tests], plugins=[names]) == pytest.ExitCode.OK:
        os.write(out, b"\npassed\n")


def survey(covered, seed, per_room, rooms):
    """Print mutants of each room as JSON, with the test that killed each; count the killed ones."""
    by_room = defaultdict(list)
    for file in sorted((ROOT / "pe_explorer").rglob("*.py")):
        by_room[room_of(file.relative_to(ROOT))] += mutants_of(file.relative_to(ROOT))
    chosen, pick = [], Random(seed)
    for room in sorted(rooms or by_room):
        pick.shuffle(by_room[room])
        of_lines = {(mutant["file"], line): mutant for mutant, line in by_room[room]}
        chosen += [(*place, mutant) for place, mutant in of_lines.items()][:per_room]

    def tried(place):
        file, line, mutant = place
        tests = covered.get(f"{file}:{line}")
        test = copies.killer(mutant, tests) if tests else None
        alone = test and copies.killer(mutant, [test])
        print("k" if alone else "a" if test else "S", end="", file=sys.stderr, flush=True)
        return {**mutant, "test": test, "alone": alone is not None}

    with Copies(len(os.sched_getaffinity(0))) as copies:
        results = list(copies.map(tried, chosen))
    json.dump(results, sys.stdout, indent=1, ensure_ascii=False)
    total = Counter(room_of(it["file"]) for it in results)
    killed = Counter(room_of(it["file"]) for it in results if it["test"])
    print("", *(f"{it}: {killed[it]} of {total[it]}" for it in total), sep="\n", file=sys.stderr)


def sample():
    """Try mutants of the list for some time; return 1 if one survives or its code has gone."""
    listed = json.loads(LISTED.read_text(encoding="utf-8"))["killed"]
    files = (file.read_bytes() for file in sorted((ROOT / "pe_explorer").rglob("*.py")))
    seed = sha256(b"".join(files)).hexdigest()
    listed.sort(key=lambda mutant: sha256(f"{seed}{mutant}".encode()).digest())
    gone = [mutant for mutant in listed if applied(mutant) is None]
    tried, survived, deadline = [], [], time.monotonic() + SAMPLED

    def attempt(mutant):
        if time.monotonic() < deadline and mutant not in gone:
            tried.append(mutant)
            if copies.killer(mutant, [mutant["test"]]) is None:
                survived.append(mutant)

    with Copies(len(os.sched_getaffinity(0))) as copies:
        list(copies.map(attempt, listed))
    for it in gone + survived:
        fault = "its code has gone, list another" if it in gone else "survived"
        print(f"{it['file']}, {it['function']}: {fault}: {it['test']}\n-{it['old']}+{it['new']}")
    print(f"{len(tried)} of {len(listed)} mutants tried, {len(survived)} survived")
    return 1 if gone or survived else 0


def reached(tests):
    """Run the tests, and print {file:line: tests} as JSON."""
    from coverage import CoverageData

    with tempfile.TemporaryDirectory() as folder:
        data = CoverageData(f"{folder}/coverage")
        command = [sys.executable, "-m", "pytest", "-q", "--cov=pe_explorer", "--cov-report="]
        environment = {**os.environ, "COVERAGE_FILE": data.data_filename()}
        subprocess.run([*command, "--cov-context=test", *tests], env=environment, stdout=sys.stderr)
        data.read()
        result, reach = {}, Counter()
        for file in data.measured_files():
            for line, phases in data.contexts_by_lineno(file).items():
                names = {sys.intern(phase.rpartition("|")[0]) for phase in phases if phase}
                result[f"{Path(file).relative_to(ROOT)}:{line}"] = names
                reach.update(names)
    for place, names in result.items():
        own = f"tests/{room_of(place)}/"
        ranked = sorted(names, key=lambda name: (not name.startswith(own), reach[name], name))
        result[place] = ranked[:MOST_TESTS]
    json.dump(result, sys.stdout)


def main(arguments):
    """Do what a command says; return the exit code."""
    if arguments[:1] == ["run"]:
        return run(arguments[1:])
    sandbox.require()
    parser = argparse.ArgumentParser("python -m tests.mutation")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("map").add_argument("tests", nargs="*")
    commands.add_parser("sample")
    options = commands.add_parser("survey")
    options.add_argument("map", type=Path)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--per-room", type=int, default=50)
    options.add_argument("--room", action="append", dest="rooms")
    given = parser.parse_args(arguments)
    if given.command == "survey":
        covered = json.loads(given.map.read_text())
        return survey(covered, given.seed, given.per_room, given.rooms)
    return sample() if given.command == "sample" else reached(given.tests)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
