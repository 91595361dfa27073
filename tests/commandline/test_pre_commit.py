"""The hook for pre-commit: what it is given, and that its command runs over several files."""

import re
import shlex

import pytest

from tests.configs.support import FOLDER, path_of
from tests.support.processes import ROOT, run_program

STORIES = FOLDER.parent / "stories"


@pytest.fixture(scope="module")
def hook():
    """The fields of the only hook; a test that needs pre-commit itself would need a network."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    fields = dict(re.findall(r"(?m)^(?:- |  )(\w+): (.+)$", text))
    assert len(fields) == len(text.splitlines())
    return fields


def test_it_is_given_the_configurations_of_a_repository(hook):
    assert (hook["language"], hook["pass_filenames"]) == ("python", "true")
    assert hook["id"] == "pe-explorer-check"
    for name in ("config.json", "models/a/config.json"):
        assert re.search(hook["files"], name)
    for name in ("tokenizer_config.json", "config.jsonl", "configXjson", "config.json/README"):
        assert not re.search(hook["files"], name)


def test_its_command_runs_over_five_files(hook, tmp_path):
    program, *words = shlex.split(hook["entry"])
    assert program == "pe-explorer"
    good = [path_of(name) for name in ("llama-3.1-8b", "gemma-3-4b", "qwen2.5-7b", "bloom-7b1")]
    for fifth, code in ((path_of("gpt2"), 0), (STORIES / "mscale-alone.json", 1), ("none", 2)):
        run = run_program(tmp_path, *words, *map(str, (*good, fifth)))
        assert run.returncode == code
        checked = [line for line in run.stdout.splitlines() if " as transformers " in line]
        assert len(checked) == (5 if code < 2 else 4)
        assert len(run.stderr.splitlines()) == (code == 2)
