"""What all tests share; those of the window leave nothing behind: see `strict`."""

import gc
import os
import signal
import threading
from contextlib import chdir
from decimal import localcontext
from functools import partial
from itertools import groupby
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from tests import sandbox
from tests.support import leftovers

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# In another locale Qt writes to stderr, and the system's reasons are translated.
os.environ["LC_ALL"] = "C.UTF-8"
if "PYTEST_XDIST_WORKER" in os.environ:
    # One process for each core: more threads of linear algebra only spin, waiting for a core.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

for _name in ("SIGINT", "SIGTERM", "SIGHUP"):
    # Ignored by a runner in the background, or nohup: what tests start would inherit it.
    _number = getattr(signal, _name, signal.SIGTERM)
    if signal.getsignal(_number) is signal.SIG_IGN:
        usual = signal.default_int_handler if _name == "SIGINT" else signal.SIG_DFL
        signal.signal(_number, usual)


# How long something takes says nothing on a machine that does other work as well.
def pytest_configure(config):
    examples = 100 if config.option.exhaustive else 30
    slow = [HealthCheck.too_slow]
    settings.register_profile(
        "ours", max_examples=examples, deadline=None, suppress_health_check=slow
    )
    settings.load_profile("ours")


WITH_QT = {
    Path(__file__).parent / layer
    for layer in ("model", "painting", "widgets", "panels", "views", "app")
}
HARMLESS = ("This plugin does not support propagateSizeHints()",)


@pytest.fixture
def few_decimals():
    """The precision of decimals that a caller may have set, and which must not matter."""
    with localcontext() as context:
        context.prec = 3
        yield


@pytest.fixture(scope="session")
def qapp():
    """The program's own application, for all tests of the process."""
    from pe_explorer.app.application import Application

    app = Application("light")
    gc.freeze()  # what is here now stays: collecting after every test is cheap then
    return app


@pytest.fixture(scope="module", autouse=True)
def what_stays_is_frozen():
    """Keep collections quick in a long run: what a module leaves behind is not searched again."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module")
def beside_the_table():
    """Be in the folder of the table that encodings read: code and lines name it without folder."""
    from tests.support.samples import stored_table

    with chdir(Path(stored_table()).parent):
        yield


@pytest.fixture
def umap_is_here(monkeypatch):
    """Let there be words on UMAP; nothing is fitted for them."""
    from pe_explorer.analysis import umap_process

    monkeypatch.setattr(umap_process, "unavailable_reason", lambda: "")


@pytest.fixture
def working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def qtbot(qtbot):
    """pytest-qt's, with patience for slow machines: what a test waits for comes, or it fails."""
    for wait in ("waitUntil", "waitSignal", "waitExposed"):
        setattr(qtbot, wait, partial(getattr(qtbot, wait), timeout=10_000))
    return qtbot


@pytest.fixture(autouse=True)
def only_where_qt_is_used(request):
    if not WITH_QT.isdisjoint(request.path.parents):
        request.getfixturevalue("strict")


@pytest.fixture
def strict(request, qapp, tmp_path, monkeypatch, caplog):
    """Fail a test that leaves widgets, timers, threads, settings or warnings of Qt behind, or that
    logs an error: errors of painting go no further than the log.
    """
    leftovers.at_home(tmp_path, monkeypatch)
    before, settings_before = leftovers.running(), leftovers.settings_files()
    # a collection while a signal is disconnected waits for ever, if it deletes an object of Qt
    gc.disable()
    yield
    qapp.set_theme("light")
    if request.node.failed:
        leftovers.leave_windows()
    leftovers.clear_up()
    if left := leftovers.running() - before:
        for thread in [thing for thing in left if isinstance(thing, threading.Thread)]:
            thread.join(10)  # it has given its answer, but may not have ended yet
        left.clear()
        gc.collect()
        left = leftovers.running() - before
    gc.enable()
    if request.node.failed:
        return  # its traceback holds what it used
    assert {leftovers.described(thing) for thing in left} == set()
    assert leftovers.settings_files() == settings_before
    records = getattr(getattr(request.node, "qt_log_capture", None), "records", [])
    warnings = [record.message for record in records if record.matches_level("WARNING")]
    assert [message for message in warnings if not message.startswith(HARMLESS)] == []
    assert [each for each in caplog.get_records("call") if each.levelname == "ERROR"] == []


@pytest.fixture
def model(qapp):
    from pe_explorer.model import Model

    model = Model()
    yield model
    model.close()


@pytest.fixture
def window(qtbot, qapp):
    from pe_explorer.app.window.main_window import MainWindow
    from pe_explorer.model import Model

    window = MainWindow(Model())
    window.resize(1280, 800)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    for _ in range(4):
        qapp.processEvents()
    yield window
    window.leave()
    window.deleteLater()
    leftovers.clear_up()
    vars(window).clear()  # pytest keeps what it gave the test until all fixtures have ended


def pytest_runtest_makereport(item, call):
    item.failed = getattr(item, "failed", False) or call.excinfo is not None


def pytest_addoption(parser):
    parser.addoption("--exhaustive", action="store_true", help="run all cases of all tests")


MOST_CASES = 8
"""Of a test in a normal run, unless `sampled` says otherwise."""


def thinned(cases, count):
    """Return a sample of cases in their order, the same in every run and every process."""
    chosen = Random(1).sample(range(len(cases)), min(count, len(cases)))
    return [cases[index] for index in sorted(chosen)]


@pytest.fixture
def sampled(request):
    """Return a function that thins a list of cases for a loop, but not with --exhaustive."""
    return thinned if not request.config.option.exhaustive else lambda cases, _count: cases


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Run only some cases of each test, all with --exhaustive, and real windows only in a sandbox.

    Outside a sandbox, where a wrong key can change any file, opening one is refused.
    """
    kept = []
    for _, cases in groupby(items, lambda item: (item.path, getattr(item, "originalname", ""))):
        cases = list(cases)
        mark = cases[0].get_closest_marker("sampled")
        count = mark.args[0] if mark else MOST_CASES
        kept += cases if config.option.exhaustive else thinned(cases, count)
    config.hook.pytest_deselected(items=[*set(items).difference(kept)])
    items[:] = kept
    if any(item.get_closest_marker("xcb") for item in items) and (problem := sandbox.why_outside()):
        raise pytest.UsageError(f"{problem}, and -m xcb opens real windows: {sandbox.HELP}")


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config):
    """Run named files in this process: to start others takes longer than what they save."""
    names = [argument.partition("::")[0] for argument in config.args]
    is_set = "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ
    return 0 if all(Path(name).is_file() for name in names) and not is_set else None


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable():
    """Let a report be sent whatever characters a test has logged."""
    return sendable((yield))


def sendable(value):
    """Return plain data with all texts writable as UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {sendable(key): sendable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(sendable, value))
    return value
