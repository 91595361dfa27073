"""`python -m tests.mutation`: change the program a little, again and again, and see what tests say.

A mutant is one small change, say `<` for `<=`, and is killed if a test fails. What survives shows
what no test asserts. Each command runs in the sandbox and writes its result to stdout:

    python -m tests.sandbox .venv/bin/python -m tests.mutation map > map.json
    python -m tests.sandbox .venv/bin/python -m tests.mutation survey map.json > mutants.json
    python -m tests.sandbox .venv/bin/python -m tests.mutation sample

`map` notes which lines the tests reach, all or those in PATHS; it needs `pytest-cov`.
`survey` makes mutants in every room and runs the tests that reach them. `sample` tries mutants of
`tests/mutants.json`, chosen by the hash of the program, each with its test, for 90 seconds.
"""

import argparse
import ast
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from compileall import compile_dir
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from itertools import accumulate, chain, count, groupby
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import SimpleQueue
from random import Random

from tests import sandbox

ROOT = Path(__file__).resolve().parents[1]
PROGRAM, MUTANTS_FILE = ROOT / "pe_explorer", ROOT / "tests/mutants.json"
MAX_TESTS = 60  # maximum number of tests for a mutant
PATIENCE = 60  # seconds of CPU time for the tests of a mutant; an endless loop counts as killed
SAMPLE_SECONDS = 90  # duration of a sample in seconds
NAMES_PIPE = 9  # descriptor of the pipe for the names of tests that begin
UNORDERED = ("isinstance", "zip", "getattr", "cast", "suppress", "np.maximum", "np.minimum")
UNORDERED += ("math.gcd", "math.isclose", "changes", "have_different_rows", "_differ")
OPPOSITES = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is": "is not",
    "is not": "is", "in": "not in", "not in": "in", "and": "or", "or": "and",
    "+": "-", "-": "+", "*": "/", "/": "*", "//": "*",
}  # fmt: skip


def room_of(file):
    """Return the folder of a file in the program; the types of RoPE are a separate room."""
    parts = Path(file).parts[1:]
    return "rope_types" if "rope_types" in parts else parts[0] if len(parts) > 1 else "others"


def mutants_of(file):
    """Yield all mutants of a file: the function, the line number, and the old and new lines."""
    source = (ROOT / file).read_bytes()
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    for name, function in functions(ast.parse(source)):
        for it in filter(lambda it: hasattr(it, "lineno"), ast.walk(function)):
            start = starts[it.lineno - 1] + it.col_offset
            end = starts[it.end_lineno - 1] + it.end_col_offset
            vars(it).update(span=(start, end), text=source[start:end].decode("utf-8", "replace"))
        for node, (start, end), new in changes(ast.Module(function.body), source):
            before, after = starts[node.lineno - 1], starts[node.end_lineno]
            changed = source[before:start] + new.encode() + source[end:after]
            lines = {"old": source[before:after].decode(), "new": changed.decode()}
            yield {"file": str(file), "function": name, **lines}, node.lineno


def functions(tree, above=""):
    """Yield the functions of a tree with qualified names; inner functions are part of the outer."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield above + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{above}{node.name}.")


def changes(node, source):
    """Yield small changes as (node, (start, end), new), except in words of messages."""
    match node:
        case ast.JoinedStr() | ast.arguments() | ast.keyword(arg="strict"):
            return
        case ast.Compare(a, [_], [b]) | ast.BoolOp(_, [a, b]) | ast.BinOp(a, _, b):
            place = a.span[1], b.span[0]
            written = source[slice(*place)].decode()
            operator = written.strip(" \n()")
            if new := OPPOSITES.get(operator):
                yield node, place, written.replace(operator, new)
        case ast.If() | ast.While() | ast.IfExp() | ast.comprehension(ifs=[_, *_]):
            test = node.ifs[0] if isinstance(node, ast.comprehension) else node.test
            yield test, test.span, f"(not ({test.text}))"
        case ast.Constant(value=int() | float() as value):
            yield node, node.span, repr(not value if isinstance(value, bool) else value + 1)
        case ast.Return(value=ast.expr()) if node.text != "return None":
            yield node, node.span, "return None"
        case ast.Raise() | ast.AugAssign() | ast.Expr(value=ast.Call()):
            yield node, node.span, "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield node, node.span, "pass"
        case ast.Call(func=ast.Name(id="min" | "max" as name) as called):
            yield called, called.span, {"min": "max", "max": "min"}[name]
        case ast.Call(func=called, args=[ast.expr() as first, ast.expr() as second, *_]):
            unordered = called.text in UNORDERED or first.text == second.text
            if not unordered and not isinstance(first, ast.Starred | ast.GeneratorExp):
                joint = source[first.span[1] : second.span[0]].decode()
                yield node, (first.span[0], second.span[1]), second.text + joint + first.text
    yield from chain(*(changes(child, source) for child in ast.iter_child_nodes(node)))


def applied(mutant):
    """Return the source of the file with the change, or None if the code no longer exists."""
    file = ROOT / mutant["file"]
    source = file.read_text(encoding="utf-8") if file.exists() else ""
    for name, function in functions(ast.parse(source)):
        old = "".join(source.splitlines(True)[function.lineno - 1 : function.end_lineno])
        if name == mutant["function"] and mutant["old"] in old:
            return source.replace(old, old.replace(mutant["old"], mutant["new"], 1), 1)
    return None


class Copies(ThreadPoolExecutor):
    """Threads that try mutants, one for each core, each in a separate copy of the checkout."""

    def __enter__(self):
        self._folder, self._free = Path(tempfile.mkdtemp()), SimpleQueue()
        by_content = PycInvalidationMode.CHECKED_HASH  # because time stamps are too coarse
        compile_dir(PROGRAM, quiet=1, force=True, invalidation_mode=by_content)
        for number in range(self._max_workers):
            copy = self._folder / str(number)
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "map.json"))
            server = subprocess.Popen(
                [sys.executable, "-m", "tests.mutation", "serve"], cwd=copy, text=True,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            self._free.put((copy, server))
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        while not self._free.empty():
            self._free.get()[1].communicate()  # the server ends at the end of its input
        shutil.rmtree(self._folder)

    def killer(self, mutant, tests):
        """Return the first of the tests that fails with a mutant, or None."""
        copy, server = self._free.get()
        file = copy / mutant["file"]
        original = file.read_bytes()
        file.write_text(applied(mutant), encoding="utf-8")
        print(json.dumps(tests), file=server.stdin, flush=True)
        killer = json.loads(server.stdout.readline())
        file.write_bytes(original)
        self._free.put((copy, server))
        return killer


def pytest_runtest_logstart(nodeid):  # a hook of pytest; this module is a plugin
    os.write(NAMES_PIPE, f"{nodeid}\n".encode())


def pytest_collectreport(report):
    if report.failed and report.nodeid:  # a test file; the session itself has no name
        pytest_runtest_logstart(report.nodeid)
        os._exit(0)  # otherwise pytest would report that the test does not exist


def serve(_):
    """Run the tests of each line of stdin until one fails, in a new process; print its name."""
    import pyqtgraph  # noqa: F401 - and with it NumPy and Qt
    import pytest

    options = "-x -n 0 -p no:cacheprovider --hypothesis-seed=0 -o faulthandler_timeout=0"
    tell = pytest_runtest_logstart
    for line in sys.stdin:
        begun, names_pipe = os.pipe()
        if not (child := os.fork()):
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
            signal.alarm(5 * PATIENCE)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(names_pipe, NAMES_PIPE)
            try:
                tell("passed")
                words = [*options.split(), "-o", "addopts=", *json.loads(line)]
                code = pytest.main(words, plugins=[sys.modules[__name__]])
                if code in (pytest.ExitCode.OK, pytest.ExitCode.USAGE_ERROR):  # or no test
                    tell("passed")
            finally:
                os._exit(0)
        os.close(names_pipe)
        os.waitpid(child, 0)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # ends the processes that a test started
        last = os.fdopen(begun).read().splitlines()[-1]
        print(json.dumps(None if last == "passed" else last), flush=True)


def survey(wanted):
    """Print mutants of each room in the format of `tests/mutants.json`, and the number killed."""
    covered, by_room, chosen = json.loads(Path(*wanted.paths).read_text()), defaultdict(list), []
    listed = json.loads(MUTANTS_FILE.read_text(encoding="utf-8"))
    equivalent = [mutant for mutant, _ in listed["equivalent"]]
    for file in sorted(PROGRAM.rglob("*.py")):
        by_room[room_of(file.relative_to(ROOT))] += mutants_of(file.relative_to(ROOT))
    for room in sorted(wanted.room or by_room):
        Random(wanted.seed).shuffle(by_room[room])
        of_lines = {(mutant["file"], line): mutant for mutant, line in by_room[room]}
        chosen += [it for it in of_lines.items() if it[1] not in equivalent][: wanted.per_room]

    def tried(place):
        (file, line), mutant = place
        tests = [*covered.get(f"{file}:{line}", ()), *covered.get(file, ())]
        test = copies.killer(mutant, list(dict.fromkeys(tests))) if tests else None
        result = "killed" if test and copies.killer(mutant, [test]) else "survived"
        return result, {**mutant, "test": test}

    with Copies(len(os.sched_getaffinity(0))) as copies:
        results = list(copies.map(tried, chosen))
    for end in ("killed", "survived"):
        listed[end] = [mutant for it, mutant in results if it == end]
    json.dump(listed, sys.stdout, indent=1, ensure_ascii=False)
    for room, of_room in groupby(results, lambda it: room_of(it[1]["file"])):
        ends = [end for end, _ in of_room]
        print(f"\n{room}: {ends.count('killed')} of {len(ends)}", file=sys.stderr)


def sample(_):
    """Try listed mutants for a limited time; return 1 if one survives or cannot be tried."""
    listed = json.loads(MUTANTS_FILE.read_text(encoding="utf-8"))["killed"]
    seed = sha256(b"".join(file.read_bytes() for file in sorted(PROGRAM.rglob("*.py")))).digest()
    listed.sort(key=lambda mutant: sha256(seed + repr(mutant).encode()).digest())
    deadline, faults = time.monotonic() + SAMPLE_SECONDS, []

    def attempt(mutant):
        if applied(mutant) is None:
            faults.append(("its code has gone: list another", mutant))
        elif time.monotonic() > deadline:
            return 0
        elif copies.killer(mutant, [mutant["test"]]) is None:
            faults.append(("survived, or its test has gone", mutant))
        return 1

    with Copies(len(os.sched_getaffinity(0))) as copies:
        tried = sum(copies.map(attempt, listed))
    for fault, it in faults:
        print(f"{it['file']}, {it['function']}: {fault}: {it['test']}\n-{it['old']}+{it['new']}")
    print(f"{tried} of {len(listed)} mutants tried, {len(faults)} faults")
    return 1 if faults else 0


def reached(wanted):
    """Run the tests in paths, and print {file:line: tests} and {file: tests} as JSON."""
    from coverage import CoverageData

    with tempfile.TemporaryDirectory() as folder:
        data = CoverageData(f"{folder}/coverage")
        os.environ["COVERAGE_FILE"] = data.data_filename()
        options = ["--cov=pe_explorer", "--cov-report=", "--cov-context=test"]
        subprocess.run([sys.executable, "-m", "pytest", *options, *wanted.paths], stdout=sys.stderr)
        data.read()
        result, reach = defaultdict(set), Counter()
        for file in data.measured_files():
            for line, phases in data.contexts_by_lineno(file).items():
                names = {phase.rpartition("|")[0] for phase in phases if phase}
                reach.update(names)
                path = str(Path(file).relative_to(ROOT))
                for place in (f"{path}:{line}", path):  # caching hides lines from tests
                    result[place] |= names
    for place, names in result.items():
        own = f"tests/{place.split('/')[1]}/"
        ranked = sorted(names, key=lambda name: (not name.startswith(own), reach[name], name))
        cases = defaultdict(count)  # prefers one case of each test, and tests of the same room
        ranked.sort(key=lambda name: next(cases[name.partition("[")[0]]))
        result[place] = ranked[:MAX_TESTS]
    json.dump(result, sys.stdout)


def main():
    parser = argparse.ArgumentParser("python -m tests.mutation")
    parser.add_argument("command", choices=("map", "survey", "sample", "serve"))
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-room", type=int, default=50)
    parser.add_argument("--room", action="append")
    it = parser.parse_args()
    if it.command != "serve":
        sandbox.require()
    return {"map": reached, "survey": survey, "sample": sample, "serve": serve}[it.command](it)


if __name__ == "__main__":
    sys.exit(main())
