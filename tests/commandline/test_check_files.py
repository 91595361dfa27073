"""What `check` and `--config` read: files, folders, and standard input; one or several."""

import io
import itertools
import json
import re
import shlex
import sys
from unittest.mock import patch

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.commandline.main import main
from pe_explorer.files import session
from tests.configs.support import FOLDER, YARN, config_file, llama, path_of, scaled
from tests.support.commands import checked, error_line, exported, render_request
from tests.support.processes import ROOT

LLAMA, GEMMA = path_of("llama-3.1-8b"), path_of("gemma-3-4b")
WARNED = FOLDER.parent / "stories" / "mscale-alone.json"


@pytest.fixture
def model(tmp_path):
    """The folder of a model like Llama 3.1."""
    (tmp_path / "config.json").write_bytes(LLAMA.read_bytes())
    return tmp_path


def test_a_folder_is_read_as_the_config_json_in_it(model, capsys):
    file = model / "config.json"
    assert checked(capsys, model) == checked(capsys, file)
    assert encodings.read_config(model) == encodings.read_config(file)
    expected = encodings.from_config(LLAMA)["all"]
    assert encodings.from_config(str(model)) == {"all": expected}
    assert render_request("frequencies", "--config", str(model))[1].encoding == expected
    assert render_request("context", "--config", str(model))[1].options["context"].trained == 8192
    assert main(["check", "--json", str(model)]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == str(model)


def test_the_window_opens_the_file_in_a_folder(model, capsys):
    with (
        patch("pe_explorer.app.run.run_window", return_value=7) as run,
        patch("pe_explorer.commandline.window.require_qt") as required,
        patch("gc.disable"),
    ):
        assert main(["--theme", "dark", str(model), str(GEMMA)]) == 7
        (model / "empty").mkdir()
        assert main([str(model / "empty")]) == 2
    assert required.call_args.kwargs == {"window": True}
    theme, path, opened, digest, compared = run.call_args.args
    assert (theme, path, digest) == ("dark", str(model / "config.json"), session.digest(LLAMA))
    assert opened.configuration == encodings.read_config(LLAMA)
    assert [*compared] == [str(GEMMA)]
    (line,) = capsys.readouterr().err.splitlines()
    for fact in (str(model / "empty"), "config.json", "pe-explorer: "):
        assert fact in line


def test_a_folder_with_params_json_alone_is_read(tmp_path, capsys):
    case = FOLDER.parent / "cases" / "mistral-params.json"
    (tmp_path / "params.json").write_bytes(case.read_bytes())
    _, lines = checked(capsys, tmp_path)
    assert lines[0].startswith(str(tmp_path / "params.json"))


def test_a_folder_without_a_configuration_or_with_a_broken_one_is_refused(tmp_path, capsys):
    folder = str(tmp_path)
    commands = (["check"], ["check", str(LLAMA)], ["code", "--config"])
    lines = [error_line(capsys, *words, folder) for words in commands]
    with pytest.raises(encodings.EncodingError) as caught:
        encodings.from_config(tmp_path)
    for line in (*lines, str(caught.value)):
        assert folder in line
        assert "config.json" in line
    path = tmp_path / "config.json"
    path.write_text("{", encoding="utf-8")
    for words in (["check"], ["code", "--config"]):
        line = error_line(capsys, *words, folder)
        assert f" {path}: " in line
        assert line.count(folder) == 1


STATED = 32768  # of `llama()`
LENGTHS = {
    "beyond": (llama(), {"max_length": STATED + 1}, 1),
    "up to the end": (llama(), {"max_length": STATED}, 0),
    "none": (llama(), {"temperature": 0.6}, 0),
    "the default": (llama(max_position_embeddings=16), {"max_length": 20}, 0),
    "above the default": (llama(max_position_embeddings=16), {"max_length": 21}, 1),
    "replaced": (llama(), {"max_length": STATED + 1, "max_new_tokens": 256}, 0),
    "not replaced": (llama(), {"max_length": STATED + 1, "max_new_tokens": None}, 1),
    "a text": (llama(), {"max_length": str(STATED + 1)}, 0),
    "true": (llama(max_position_embeddings=None), {"max_length": True}, 0),
    "a list": (llama(), [STATED + 1], 0),
    "extended by yarn": (scaled(**YARN), {"max_length": 4 * STATED}, 0),
    "beyond yarn": (scaled(**YARN), {"max_length": 4 * STATED + 1}, 1),
    "a learned table": ({"model_type": "gpt2", "n_positions": 1024}, {"max_length": 1025}, 1),
    "no last position": (
        {"model_type": "bloom", "hidden_size": 64, "n_head": 8, "seq_length": 2048},
        {"max_length": 4096},
        0,
    ),
}


@pytest.mark.parametrize(("fields", "generation", "count"), LENGTHS.values(), ids=LENGTHS)
def test_generation_beyond_the_positions_is_a_warning(fields, generation, count, tmp_path, capsys):
    path = tmp_path / "generation_config.json"
    path.write_text(json.dumps(generation), encoding="utf-8-sig" if count else "utf-8")
    main(["check", "--json", str(config_file(tmp_path, fields))])
    (reading,) = json.loads(capsys.readouterr().out)["readings"]
    found = [each for each in reading["findings"] if each["kind"] == "generation"]
    assert [each["level"] for each in found] == ["warning"] * count
    for each in found:
        text = f"{each['happens']} {each['why']}"
        for fact in (path.name, f"{generation['max_length']:,}", f"{reading['stated']:,}"):
            assert fact in text


def test_a_broken_file_of_generation_is_ignored(model, capsys):
    expected = checked(capsys, model)
    for data in (b"{", b"", b"\xff", b"[" * 10**5):
        (model / "generation_config.json").write_bytes(data)
        assert checked(capsys, model) == expected


def test_an_override_changes_what_generation_is_compared_with(model, capsys):
    (model / "generation_config.json").write_text('{"max_length": 200000}', encoding="utf-8")
    assert checked(capsys, model)[0] == 1
    longer = '{"max_position_embeddings": 200000}'
    _, lines = checked(capsys, model, "--override", longer)
    assert not [line for line in lines if "generation_config" in line]


@pytest.fixture
def typed(monkeypatch):
    """A function that fills standard input."""

    def fill(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return fill


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_standard_input_is_read_like_a_file(start, typed, tmp_path, capsys):
    path = tmp_path / "config.json"
    path.write_bytes(start + WARNED.read_bytes())
    code, lines = checked(capsys, path, "--semantics", "all")
    typed(path.read_bytes())
    renamed = [line.replace(str(path), "standard input") for line in lines]
    assert checked(capsys, "-", "--semantics", "all") == (code, renamed)
    assert code == 1


def test_one_of_two_files_is_standard_input_and_files_beside_it_are_none_of_its(
    typed, model, monkeypatch, capsys
):
    (model / "generation_config.json").write_text('{"max_length": 200000}', encoding="utf-8")
    monkeypatch.chdir(model)
    assert checked(capsys, "config.json")[0] == 1
    for words, code in ((["-"], 0), (["-", LLAMA], 0), ([LLAMA, "-"], 0), (["-", GEMMA], 1)):
        typed(LLAMA.read_bytes())
        found, lines = checked(capsys, *words)
        assert found == code
        assert "standard input" in lines[0]
    typed(LLAMA.read_bytes())
    assert "standard input" in error_line(capsys, "check", "-", "-")


def test_unusable_input_is_one_line(typed, capsys):
    for data, word in ((b"", "empty"), (b"{", "line 1, column 2"), (b"[]", "a list")):
        for words in (["check", "-"], ["check", "-", str(LLAMA)], ["code", "--config", "-"]):
            typed(data)
            line = error_line(capsys, *words)
            assert "standard input" in line
            assert word in line


def test_a_closed_standard_input_is_reported(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    for words in (["check", "-"], ["export", "--config", "-", "-o", "x.npy"]):
        assert re.search("standard input:? is closed", error_line(capsys, *words))


def test_commands_start_from_standard_input(typed, tmp_path, capsys):
    typed(LLAMA.read_bytes())
    numbers = exported(tmp_path, "--config", "-", "--what", "frequencies")
    expected = encodings.from_config(LLAMA)["all"].frequencies()
    np.testing.assert_array_equal(numbers.ravel(), expected)
    typed(json.dumps(llama(model_type="unheard-of")).encode())
    assert main(["code", "--config", "-", "--assume", "llama"]) == 0
    out, err = capsys.readouterr()
    assert "rope_theta=10000.0" in out
    assert "standard input" in err
    typed(GEMMA.read_bytes())
    line = error_line(capsys, "code", "--config", "-")
    assert "standard input" in line
    assert "sliding_attention" in line


def test_each_of_several_files_is_reported_as_if_it_were_the_only_one(capsys):
    files = [LLAMA, WARNED, GEMMA]
    alone = [checked(capsys, file) for file in files]
    text = "\n\n".join("\n".join(lines) for _, lines in alone)
    assert checked(capsys, "--each", LLAMA) == checked(capsys, "--each", "--", LLAMA) == alone[0]
    assert checked(capsys, LLAMA, WARNED)[1][-1] == "the files differ"
    assert checked(capsys, "--each", LLAMA, WARNED)[1] == [*alone[0][1], "", *alone[1][1]]
    for words in (files, ["--each", *files], [LLAMA, "--each", WARNED, "--semantics", "5", GEMMA]):
        code, lines = checked(capsys, *words)
        assert "\n".join(lines) == text
        assert code == max(each for each, _ in alone) == 1


def test_the_gravest_code_counts_and_all_files_are_checked(tmp_path, capsys):
    files = [str(LLAMA), str(WARNED), str(tmp_path / "none.json")]
    for order in itertools.permutations(range(3)):
        for chosen in (order[:1], order[:2], order):
            assert main(["check", "--each", *(files[index] for index in chosen)]) == max(chosen)
            out, err = capsys.readouterr()
            assert err.count("\n") == (2 in chosen)
            assert (files[2] in err) == (2 in chosen)
            for index in {0, 1} & {*chosen}:
                assert sum(line.startswith(f"{files[index]}: ") for line in out.splitlines()) == 1
            assert not out.startswith("\n")
            assert "\n\n\n" not in out


def test_json_of_several_files_is_a_list_of_those_of_each(tmp_path, capsys):
    missing = str(tmp_path / "none.json")
    files = [str(LLAMA), missing, str(WARNED)]
    assert main(["check", "--json", *files]) == 2
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert err == ""
    assert set(found) == {"schema", "checks"}
    assert found["schema"] == 1
    for file, entry in zip(files, found["checks"], strict=True):
        if file == missing:
            assert set(entry) == {"file", "error"}
            assert entry["file"] == missing
            assert entry["error"]
        else:
            assert main(["check", "--json", file]) == (file == str(WARNED))
            assert entry == json.loads(capsys.readouterr().out)
    assert main(["check", "--each", "--json", str(LLAMA)]) == 0
    assert len(json.loads(capsys.readouterr().out)["checks"]) == 1


def test_json_is_short_for_a_format(capsys):
    for files in ([LLAMA], [LLAMA, GEMMA], [LLAMA, GEMMA, WARNED], ["--each", LLAMA, GEMMA]):
        assert checked(capsys, *files, "--json") == checked(capsys, *files, "--format", "json")
        assert checked(capsys, *files, "--format", "text") == checked(capsys, *files)


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


def test_its_command_runs_over_five_files(hook, capsys):
    program, *words = shlex.split(hook["entry"])
    assert program == "pe-explorer"
    good = [path_of(name) for name in ("llama-3.1-8b", "gemma-3-4b", "qwen2.5-7b", "bloom-7b1")]
    for fifth, code in ((path_of("gpt2"), 0), (WARNED, 1), ("none", 2)):
        assert main([*words, *map(str, (*good, fifth))]) == code
        out, err = capsys.readouterr()
        assert out.count(" as transformers ") == (5 if code < 2 else 4)
        assert err.count("\n") == (code == 2)
