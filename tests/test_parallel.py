"""Tests run in several processes, and in one where that is sooner."""

import os

import pytest

from tests.support.parallel import process_count, sendable


def test_a_named_file_runs_in_this_process():
    assert process_count([__file__]) == 0
    assert process_count([f"{__file__}::test_a_named_file_runs_in_this_process"]) == 0
    assert process_count([os.path.dirname(__file__)]) >= 1
    assert process_count([__file__, os.path.dirname(__file__)]) >= 1
    assert process_count([]) >= 1


@pytest.mark.parametrize("text", ["é 日本", "\ud800 é", "a\udcffb", ""])
def test_what_is_sent_can_be_written(text):
    sent = sendable({"sections": [["log", text]], text: (text, None, 1.5, True)})
    written = text.encode("utf-8", "backslashreplace").decode("utf-8")
    assert sent == {"sections": [["log", written]], written: (written, None, 1.5, True)}
