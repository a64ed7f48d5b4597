"""Hats out of presets and `ralph.yml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.config import Config, parse_config
from ralph.errors import ConfigError
from ralph.hats import loader
from ralph.hats.check import check
from tests.hats.shapes import REFUSALS

SPEC_EXAMPLE = """
hats:
  builder:
    name: "Builder"
    triggers: ["build.task"]
    publishes: ["build.done"]
    instructions: |
      After all checks pass, emit with evidence.
"""


def config(text: str) -> Config:
    return parse_config(text.encode(), "ralph.yml")


def test_without_anything_there_is_one_builder() -> None:
    made = loader.topology(Config(), REFUSALS)
    assert [hat.id for hat in made.hats] == ["builder"]
    assert (made.start, made.done) == ("build.task", "build.done")


def test_hats_of_a_project_stand_alone() -> None:
    made = loader.topology(config(SPEC_EXAMPLE), REFUSALS)
    assert (made.name, made.hats[0].name, made.done) == ("ralph.yml", "Builder", "build.done")
    assert check(made, REFUSALS) == []


@pytest.mark.parametrize(
    ("hats", "done"),
    [
        ("{a: {publishes: [build.done]}}", "build.done"),
        ("{a: {publishes: [build.done]}, b: {triggers: [build.done], publishes: [review.done]}}", "review.done"),
        ("{a: {publishes: [build.done, review.done]}}", "LOOP_COMPLETE"),
        ("{a: {publishes: [build.done, LOOP_COMPLETE]}}", "LOOP_COMPLETE"),
        ("{a: {publishes: [feature.done]}}", "LOOP_COMPLETE"),
        ("{a: {publishes: [build.done]}, b: {triggers: ['*']}}", "LOOP_COMPLETE"),
    ],
)
def test_what_ends_the_work_of_hats_without_a_preset(hats: str, done: str) -> None:
    assert loader.topology(config(f"hats: {hats}"), REFUSALS).done == done


def test_only_what_is_given_changes_a_hat_of_the_preset() -> None:
    text = "preset: confession-loop\nhats: {confessor: {model: opus}, helper: {triggers: [help.needed]}}\n"
    made = loader.topology(config(text + "event_loop: {confidence: 95, done: all.done}\n"), REFUSALS)
    plain = loader.load("confession-loop")
    confessor, before = made.hat("confessor"), plain.hat("confessor")
    assert confessor is not None
    assert before is not None
    assert (confessor.model, confessor.instructions) == ("opus", before.instructions)
    assert [hat.id for hat in made.hats] == ["builder", "confessor", "handler", "helper"]
    assert (made.confidence, made.done) == (95, "all.done")
    assert made.hats[0] == plain.hats[0]


def test_a_preset_that_is_asked_for_replaces_the_one_of_the_file() -> None:
    assert loader.topology(config("preset: docs"), REFUSALS, "tdd").name == "tdd"


def test_a_hat_is_called_by_its_id_unless_it_has_a_name() -> None:
    assert loader.topology(config("hats: {docs-reviewer: {}}"), REFUSALS).hats[0].name == "Docs Reviewer"


def test_presets_of_ones_own_stand_before_ours(config_home: Path) -> None:
    folder = config_home / "presets"
    folder.mkdir(parents=True)
    (folder / "tdd.yml").write_text("description: ours\nhats: {solo: {triggers: [build.task]}}\nconfidence: 0\n")
    (folder / "team.yaml").write_text("description: new\nhats: {}\n")
    assert [hat.id for hat in loader.load("tdd").hats] == ["solo"]
    assert "team" in loader.available()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hats: {}", "'description' is missing"),
        ("description: x\nhats: {a: {trigger: [b]}}", "unknown key 'hats.a.trigger'; did you mean 'triggers'?"),
        ("description: x\nhats: {a: {triggers: build.task}}", "'hats.a.triggers' must be a list"),
        ("description: x\nhats: {}\nconfidence: 101", "'confidence' must be a percentage from 0 to 100, but is 101"),
        ("description: x\nhats: {a: {}, a: {}}", "twice"),
        ("description: x\nhats: [a]", "'hats' must be a mapping"),
        ("[]", "must hold a mapping"),
    ],
)
def test_a_preset_that_is_written_wrongly(text: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        loader.parse_preset(text.encode(), "mine", "mine.yml")
    assert words in str(caught.value)
    assert "mine.yml" in str(caught.value)


def test_an_unknown_preset_names_those_that_there_are() -> None:
    with pytest.raises(ConfigError, match="There is no preset 'nope'; there are: builder, code-review, conf"):
        loader.load("nope")
