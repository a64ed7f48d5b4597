"""Cargo: tests that need a feature which nothing turns on (policy set v2, class G09).

    [[test]]
    name = "crash_recovery"
    required-features = ["fault-injection"]

Rule: `cargo test` leaves such a file out without a word. A file of tests that the base had takes itself out of the run
where a command of the head runs cargo's tests, and none of its features is on: not by default, not by what a command
file, an alias or a dependency names, and not by `--all-features`. Where features are given by a variable that is not
the file's own, nobody can tell; a new file of tests takes nothing away.
"""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterator
from typing import Any

from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.commands.manifests import features, on_by_default
from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.options.harm import PARTLY
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.record import replace
from ralph.system.patterns import later

NOT_RUN = "cfg.test.not-run"
TARGET = later(r"targets\.test (?P<name>.+)\.required-features")
RUNS_TESTS = later(r"\bcargo\b[^\n#]*\b(?:test|t|nextest|llvm-cov|tarpaulin)\b")
ALL = later(r"--(?:all-features|each-feature|feature-powerset)\b")
GIVEN = later(r"(?:--features|-F)[ =]+[\"']?[^\n\"']*\$(?!\{\{\s*matrix\.)")
WORD = later(r"[\w-]+")
MAY_RUN = later(r"(?:^|/)(?:\.cargo/config(?:\.toml)?|[^/]*xtask[^/]*(?:/.*)?|justfile|\.justfile|Makefile\.toml)$")
TABLES = frozenset({"features", "test", "example", "bench", "bin", "lib"})
"""Tables of a manifest that turn nothing on by themselves."""


def weighed(loss: Loss, before: Side, after: Side) -> Loss:
    """The loss, if nothing turns the features on, as that of tests that are not run."""
    target = TARGET.fullmatch(loss.key)
    if loss.rule != PARTLY or target is None or loss.node is None:
        return loss
    file = _file_of(target["name"], loss.node.path, after)
    asked = {canonical(item) for item in loss.node.items} if isinstance(loss.node.value, list) else set()
    if not asked or file not in before.paths or file not in after.paths:
        return loss
    on = _turned_on(loss.node.path, after)
    lost = sorted(asked - on) if on is not None else []
    return replace(loss, rule=NOT_RUN, text=f"asks for {', '.join(lost)}, which nothing turns on") if lost else loss


def _file_of(name: str, manifest: str, side: Side) -> str:
    folder = posixpath.dirname(manifest)
    listed = _read(side.text(manifest)).get("test", [])
    targets = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    said = next((each["path"] for each in targets if each.get("name") == name and "path" in each), None)
    plain = posixpath.join(folder, "tests", f"{name}.rs")
    nested = posixpath.join(folder, "tests", name, "main.rs")
    return posixpath.join(folder, str(said)) if said is not None else nested if nested in side.paths else plain


def _turned_on(manifest: str, side: Side) -> frozenset[str] | None:
    """The features of a package that are on somewhere; None where nobody can tell, or where no command runs tests."""
    paths = {*command_files(side), *filter(MAY_RUN.search, side.paths)}
    texts = [side.text(path) or "" for path in sorted(paths)]
    if not any(map(RUNS_TESTS.search, texts)) or any(ALL.search(each) or GIVEN.search(each) for each in texts):
        return None
    defined = features(side.text(manifest))
    said = {word for text in texts for word in WORD.findall(text)} & defined.keys()
    for path in sorted(side.paths):
        if posixpath.basename(path) == "Cargo.toml":
            said.update(_named({key: each for key, each in _read(side.text(path)).items() if key not in TABLES}))
    turned = (name.rpartition("/")[2] for name in sorted(said))
    return on_by_default({**defined, "default": (*defined.get("default", ()), *turned)})


def _named(table: Any) -> Iterator[str]:
    """What dependencies ask for."""
    for key, value in table.items() if isinstance(table, dict) else ():
        if key == "features" and isinstance(value, list):
            yield from map(str, value)
        else:
            yield from _named(value)


def _read(text: str | None) -> dict[str, Any]:
    try:
        return tomllib.loads(text or "")
    except tomllib.TOMLDecodeError:
        return {}
