"""Assertions of a language that its build leaves out of the run of the tests: `debug_assert!`, Java's `assert`.

Rule (policy set v2, class G10): a switch that takes them away blocks where the tree holds any that the tests are there
to trip; where it holds none, nothing is lost. What switches them off elsewhere (`jvm_tests`, `collecting`) is shown.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import Worse, truth
from ralph.guardrails.config.node import Key, Node
from ralph.guardrails.config.patterns import is_test
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.system.patterns import later

MISSED = "off, and the tree has some"
IN_RUST = later(r"(?<!\w)debug_assert(?:_eq|_ne)?!|cfg!?\(debug_assertions\)")
IN_JAVA = later(r"(?m)^[ \t]*assert\s+[^\s:;=][^;]*;")
IN_KOTLIN = later(r"(?m)^[ \t]*assert\s*\(")
OF_JVM: Mapping[str, re.Pattern[str]] = {".java": IN_JAVA, ".kt": IN_KOTLIN}
"""Groovy's and Spock's `assert` is their own, and always on."""
MOST_FILES = 600


def _heard(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    if before is None and after is not None and after.value == MISSED:
        yield Worse(node=after, text=f"is {MISSED}")


UNCHECKED = Row("asserted.*", _heard, "cfg.check.failures-ignored")
"""The row of a switch that is off: `asserted` says whether something hangs on it."""
PROFILES = ("test", "dev")
"""The profile of tests takes from that of development what it does not say."""


def asserted_in_tests(side: Side, folder: str = "") -> bool:
    """Whether tests of the JVM below a folder use the language's own assertions."""
    paths = (path for path in _below(side, folder) if path.endswith(tuple(OF_JVM)) and is_test(path))
    return any(OF_JVM[posixpath.splitext(path)[1]].search(text) for path, text in _texts(side, paths))


def unchecked(said: Iterator[tuple[Key, Node]], switch: str, side: Side, folder: str) -> Iterator[tuple[Key, Node]]:
    """Settings of a build, and what hangs on a switch of them that takes assertions away."""
    for key, node in said:
        yield key, node
        if key[0] == switch and truth(node, default=True) is False:
            yield ("asserted", *key[1:]), node.with_value(MISSED if asserted_in_tests(side, folder) else "off")


def _below(side: Side, folder: str) -> Iterator[str]:
    return (path for path in side.paths if not folder or path.startswith(f"{folder}/"))


def _texts(side: Side, paths: Iterator[str]) -> Iterator[tuple[str, str]]:
    touched = set(side.touched)
    for path, _ in zip(sorted(paths), range(MOST_FILES), strict=False):
        yield path, side.text(path) or ""
    side.touched = touched


def _of_cargo(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in files_named(side, "Cargo.toml"):
        side.touched = set()
        node = side.node(path)
        settings: dict[Key, Node] = {}
        asked = (node.at("profile", profile, "debug-assertions") for profile in PROFILES if node is not None)
        said = next((each for each in asked if each is not None), None)
        if said is not None and truth(said, default=True) is False:
            value = MISSED if _asserted_in_rust(side, posixpath.dirname(path)) else "off"
            settings = {("asserted", "debug-assertions"): said.with_value(value)}
        found[path] = Unit(settings, (path,))
    return found


def _asserted_in_rust(side: Side, folder: str) -> bool:
    paths = (path for path in _below(side, folder) if path.endswith(".rs"))
    return any(IN_RUST.search(text) for _, text in _texts(side, paths))


CARGO_ASSERTIONS = Tool(
    name="cargo's assertions",
    places=(Place("Cargo.toml"),),
    rows=(UNCHECKED,),
    suffixes=(".rs",),
    units=_of_cargo,
    units_are_files=True,
    adds_only=True,
)
