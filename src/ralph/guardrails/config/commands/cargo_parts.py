"""Packages and features that a command of cargo no longer names, or no longer takes one by one (class G09).

Rules:

- What another command of the head names, or means by `--workspace` or `--all-features`, is still looked at; but not by
  one that only builds, or that chooses tests where the old one did not.
- A package that no manifest of the head has, and a feature that is gone or on by default, is nothing to look at.
- A command that only builds, or writes documentation, looks at nothing.
- All sets of features (`cargo hack --feature-powerset`) hold each one, and each one with all of them.
- `--no-default-features` takes nothing away where none are on by default, or where another command leaves them on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from ralph.guardrails.config.command_files.scripts import Run
from ralph.guardrails.config.commands.cargo_words import FEATURES, PACKAGE, named, own, plain, verb
from ralph.guardrails.config.commands.manifests import features, on_by_default
from ralph.guardrails.config.node import names
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

LOOKS = frozenset(names("test t nextest llvm-cov tarpaulin miri mutants clippy check c bench"))
POWERSET, EACH, WITHOUT = "--feature-powerset", "--each-feature", "--no-default-features"
HELD = {
    PACKAGE: frozenset(("--workspace", "--all")),
    FEATURES: frozenset(("--all-features", EACH, POWERSET)),
    "cargo --all-features": frozenset(("--all-features", EACH, POWERSET)),
    f"cargo {EACH}": frozenset((EACH, POWERSET)),
    f"cargo {POWERSET}": frozenset((POWERSET,)),
}
"""With one of these, a command does what another one was told to do."""
LESS = frozenset(names("--no-run --list --doc --lib --bins --bin --examples --example --tests --test --exclude --skip"))
"""With one of these, or with the name of a test, a command does less."""
BY_NAME = frozenset(names("test t nextest bench"))
OPTIONAL = later(r"(?m)^\s*([\w-]+)\s*=\s*\{[^}\n]*\boptional\s*=\s*true")
"""A dependency that is a feature of its own."""
NAME = later(r"(?m)^\s*name\s*=\s*[\"']([^\"']+)[\"']")


def is_left_to_others(loss: Loss, was: Run, now: Run | None, runs: Callable[[], Iterable[Run]], after: Side) -> bool:
    """Nothing that a command no longer names was looked at by it alone. `runs` gives those of the whole head."""
    if now is None:
        return False
    if loss.key == "cargo --depth":
        return POWERSET not in was.words
    if loss.key == f"cargo {WITHOUT}":
        return _needs_no_defaults(was, now, runs, after)
    if loss.key not in HELD or verb(was.words) not in LOOKS:
        return loss.key in (FEATURES, PACKAGE) and bool(named(was.words, loss.key))
    chosen = loss.key in (FEATURES, PACKAGE)
    lost = named(was.words, loss.key) - named(now.words, loss.key) if chosen else {""}
    if not lost:
        return False
    if chosen:
        lost &= _known(loss.key, after)
    for run in (now, *(runs() if lost else ())):
        if run is now or _does_as_much(run, was):
            if HELD[loss.key] & set(own(run.words)):
                return True
            given = _with_meant(named(run.words, loss.key), after) if chosen else ()
            lost = {name for name in lost if not any(fnmatchcase(name, each) for each in given)}
    return not lost


def _needs_no_defaults(was: Run, now: Run, runs: Callable[[], Iterable[Run]], after: Side) -> bool:
    if verb(was.words) not in LOOKS or not any(len(on_by_default(each)) > 1 for each in _features(after)):
        return True
    same = (run for run in (now, *runs()) if run is now or _does_as_much(run, was))
    return any(WITHOUT not in run.words or {EACH, POWERSET} & set(run.words) for run in same)


def _does_as_much(run: Run, was: Run) -> bool:
    same = run.words[0] == "cargo" and verb(run.words) == verb(was.words)
    return same and _less(run.words) <= _less(was.words)


def _less(words: Sequence[str]) -> set[str]:
    """What a command says that keeps it from some of its work; of words that are filled in nobody can tell."""
    tests = [word for word in plain(words) if "$" not in word] if verb(words) in BY_NAME else ()
    return {word.partition("=")[0] for word in words} & LESS | set(tests)


def _known(key: str, after: Side) -> set[str]:
    """The packages of a tree, or its features that are not on by themselves."""
    if key == PACKAGE:
        return {name for text in _manifests(after) for name in NAME.findall(text)}
    return {name for each in _features(after) for name in each.keys() - on_by_default(each)}


def _with_meant(given: set[str], after: Side) -> set[str]:
    """The names, with the features that a feature of one of these names turns on."""
    defined = [on_by_default({**each, "default": tuple(given)}) for each in _features(after)]
    return given.union(*defined)


def _features(after: Side) -> list[Mapping[str, tuple[str, ...]]]:
    return [{**dict.fromkeys(OPTIONAL.findall(text), ()), **features(text)} for text in _manifests(after)]


def _manifests(after: Side) -> list[str]:
    return [after.text(path) or "" for path in sorted(after.paths) if path.endswith("Cargo.toml")]
