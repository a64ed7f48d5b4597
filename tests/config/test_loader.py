"""`ralph.yml`: what it may say, and which version of it counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.config import Config, EventLoop, HatEntry, from_repository, parse_config, read_config
from ralph.context import trust
from ralph.errors import ConfigError
from ralph.system.git import open_repository
from ralph.system.trusted import accepted
from tests.project import commit, repository, write

FULL = """
agent: claude
preset: confession-loop
evidence: measured
event_loop:
  mutation_score_warn_threshold: 80.0
  confidence: 90
  done: LOOP_COMPLETE
gates:
  build.done: {checks: {complexity: {at_most: 8}}}
  odd: [any, 1, null]
hats:
  confessor:
    name: Confessor
    model: opus
    triggers: [build.done]
    max_activations: 3
"""


def test_every_key() -> None:
    config = parse_config(FULL.encode(), "ralph.yml")
    assert config == Config(
        agent="claude",
        preset="confession-loop",
        evidence="measured",
        event_loop=EventLoop(mutation_score_warn_threshold=80.0, confidence=90, done="LOOP_COMPLETE"),
        gates={"build.done": {"checks": {"complexity": {"at_most": 8}}}, "odd": ["any", 1, None]},
        hats={"confessor": HatEntry(name="Confessor", model="opus", triggers=("build.done",), max_activations=3)},
    )


@pytest.mark.parametrize("text", ["", "\n# preset: tdd\n", "---\n...\n", "{}", "\ufeffhats: {}\n"])
def test_a_file_that_says_nothing(text: str) -> None:
    assert parse_config(text.encode(), "ralph.yml") == Config()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("presets: tdd", "unknown key 'presets'; did you mean 'preset'?"),
        ("event_loop: {mutation_threshold: 80}", "unknown key 'event_loop.mutation_threshold'"),
        ("hats: {a: {trigger: [x]}}", "unknown key 'hats.a.trigger'; did you mean 'triggers'?"),
        ("evidence: trusted", "'evidence' must be 'measured' or 'claimed'"),
        ("event_loop: {mutation_score_warn_threshold: 101}", "must be a percentage from 0 to 100, but is 101"),
        ("event_loop: {mutation_score_warn_threshold: -1}", "must be a percentage"),
        ("event_loop: {mutation_score_warn_threshold: .nan}", "mutation_score_warn_threshold"),
        ("event_loop: {mutation_score_warn_threshold: '80'}", "must be a number"),
        ("event_loop: {confidence: 80.5}", "must be a whole number"),
        ("event_loop: {confidence: 200}", "must be a percentage"),
        ("event_loop: {done: ''}", "'event_loop.done' is empty"),
        ("preset: ''", "'preset' is empty"),
        ("preset: ./mine.yml", "must be the name of a preset, not a path"),
        ("agent: ' '", "'agent' is empty"),
        ("gates: [build.done]", "'gates' must be a mapping"),
        ("hats: {1: {}}", "must be text"),
        ("hats: {a: null}", "'hats.a' must be a mapping"),
        ("preset: tdd\npreset: docs", "twice"),
        ("[preset, tdd]", "must hold a mapping"),
        ("preset: [", ", line "),
    ],
)
def test_what_is_refused(text: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text.encode(), "ralph.yml")
    assert words in str(caught.value)
    assert "ralph.yml" in str(caught.value)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo", {"ralph.yml": "preset: tdd\n"})


def counting(root: Path) -> tuple[str | None, str, bool]:
    repo = open_repository(root)
    sourced = from_repository(repo, repo.head(), accepted(repo.root))
    return sourced.config.preset, sourced.source, sourced.overlooked


def test_the_base_counts_and_not_the_working_copy(project: Path) -> None:
    assert counting(project) == ("tdd", "ralph.yml as it stands in the base", False)
    write(project, {"ralph.yml": "preset: docs\nevidence: claimed\n"})
    assert counting(project) == ("tdd", "ralph.yml as it stands in the base", True)
    write(project, {"ralph.yml": None})
    assert counting(project) == ("tdd", "ralph.yml as it stands in the base", False)


def test_what_a_person_accepted_counts_to_the_last_byte(project: Path) -> None:
    write(project, {"ralph.yml": "preset: docs\n"})
    trust.accept(open_repository(project).root, ["ralph.yml"])
    assert counting(project) == ("docs", "ralph.yml as a person accepted it", False)
    write(project, {"ralph.yml": "preset: docs\nevidence: claimed\n"})
    assert counting(project) == ("tdd", "ralph.yml as it stands in the base", True)


def test_without_a_file_that_counts_there_are_defaults(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", {"a.md": "one\n"})
    assert counting(root) == (None, "the defaults", False)
    write(root, {"ralph.yml": "evidence: claimed\n"})
    assert counting(root) == (None, "the defaults", True)
    commit(root, {})
    assert counting(root) == (None, "ralph.yml as it stands in the base", False)


def test_a_broken_file_of_the_base_is_no_default(project: Path) -> None:
    commit(project, {"ralph.yml": "limits: {tokens: 0}\n"})
    with pytest.raises(ConfigError, match=r"ralph\.yml of the base"):
        counting(project)


def test_a_file_by_its_path(project: Path) -> None:
    assert read_config(project / "ralph.yml").preset == "tdd"
    with pytest.raises(ConfigError, match="cannot be read"):
        read_config(project / "none.yml")


WORDS = st.sampled_from(
    [
        "preset",
        "hats",
        "gates",
        "limits",
        "phases",
        "agents",
        "kind",
        "tokens",
        ": ",
        "\n  ",
        "[",
        "]",
        "a",
        "-1",
        ".nan",
    ]
)


@given(st.binary(max_size=80) | st.lists(WORDS | st.text(max_size=3)).map(lambda words: "".join(words).encode()))
def test_whatever_stands_there_is_read_or_refused_in_one_sentence(data: bytes) -> None:
    told = "ralph.yml"
    try:
        parse_config(data, "ralph.yml")
    except ConfigError as error:
        told = str(error)
    assert told.startswith("ralph.yml")
    assert "\n" not in told
