"""Policy sets cannot be changed after their release, and an unreleased one is used only when asked for by name."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from ralph.errors import ConfigError, PolicyTamperedError
from ralph.policy import registry
from tools.policies import data_of


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    """A copy of the bundled sets that a test may damage."""
    for path in registry.BUNDLED.iterdir():
        if path.suffix in (".yaml", ".json", ".lock"):
            shutil.copy(path, tmp_path)
    return tmp_path


def lock(sets: Path, *versions: str) -> None:
    lines = [f"{v}.yaml sha256:{hashlib.sha256((sets / f'{v}.yaml').read_bytes()).hexdigest()}\n" for v in versions]
    (sets / "released.lock").write_text("".join(lines))


def test_v1_says_what_the_spec_says() -> None:
    v1 = registry.load("v1")
    assert v1.released
    assert v1.released_at == "2026-01-05"
    assert [(pattern.group, pattern.expression) for pattern in v1.patterns] == [
        ("typescript", "@ts-ignore"),
        ("typescript", "@ts-nocheck"),
        ("typescript", "@ts-expect-error"),
        ("javascript", "eslint-disable"),
        ("javascript", "eslint-disable-next-line"),
        ("testing", r"\.skip\s*\("),
        ("testing", r"\.only\s*\("),
        ("testing", r"test\.todo"),
        ("python", "# type: ignore"),
        ("python", "# noqa"),
        ("python", "@pytest.mark.skip"),
    ]
    assert v1.min_coverage == 80
    assert (v1.thresholds.max_lines_added, v1.thresholds.max_files_changed) == (100, 5)
    assert v1.required_steps == ("lint", "typecheck", "tests", "coverage")
    assert v1.meanings["BLOCKED"].agent_action == "Must remove violation, cannot bypass"


def test_v1_rules_have_stable_ids() -> None:
    own = sorted(rule for rule in registry.load("v1").rules if rule.startswith("v1."))
    assert own == [
        "v1.config_tampering.coverage_threshold",
        "v1.config_tampering.typescript_strict",
        "v1.javascript.eslint-disable",
        "v1.javascript.eslint-disable-next-line",
        "v1.python.noqa",
        "v1.python.pytest-mark-skip",
        "v1.python.type-ignore",
        "v1.testing.only",
        "v1.testing.skip",
        "v1.testing.test-todo",
        "v1.typescript.ts-expect-error",
        "v1.typescript.ts-ignore",
        "v1.typescript.ts-nocheck",
    ]


def test_the_default_is_the_newest_released_set(sets: Path) -> None:
    assert registry.default(sets).version == registry.released(sets)[-1]
    released_v2 = (sets / "v2.yaml").read_text()
    released_v2 = released_v2.replace("released_at: null", 'released_at: "2026-12-01"').replace(
        "immutable: false", "immutable: true"
    )
    (sets / "v10.yaml").write_text(released_v2.replace('version: "v2"', 'version: "v10"'))
    lock(sets, "v10", "v1")
    assert registry.available(sets) == ("v1", "v2", "v10")
    assert registry.default(sets).version == "v10"


def test_a_draft_is_used_only_by_name(sets: Path) -> None:
    shutil.copy(sets / "v2.yaml", sets / "v99.yaml")
    text = (sets / "v99.yaml").read_text().replace('version: "v2"', 'version: "v99"')
    text = text.replace("immutable: true", "immutable: false")
    (sets / "v99.yaml").write_text(
        "\n".join("  released_at: null" if "released_at" in x else x for x in text.split("\n"))
    )
    assert not registry.load("v99", sets).released
    assert registry.default(sets).version != "v99"


def test_an_unknown_version_names_those_that_exist() -> None:
    with pytest.raises(ConfigError, match="'v0'; there are: v1, v2"):
        registry.load("v0")


@pytest.mark.parametrize("name", ["../v1", "v1.yaml", "", "V1"])
def test_a_version_is_a_name_and_not_a_path(name: str) -> None:
    with pytest.raises(ConfigError, match="there is no policy set"):
        registry.load(name)


def test_one_changed_byte_refuses_the_set(sets: Path) -> None:
    path = sets / "v1.yaml"
    path.write_text(path.read_text().replace("min_percent: 80", "min_percent: 8"))
    with pytest.raises(PolicyTamperedError, match="v1 is not what was released"):
        registry.load("v1", sets)
    newest = sets / f"{registry.default(sets).version}.yaml"
    newest.write_text(newest.read_text().replace("min_percent: 80", "min_percent: 8"))
    with pytest.raises(PolicyTamperedError):
        registry.default(sets)


def test_even_a_changed_comment_refuses_the_set(sets: Path) -> None:
    with (sets / "v1.yaml").open("a") as file:
        file.write("# harmless\n")
    with pytest.raises(PolicyTamperedError):
        registry.load("v1", sets)


@pytest.mark.parametrize("version", registry.released())
def test_the_data_beside_a_released_set_is_that_set(version: str, sets: Path) -> None:
    path = sets / f"{version}.json"
    assert path.read_text("utf-8") == data_of(version), "`make reference` writes it anew"
    fast = registry.load(version, sets)
    lock(sets, *registry.released())
    path.unlink()
    assert registry.load(version, sets) == fast


@pytest.mark.parametrize("version", registry.released())
def test_one_changed_byte_of_the_data_refuses_the_set(version: str, sets: Path) -> None:
    path = sets / f"{version}.json"
    path.write_text(path.read_text("utf-8").replace("Must remove violation", "May keep violation"), "utf-8")
    with pytest.raises(PolicyTamperedError, match=f"{version} is not what was released"):
        registry.load(version, sets)


@pytest.mark.parametrize("other", [data_of("v1"), "[]", "{", "{}"], ids=["v1", "a list", "no JSON", "nothing"])
def test_data_of_another_set_is_refused_whatever_the_lock_says(sets: Path, other: str) -> None:
    (sets / "v2.json").write_text(other, "utf-8")
    digest = hashlib.sha256((sets / "v2.json").read_bytes()).hexdigest()
    lines = (sets / "released.lock").read_text().splitlines()
    kept = [line for line in lines if not line.startswith("v2.json")]
    (sets / "released.lock").write_text("\n".join([*kept, f"v2.json sha256:{digest}\n"]))
    with pytest.raises(PolicyTamperedError, match="made from another policy set"):
        registry.load("v2", sets)


def test_a_set_that_claims_to_be_released_must_be_in_the_lock(sets: Path) -> None:
    lock(sets)
    with pytest.raises(PolicyTamperedError, match="claims to be released"):
        registry.load("v1", sets)


def test_a_released_set_that_is_gone_is_noticed_by_every_load(sets: Path) -> None:
    text = (sets / "released.lock").read_text()
    (sets / "released.lock").write_text(f"{text}v3.yaml sha256:{'0' * 64}\n")
    with pytest.raises(PolicyTamperedError, match="v3 is missing"):
        registry.load("v1", sets)


def test_a_locked_set_may_not_call_itself_a_draft(sets: Path) -> None:
    path = sets / "v1.yaml"
    path.write_text(path.read_text().replace("immutable: true", "immutable: false"))
    lock(sets, "v1")
    with pytest.raises(PolicyTamperedError, match="calls itself a draft"):
        registry.load("v1", sets)


def test_a_set_must_be_named_like_its_file(sets: Path) -> None:
    shutil.copy(sets / "v1.yaml", sets / "v7.yaml")
    lock(sets, "v1", "v7")
    with pytest.raises(PolicyTamperedError, match="calls itself v1"):
        registry.load("v7", sets)


@pytest.mark.parametrize(
    "text",
    ["v1.yaml\n", "v1.yaml sha256:12\n", "v1.yaml md5:0\n", "garbage\n", f"../v1.yaml sha256:{'0' * 64}\n"],
    ids=["no digest", "short digest", "other digest", "garbage", "path"],
)
def test_a_lock_that_cannot_be_read_makes_every_set_unusable(sets: Path, text: str) -> None:
    (sets / "released.lock").write_text(text)
    with pytest.raises(PolicyTamperedError):
        registry.load("v2", sets)


def test_a_missing_lock_makes_every_set_unusable(sets: Path) -> None:
    (sets / "released.lock").unlink()
    with pytest.raises(PolicyTamperedError, match="cannot be read"):
        registry.load("v2", sets)


def test_a_version_stands_in_the_lock_once(sets: Path) -> None:
    text = (sets / "released.lock").read_text()
    (sets / "released.lock").write_text(text + text)
    with pytest.raises(PolicyTamperedError, match="twice"):
        registry.load("v1", sets)


def test_the_rules_of_the_engine_are_in_every_set() -> None:
    for version in registry.available():
        assert registry.load(version).rules["tree.gitlink"].severity == "block"


def test_the_digest_is_of_the_file_as_it_is() -> None:
    expected = hashlib.sha256((registry.BUNDLED / "v1.yaml").read_bytes()).hexdigest()
    assert registry.load("v1").digest == expected
