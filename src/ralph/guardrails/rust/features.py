"""Rust: tests that went behind a new feature together with the code that they test (policy set v2, class G04).

Rule: a test of the base that the head builds with features only is for a person, if each of them

- came into the manifest of its package with the change, which is how code becomes optional,
- keeps code back that is no test, in a file of the package that the change touches,
- is on by default, or is named (or meant by `--all-features`) where a command of the head runs the tests.

One that is on by default takes nothing away, unless every run of the tests leaves those out. A feature that only tests
ask for, or that nothing turns on, takes the test away. A test that is built where a feature is off, which is on by
default, is for a person where a command of the head runs the tests without those.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.commands.manifests import features, manifest_of, on_by_default
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.rust.gated import Gated
from ralph.guardrails.rust.inventory import RustTests, is_test_file
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded, one_line_end
from ralph.record import replace
from ralph.system.patterns import later

BEHIND = later(r"it is built with `(.*)` only$", re.DOTALL)
FEATURE = later(r"\bfeature\s*=\s*\"([^\"]+)\"")
ELSE = later(r"\b(?!all\b|any\b)\w+")
"""What a condition may not hold beside its features: `not` turns them round."""
ASKED = later(r"(?:--features|-F)[ =]+(?P<named>[^#]*)|(?P<all>--all-features)\b")
WITHOUT = later(r"not\(\s*feature\s*=\s*\"[^\"]+\"\s*\)")
OFF = later(r"--(?:no-default-features|each-feature|feature-powerset)\b")
NO_DEFAULTS = "--no-default-features"
COMMENT = later(r"(?m)(?<!\S)#.*$")
TOLD = later(r"\b(?:echo|printf)\b|--no-run\b|^\s*-?\s*name:")
"""What runs no test, whatever it names."""
COMMAND_END = later(r"\n|&&|;|\|\|")
RUNS_TESTS = later(r"\bcargo\b[^#]*\b(?:test|t|nextest|llvm-cov|tarpaulin|miri)\b")
RUNS_OTHERS = later(
    r"\bcargo\b[^#]*\b(?:bench|build|b|check|c|clippy|doc|d|fmt|install|package|publish|run|r|rustdoc)\b"
)


def with_their_code(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    asked: _Features | None = None
    gated: Gated | None = None
    for hit in hits:
        behind = BEHIND.search(hit.detail or "") if hit.rule == "test.not-run" else None
        if behind is not None:
            asked = asked or _Features(change)
            if asked.are_on(hit.path, behind[1]):
                continue
            gated = gated or Gated(change)
            test = tuple((hit.detail or "").partition(f": {behind[0]}")[0].split(" > "))
            if asked.took_code_along(hit.path, behind[1]) or gated.was_needed(hit.path, test):
                hit = replace(hit, rule="py.skip-condition")
        yield hit


class _Features:
    """What the features of a change's packages keep back, and where they are on."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def are_on(self, path: str, condition: str) -> bool:
        """Nobody has to ask for the features that a test is built with."""
        names, manifest = FEATURE.findall(condition), manifest_of(path, self._change.blobs.paths_after())
        if not names or manifest is None or ELSE.search(FEATURE.sub("", condition)):
            return False
        return self._on_by_default(_defined(self._change.blobs.after(manifest))).issuperset(names)

    def took_code_along(self, path: str, condition: str) -> bool:
        if WITHOUT.fullmatch(condition):
            return self._without_defaults
        names = FEATURE.findall(condition)
        if not names or ELSE.search(FEATURE.sub("", condition)):
            return False
        manifest = manifest_of(path, self._change.blobs.paths_after())
        if manifest is None:
            return False
        known, defined = (_defined(side(manifest)) for side in (self._change.blobs.before, self._change.blobs.after))
        folder, default = posixpath.dirname(manifest), self._on_by_default(defined)
        return all(
            name in defined
            and name not in known
            and (name in default or name in self._named or self._all)
            and self._keeps_code_back(name, folder)
            for name in names
        )

    def _keeps_code_back(self, name: str, folder: str) -> bool:
        for file in self._change.files:
            if not file.path.endswith(".rs") or is_test_file(file.path) or not file.path.startswith(folder):
                continue
            if any(f'"{name}"'.encode() in line for hunk in file.hunks for line in hunk.added):
                product = _product(file.path, self._change.blobs.after(file.path))
                if re.search(rf'\bcfg(?:_attr|!)?\s*\([^\n]*\bfeature\s*=\s*"{re.escape(name)}"', product):
                    return True
        return False

    @cached_property
    def _said(self) -> list[str]:
        """The commands of the head, without what is only told to people."""
        side = Side(self._change.blobs.after, self._change.blobs.paths_after())
        texts = (COMMENT.sub("", side.text(path) or "") for path in command_files(side))
        return [line for text in texts for line in COMMAND_END.split(text) if not TOLD.search(line)]

    @cached_property
    def _fitting(self) -> list[str]:
        """Those that run tests, and variables that they are given by."""
        return [line for line in self._said if RUNS_TESTS.search(line) or not RUNS_OTHERS.search(line)]

    @cached_property
    def _lines(self) -> list[re.Match[str]]:
        """Where they ask for features."""
        return [found for line in self._fitting for found in ASKED.finditer(line)]

    @cached_property
    def _without_defaults(self) -> bool:
        return any(OFF.search(line) for line in self._fitting)

    def _on_by_default(self, defined: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
        """What nobody has to ask for; nothing, where every run of the tests leaves that out."""
        runs = [line for line in self._said if RUNS_TESTS.search(line)]
        left_out = bool(runs) and all(NO_DEFAULTS in line for line in runs)
        return frozenset() if left_out else on_by_default(defined)

    @cached_property
    def _named(self) -> frozenset[str]:
        return frozenset(word for found in self._lines for word in re.findall(r"[\w-]+", found["named"] or ""))

    @cached_property
    def _all(self) -> bool:
        return any(found["all"] for found in self._lines)


def _defined(manifest: bytes | None) -> Mapping[str, tuple[str, ...]]:
    return features((manifest or b"").decode("utf-8", "replace"))


def _product(path: str, data: bytes | None) -> str:
    """A file without its modules of tests."""
    try:
        source = Source(path, "rust", one_line_end("rust", decoded("rust", data or b"")))
    except UnreadableError:
        return ""
    return RustTests(source).product([]).decode("utf-8", "replace")
