"""`ralph hats`: the roles, for people and programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.context import trust
from ralph.system.git import open_repository
from tests.cli.command import ralph, refused
from tests.project import repository, write

OWN = """
event_loop: {confidence: 90}
hats:
  builder:
    triggers: [build.task, build.blocked]
    publishes: [build.done]
    instructions: "Work \\x1b[2J, then publish."
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo", {"ralph.yml": OWN})


def test_list(project: Path) -> None:
    answer = ralph("hats", "list", "-C", project)
    assert answer.code == 0
    assert "ralph.yml (ralph.yml as it stands in the base): from build.task to build.done" in answer.out
    assert "build.task, build.blocked → build.done" in answer.out
    assert "confession-loop" in answer.out
    document = ralph("hats", "list", "-C", project, "--json").document
    assert [each["id"] for each in document["hats"]] == ["builder"]
    assert document["confidence"] == 90
    assert "tdd" in [each["name"] for each in document["presets"]]


def test_show_writes_out_what_a_terminal_would_obey(project: Path) -> None:
    answer = ralph("hats", "show", "builder", "-C", project)
    assert answer.code == 0
    assert "Work \\x1b[2J, then publish." in answer.out
    assert "\x1b" not in answer.out
    (hat,) = ralph("hats", "show", "-C", project, "--json").document["hats"]
    assert (hat["id"], hat["triggers"], hat["model"]) == ("builder", ["build.task", "build.blocked"], None)


def test_graph(project: Path) -> None:
    assert ralph("hats", "graph", "-C", project).out.startswith("build.task ▶ Builder\n")
    assert ralph("hats", "graph", "-C", project, "--format", "mermaid").out.startswith("flowchart TD\n")
    assert ralph("hats", "graph", "-C", project, "--json").document["edges"] == [
        {"source": None, "topic": "build.task", "target": "builder", "refused": False},
        {"source": "builder", "topic": "build.done", "target": None, "refused": False},
        {"source": "builder", "topic": "build.blocked", "target": "builder", "refused": True},
    ]


@pytest.mark.parametrize("preset", ["builder", "code-review", "confession-loop", "debug", "docs", "spec-driven", "tdd"])
def test_presets_can_be_looked_at_anywhere(tmp_path: Path, preset: str) -> None:
    for command in ("list", "show", "graph"):
        answer = ralph("hats", command, "--preset", preset, "-C", tmp_path)
        assert (answer.code, answer.err) == (0, "")


def test_a_preset_takes_the_changes_of_the_file(project: Path) -> None:
    document = ralph("hats", "show", "builder", "--preset", "tdd", "-C", project, "--json")
    refused(document, "hats.builder.triggers", "wakes 'tester' too")


def test_a_draft_is_shown_only_when_asked_for(project: Path) -> None:
    write(project, {"ralph.yml": OWN.replace("builder:", "maker:")})
    counts = ralph("hats", "list", "-C", project)
    assert "\n  builder  " in counts.out
    assert counts.err == (
        "ralph.yml of the working copy does not count until it is committed or accepted; --draft shows it.\n"
    )
    draft = ralph("hats", "list", "--draft", "-C", project)
    assert "\n  maker  " in draft.out
    assert draft.err == ""


def test_accepting_makes_it_count(project: Path) -> None:
    write(project, {"ralph-context.yaml": "project: {name: a, path: ., language: other}\ncommands: {}\n"})
    write(project, {"ralph.yml": OWN.replace("builder:", "maker:")})
    document = ralph("init", "--accept", "-C", project, "--json").document
    assert document["config"]["accepted"] == "ralph.yml"
    assert "as a person accepted it" in ralph("hats", "list", "-C", project).out
    assert set(trust.accepted(open_repository(project).root)) == {"ralph-context.yaml", "ralph.yml"}


BROKEN = {
    "a problem": (
        "hats: {a: {triggers: [build.task], publishes: [build.done]}}",
        "hats.a.instructions: they are empty",
    ),
    "an unknown key": ("hat: {}", "did you mean 'hats'?"),
    "a lower floor": ("gates: {build.done: {checks: {complexity: {at_most: 20}}}}", "complexity"),
    "a list of targets": ("notify: []", "'notify' must be a mapping"),
    "an unknown preset": ("preset: nope", "There is no preset 'nope'"),
}


@pytest.mark.parametrize(("text", "words"), BROKEN.values(), ids=BROKEN.keys())
def test_what_is_wrong_is_one_sentence(project: Path, text: str, words: str) -> None:
    write(project, {"ralph.yml": text})
    refused(ralph("hats", "list", "--draft", "-C", project), words)


def test_all_problems_are_told(project: Path) -> None:
    write(project, {"ralph.yml": "hats: {a: {triggers: [build.task], publishes: [build.dome]}}"})
    answer = ralph("hats", "graph", "--draft", "-C", project)
    assert answer.code == 3
    assert "the hats have" in answer.err
    for line in ("hats.a.instructions: they are empty", "no hat publishes 'LOOP_COMPLETE'", "'build.dome'"):
        assert line in answer.err


def test_bad_arguments(project: Path, tmp_path: Path) -> None:
    refused(ralph("hats", "show", "bilder", "-C", project), "no hat 'bilder'", "did you mean 'builder'?")
    refused(ralph("hats", "graph", "--preset", "tddd", "-C", project), "There is no preset 'tddd'")
    refused(ralph("hats", "list", "--draft", "-C", tmp_path), "")
