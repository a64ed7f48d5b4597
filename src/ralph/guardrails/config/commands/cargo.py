"""What words of a cargo command say nothing about tests, although they look like options of a test run.

Rules:

- The toolchain (`+nightly`) comes before the word that says what cargo does.
- A command that sees to packages (`cargo update -p serde`) runs no check: its options choose packages.
- `cargo fmt` in the folder of a workspace takes all its members, as with `--all`: only where it is run could tell.
- nextest runs no examples of the documentation: `cargo test --doc` beside it completes it.
- `cargo hack --skip` leaves features out. One that came with the change, which takes none away, was never checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ralph.guardrails.config.command_files.scripts import Run
from ralph.guardrails.config.commands.cargo_words import plain
from ralph.guardrails.config.commands.manifests import features
from ralph.guardrails.config.node import canonical, names
from ralph.guardrails.config.options.harm import FILTERED, PARTLY
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.record import replace

PACKAGES = frozenset(
    names(
        "add fetch generate-lockfile info init install locate-project login logout metadata new owner pkgid publish "
        "remove rm search tree uninstall update upgrade vendor version yank"
    )
)
NOT_DOCUMENTED = frozenset(("--lib", "--bins", "--examples"))
PROGRAMS = frozenset(("run", "r"))
PARTS = frozenset(("--partition", "--shard", "--no-run", "--run-ignored"))
LEFT_OUT = ("--skip", "--exclude-features")


def sees_to_packages(words: Sequence[str]) -> bool:
    """A program of one's own that is given words may be what runs the checks (`cargo run -p xtask -- test`)."""
    verb = _verb(words) if words[0] == "cargo" else ""
    return verb in PACKAGES or (verb in PROGRAMS and "--" not in words)


def in_its_place(loss: Loss, words: Sequence[str]) -> Loss:
    """The loss, milder where it depends on the folder in which the command is run."""
    everywhere = loss.rule == FILTERED and loss.key == "workspace"
    return replace(loss, rule=PARTLY) if everywhere and words[0] == "cargo" and _verb(words) == "fmt" else loss


def is_run_beside(loss: Loss, now: Run, as_strong: Iterable[Run]) -> bool:
    """`cargo test --doc` does what is left where another command of the file runs all other tests."""
    if (
        loss.rule != FILTERED
        or loss.key != "cargo --lib"
        or NOT_DOCUMENTED & set(now.words)
        or "--doc" not in now.words
    ):
        return False
    others = (run for run in as_strong if run.node.path == now.node.path and run.words[0] == "cargo")
    return any(_runs_all(run.words) and "||" not in canonical(run.node) for run in others)


def _runs_all(words: Sequence[str]) -> bool:
    """All tests but those of the documentation: `cargo nextest run`, `cargo test --all-targets`, and no names."""
    verbs = plain(words)
    if any(word.partition("=")[0] in PARTS for word in words):
        return False
    return verbs in (["nextest", "run"], ["nextest", "r"]) or ("--all-targets" in words and verbs in (["test"], ["t"]))


def without_new_features(run: Run, before: Side, after: Side) -> Run:
    """The command without features that it leaves out and that the base did not have."""
    if run.words[0] != "cargo" or _verb(run.words) != "hack" or not any(word in LEFT_OUT for word in run.words):
        return run
    had, has = _features(before), _features(after)
    if had - has:
        return run
    words = list(run.words)
    for index, word in enumerate(words[1:], start=1):
        if words[index - 1] in LEFT_OUT:
            words[index] = ",".join(name for name in re.split(r"[,\s]+", word) if name not in has - had)
    return run._replace(words=tuple(words))


def _verb(words: Sequence[str]) -> str:
    return next(iter(plain(words)), "")


def _features(side: Side) -> set[str]:
    return {name for path in side.paths if path.endswith("Cargo.toml") for name in features(side.text(path))}
