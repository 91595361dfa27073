"""`check --format sarif` and `github`: the findings, each once, and where they are in the file."""

import io
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from pe_explorer.commandline.check import EXPLANATION
from pe_explorer.commandline.main import main
from tests.configs.support import FOLDER, NAMES, llama, path_of

STORIES = sorted((FOLDER.parent / "stories").glob("*.json"))


def report(capsys, name, *words):
    """Run `check` with a format; return its exit code and what it prints."""
    code = main(["check", "--format", name, *map(str, words)])
    out, err = capsys.readouterr()
    assert err == ""
    return code, out


def sarif(capsys, *words):
    """Return the exit code, the rules and the results of a log, which must be valid."""
    code, out = report(capsys, "sarif", *words)
    log = json.loads(out)
    # SARIF 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/
    assert log.keys() <= {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run.keys() <= {"tool", "columnKind", "results"}
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    driver = run["tool"]["driver"]
    assert driver.keys() <= {"name", "version", "rules"}
    for rule in driver["rules"]:
        assert {"id"} <= rule.keys() <= {"id", "shortDescription", "help"}
        assert isinstance(rule["shortDescription"]["text"], str)
    for result in run["results"]:
        assert result.keys() <= {"ruleId", "level", "message", "locations"}
        assert result["level"] in ("none", "note", "warning", "error")
        for location in result["locations"]:
            (place,) = location.values()
            assert place.keys() <= {"artifactLocation", "region"}
            assert re.fullmatch(r"[\w/.~!$&'()*+;=@%-]+", place["artifactLocation"]["uri"])
            assert place["region"].keys() <= {"startLine", "startColumn"}
            assert min(place["region"].values()) >= 1
    return code, driver["rules"], run["results"]


def placed(result):
    """Return path, line, column, level, kind and message of a result in SARIF."""
    (location,) = result["locations"]
    place = location["physicalLocation"]
    region = place["region"]
    path = unquote(place["artifactLocation"]["uri"])
    where = path, region["startLine"], region["startColumn"]
    return *where, result["level"], result["ruleId"], result["message"]["text"]


def findings(capsys, *words):
    """Return level, kind, field, and both halves of the sentence of each finding, from JSON."""
    main(["check", "--json", *map(str, words)])
    readings = json.loads(capsys.readouterr().out)["readings"]
    names = ("level", "kind", "field", "happens", "why")
    return [[each[n] for n in names] for reading in readings for each in reading["findings"]]


@pytest.mark.sampled(30)
@pytest.mark.parametrize("path", [*STORIES, *map(path_of, NAMES)])
def test_each_finding_is_a_result(path, capsys):
    code, rules, results = sarif(capsys, path)
    found = findings(capsys, path)
    assert code == any(level != "note" for level, *_ in found)
    assert len(results) == len(found)
    known = {rule["id"] for rule in rules}
    for result, (level, kind, field, happens, why) in zip(results, found, strict=True):
        assert (result["level"], result["ruleId"]) == (level, kind)
        assert kind in known
        text = result["message"]["text"].lower()
        assert all(part.lower() in text for part in (field, happens, why))


def test_each_rule_is_a_kind_of_finding_with_a_text(capsys):
    _, rules, _ = sarif(capsys, STORIES[0])
    names = [rule["id"] for rule in rules]
    (listed,) = re.findall(r"(?s)\bkind  .+?:\n(.+?)\n +field ", EXPLANATION)
    assert sorted(names) == sorted([*re.findall(r"[\w-]+", listed), "unreadable"])
    helps = [rule["help"]["text"] for rule in rules]
    assert len({*helps}) == len(helps)
    assert all(re.fullmatch(r"[A-Z].+\.", text) for text in helps)
    assert all(rule["shortDescription"]["text"] for rule in rules)


@pytest.mark.parametrize("name", ["sarif", "github"])
def test_each_finding_is_reported_once_for_all_versions(name, capsys):
    for path in map(path_of, ("qwen2.5-7b-yarn", "gpt-oss-20b", "gemma-3-4b")):
        words = (path, "--semantics", "all", "--length", "256k")
        expected = {tuple(each) for each in findings(capsys, *words)}
        _, out = report(capsys, name, *words)
        results = json.loads(out)["runs"][0]["results"] if name == "sarif" else out.splitlines()
        assert len(results) == len({*map(str, results)}) == len(expected)


TEXT_OF_FILE = """\
{
  "architectures": ["{", "}", "\\"rope_scaling\\": {"],
  "vision_config": {"rope_scaling": {"mscale": 1}, "hidden_size": 64},
  "model_type": "llava",
  "notes": [{"rope_scaling": 1}, "max_position_embeddings"],
  "text_config": {
    "model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 2,
\t"max_position_embeddings"
    : 163840, "rope_theta": 1e4, "ünïcödé 😀": "é", "rope_scaling" : { "type": "yarn",
      "factor": 40.0, "original_max_position_embeddings": 4096, "mscale": 0.5, "mscle": 1,
      "mscle": 2
    }
  }
}
"""
PLACES = {  # of each field that a finding is about
    "text_config.rope_scaling.mscale": (10, 65),
    "text_config.rope_scaling.mscle": (11, 7),
    "text_config.rope_scaling.type": (9, 71),
    "text_config.max_position_embeddings": (8, 2),
    "text_config.rope_scaling.original_max_position_embeddings": (10, 23),
}


@pytest.mark.parametrize(
    ("newline", "start"), [("\n", "utf-8"), ("\r\n", "utf-8"), ("\r\n", "utf-8-sig")]
)
def test_a_result_is_at_its_field(newline, start, tmp_path, capsys):
    path = tmp_path / "config.json"
    path.write_bytes(TEXT_OF_FILE.replace("\n", newline).encode(start))
    path.with_name("generation_config.json").write_text('{"max_length": 200000}')
    _, _, results = sarif(capsys, path)
    found = findings(capsys, path)
    assert {field for _, _, field, _, _ in found} == PLACES.keys()
    for result, (_, _, field, _, _) in zip(results, found, strict=True):
        _, line, column, *_ = placed(result)
        assert (line, column) == PLACES[field], field
        text = TEXT_OF_FILE.splitlines()[line - 1][column - 1 :]
        assert text.startswith(json.dumps(field.rpartition(".")[2]))


def test_a_missing_field_is_at_the_nearest_object_around_it(tmp_path, capsys):
    path = tmp_path / "config.json"
    inner = '"rope_scaling": {"rope_type": "llama3", "high_freq_factor": 4.0}'
    outer = '"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4'
    path.write_text(f'\n{{\n "text_config": {{{outer},\n   {inner}}}}}', encoding="utf-8")
    _, _, results = sarif(capsys, path)
    places = {}
    for result, (_, _, field, _, _) in zip(results, findings(capsys, path), strict=True):
        places[field] = placed(result)[1:3]
    within = {place for field, place in places.items() if ".rope_scaling." in field}
    others = {place for field, place in places.items() if field.count(".") == 1}
    assert within == {(4, 4)}
    assert (3, 2) in others


def test_what_no_field_is_about_is_at_the_first_line(tmp_path, capsys):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(llama(), indent=1), encoding="utf-8")
    _, _, results = sarif(capsys, path, "--length", "1e6")
    (place,) = [placed(each)[1:3] for each in results if "--length" in each["message"]["text"]]
    assert place == (1, 1)


FOLDERS = ["plain", "a b", "100%", "ü😀", "a,b", "deep/er"]
FOLDERS += ["a:b", "\udcff"] if os.name == "posix" and sys.platform != "darwin" else []


@pytest.mark.parametrize("name", FOLDERS)
def test_paths_are_relative_with_slashes(name, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "work" / name
    folder.mkdir(parents=True)
    (folder / "config.json").write_bytes(STORIES[0].read_bytes())
    monkeypatch.chdir(tmp_path / "work")
    for given in (folder, name, f"{name}/config.json", folder / "config.json"):
        _, _, results = sarif(capsys, given)
        (path,) = {os.fsencode(uri(each)) for each in results}
        assert path == os.fsencode(f"{name}/config.json")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beside").mkdir()
    monkeypatch.chdir(tmp_path / "beside")
    _, _, results = sarif(capsys, folder)
    assert {uri(each) for each in results} == {f"../work/{name}/config.json"}


def uri(result):
    encoded = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    return unquote(encoded, errors="surrogateescape")


def test_findings_of_standard_input_are_in_no_file(monkeypatch, capsys):
    expected = report(capsys, "github", STORIES[0])[1].splitlines()
    for name in ("sarif", "github"):
        data = io.BytesIO(STORIES[0].read_bytes())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
        _, out = report(capsys, name, "-")
        if name == "github":
            assert out.splitlines() == [re.sub("file=.+?,col=[0-9]+,", "", it) for it in expected]
        else:
            results = json.loads(out)["runs"][0]["results"]
            assert [each["locations"] for each in results] == [[]] * len(expected)


@pytest.mark.skipif(os.name != "posix", reason="of folders in use")
def test_a_working_folder_that_is_gone_stops_nothing(tmp_path, monkeypatch, capsys):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    _, _, results = sarif(capsys, STORIES[0])
    assert {uri(each) for each in results} == {str(STORIES[0])}


def test_an_unreadable_file_is_an_error_beside_the_findings_of_others(tmp_path, capsys):
    missing, broken, wrong = (tmp_path / name for name in ("none", "broken.json", "config.json"))
    broken.write_text("{", encoding="utf-8")
    wrong.write_text(json.dumps(llama(head_dim="x"), indent=1), encoding="utf-8")
    line = json.dumps(llama(head_dim="x"), indent=1).splitlines().index(' "head_dim": "x"') + 1
    code, _, alone = sarif(capsys, STORIES[0])
    assert code < 2
    for files in ([missing], [broken], [wrong], [missing, STORIES[0], broken, wrong]):
        code, _, results = sarif(capsys, "--each", *files)
        assert code == 2
        unreadable = [placed(each) for each in results if each["ruleId"] == "unreadable"]
        names = [each.name for each in files if each != STORIES[0]]
        assert [Path(path).name for path, *_ in unreadable] == names
        assert {level for _, _, _, level, _, _ in unreadable} == {"error"}
        for path, *place, _, _, message in unreadable:
            places = {"config.json": [line, 2], "broken.json": [1, 2], "none": [1, 1]}
            assert place == places[Path(path).name]
            assert message
        others = [each for each in results if each["ruleId"] != "unreadable"]
        assert others == (alone if STORIES[0] in files else [])
    assert sarif(capsys, missing)[0] == report(capsys, "github", missing)[0] == 2


COMMAND = re.compile(
    r"::(error|warning|notice) file=([^,:]*),line=(\d+),col=(\d+),title=(.+?)::(.+)"
)
"""As https://docs.github.com/actions/reference/workflow-commands-for-github-actions has it."""


def unescaped(text):
    """Return what @actions/core has escaped."""
    for escape, character in (("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r")):
        text = text.replace(escape, character)
    return text.replace("%25", "%")


@pytest.mark.parametrize("name", [name for name in FOLDERS if name != "\udcff"])
def test_commands_say_what_the_log_does(name, working_folder, capsys):
    folder = working_folder / name
    folder.mkdir(parents=True)
    (folder / "config.json").write_bytes(STORIES[0].read_bytes())
    files = [name, *STORIES[1:], "none"]
    code, out = report(capsys, "github", *files)
    expected_code, _, results = sarif(capsys, *files)
    assert code == expected_code == 2
    commands = []
    for line in out.splitlines():
        level, path, number, column, kind, message = COMMAND.fullmatch(line).groups()
        level = "note" if level == "notice" else level
        where = unescaped(path), int(number), int(column)
        commands.append((*where, level, kind, unescaped(message)))
    assert commands == [placed(each) for each in results]


@pytest.mark.skipif(os.name != "posix", reason="of file names")
def test_line_breaks_and_percent_signs_make_no_other_command(working_folder, capsys):
    _, out = report(capsys, "github", "--each", "a\n::error::%0A", "b\r%")
    first, second = out.splitlines()
    assert "file=a%0A%3A%3Aerror%3A%3A%250A," in first
    assert "file=b%0D%25," in second


def test_without_findings_nothing_is_printed(capsys):
    assert report(capsys, "github", path_of("bloom-7b1")) == (0, "")
    assert sarif(capsys, path_of("bloom-7b1"))[2] == []
