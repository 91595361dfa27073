"""The self-test, which checks parts of the program, all views, and a file of each kind."""

import logging
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from xml.etree import ElementTree as ET

import numpy as np
from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from pe_explorer import parts
from pe_explorer.app.output import figure_files, figure_order
from pe_explorer.app.trouble.trouble import list_versions
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.figures.style import Style
from pe_explorer.files import export
from pe_explorer.files.session import dumps_for_sharing
from pe_explorer.flags import DEFAULT_SIZE, ExportRequest
from pe_explorer.model.steps import run_now
from pe_explorer.params import reason, to_one_line

_VIEW_TIMEOUT = 60.0  # seconds
_IDLE_ITERATIONS = 3  # number of event loop iterations that layouts need
_MIN_COLOURS = 4  # minimum number of colours in a picture with axes and texts
_FILE_SIGNATURES = {".png": b"\x89PNG\r\n\x1a\n", ".pdf": b"%PDF-"}


class SelfTest(QObject):
    """A test of the program in its own window, which runs step by step between events."""

    def __init__(self, window: MainWindow, report: Callable[[str], None]) -> None:
        """Create a test that passes each line of the report to `report` immediately."""
        super().__init__(window)
        self.problems: list[str] = []
        self._window, self._report = window, report
        self._log_handler = _ErrorHandler(self._fail)
        self._old_hook = sys.excepthook
        self._steps = self._test()
        self._timer = QTimer(self, interval=5)
        self._timer.timeout.connect(self._run_step)

    def begin(self) -> None:
        logging.getLogger().addHandler(self._log_handler)
        sys.excepthook = self._receive_exception
        self._timer.start()

    @Slot()
    def _run_step(self) -> None:
        try:
            next(self._steps)
        except StopIteration:
            self._end()
        except Exception as error:
            self._fail(f"{type(error).__name__}: {reason(error)}")
            self._end()

    def _end(self) -> None:
        self._timer.stop()
        logging.getLogger().removeHandler(self._log_handler)
        sys.excepthook = self._old_hook
        self._window.leave()
        QApplication.exit(1 if self.problems else 0)

    def _fail(self, problem: str) -> None:
        self.problems.append(to_one_line(problem))

    def _receive_exception(
        self, kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        self._fail(f"{kind.__name__}: {reason(error)}")
        self._old_hook(kind, error, traceback)

    def _test(self) -> Iterator[None]:
        yield from self._wait_until_drawn(self._window.find_active_view().picture.name)
        self._report("window: painted")
        for name, version in list_versions().items():
            self._report(f"{name}: {version}")
        for kind, names in parts.discover().items():
            self._report(f"{kind}: {len(names)} ({', '.join(names)})")
        for problem in parts.describe_differences():
            self._fail(problem)
        for name in parts.find_required_parts()["views"]:
            try:
                self._window.workspace.show_view(name)
            except (ImportError, KeyError) as error:
                self._fail(f"view {name}: it cannot be loaded ({reason(error)})")
                continue
            yield from self._wait_until_drawn(name)
            view = self._window.view(name)
            picture = view.grab().toImage()
            colour_count = _count_colours(picture)
            if view.is_blank:
                self._fail(f"view {name}: shows a message instead of a plot")
            elif colour_count < _MIN_COLOURS:
                self._fail(f"view {name}: the picture is empty (number of colours: {colour_count})")
            else:
                size = f"{picture.width()} x {picture.height()}"
                self._report(f"view {name}: drawn, {size} pixels")
        self._test_files()

    def _wait_until_drawn(self, name: str) -> Iterator[None]:
        view = self._window.view(name)
        end = time.monotonic() + _VIEW_TIMEOUT
        iterations = 0
        while iterations < _IDLE_ITERATIONS:
            yield
            is_done = not view.is_stale and self._window.model.worker.is_idle
            iterations = iterations + 1 if is_done and view.isVisible() else 0
            if time.monotonic() > end:
                self._fail(f"view {name}: not drawn within {_VIEW_TIMEOUT:g} seconds")
                return

    def _test_files(self) -> None:
        state = self._window.model.state
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            job = figure_order.FigureJob("heatmap", state, Style(), DEFAULT_SIZE)
            page = run_now(figure_order.lay_out_figures(job))
            session = dumps_for_sharing(state, {}, folder)
            for name in ("figure.png", "figure.pdf", "figure.svg"):
                path = Path(folder, name)
                figure_files.save(page, path, job.dpi, session, threading.Event())
                content = path.read_bytes()
                if path.suffix == ".svg":
                    is_valid = ET.fromstring(content).tag.endswith("svg")
                else:
                    is_valid = content.startswith(_FILE_SIGNATURES[path.suffix])
                if path.suffix == ".png":
                    is_valid &= _count_colours(QImage(str(path))) >= _MIN_COLOURS
                self._report_file(name, is_valid, f"{len(content)} bytes")
            request, path = ExportRequest(what="table"), Path(folder, "table.npy")
            export.write(request.data(state.encoding, state.positions), path, request.dtype)
            array = np.load(path)
            expected_table = request.subject(state.encoding).encodings[0].table(state.positions)
            self._report_file(
                path.name, np.array_equal(array, expected_table), f"shape {array.shape}"
            )

    def _report_file(self, name: str, is_valid: bool, size: str) -> None:
        if is_valid:
            self._report(f"file {name}: written, {size}")
        else:
            self._fail(f"file {name}: it is damaged ({size})")


class _ErrorHandler(logging.Handler):
    def __init__(self, fail: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._fail = fail

    def emit(self, record: logging.LogRecord) -> None:
        self._fail(record.getMessage())


def _count_colours(picture: QImage) -> int:
    if picture.isNull():
        return 0
    image = picture.scaledToWidth(200)  # fewer pixels to count
    return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())})
