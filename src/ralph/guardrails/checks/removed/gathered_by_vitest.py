"""A runner of JavaScript's tests that is gone, as Vitest's configuration holds its tests now (policy set v2, G16).

`mocha --recursive test/node` is gone, and a project of `vitest.config.js` has `./test/{node,shared}/**/*.test.js`.

Rules:

- Vitest is run without paths and without an option that chooses tests, unconditionally.
- The other runner was given files and folders of the tree. Each file of tests in them fits a list of one configuration
  at Vitest's place, none of whose patterns leaves it out, and that looks at no folder of its own.
- A file without a name of tests that holds some is one of them, unless it is loaded by one.
- A pattern of compiled files (`test/ts/**/*-test.js`) that fits none of the tree is about all tests of TypeScript below
  its folder: what they are compiled to, beside them, is what must fit.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.scope.looked_at import UNKNOWN, plain, targets, within
from ralph.guardrails.config.lattice import words
from ralph.guardrails.config.node import Settings, canonical
from ralph.guardrails.config.patterns import covers, spelled_out, written_out
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tools.runners import VITEST
from ralph.system.globs import matches_any
from ralph.system.patterns import later

RUNNERS = frozenset({"mocha", "jest", "ava", "tap", "uvu", "jasmine"})
HARMLESS = later(
    r"run|--run|--(?:no-)?colou?r|--silent|--coverage(?:=true)?|--reporter=[\w-]+|--bail(?:=\d+)?|--globals"
)
CHOOSES = later(r"-[gft]|--(?:grep|fgrep|invert|ignore|exclude|match|only\w*|testNamePattern|filter)(?:=.*)?")
NAMED = later(r"[\w.-]+[._-](?:test|spec)\.(?:[cm]?[jt]s|[jt]sx)")
TYPED = later(r"\.tsx?$")
SCRIPT = later(r"\.(?:[cm]?[jt]s|[jt]sx)$")
HOLDS_TESTS = later(rb"(?<![\w.])(?:it|test|describe|suite)(?:\.\w+)?\(")
ELSEWHERE = frozenset({"dir", "root"})
MOST = 2_000


def gathered_by_vitest(was: Gate, others: Iterable[Gate], after: Side) -> Gate | None:
    """The run of Vitest that holds what the other runner did; None where that cannot be told."""
    given = [plain(target) for target in targets(was)] if was.words[0] in RUNNERS else []
    if not given or any(UNKNOWN.search(each) for each in given) or any(map(CHOOSES.fullmatch, was.words[1:])):
        return None
    runs = [gate for gate in others if gate.words[0] == "vitest" and not gate.flaws and _runs_all(gate)]
    runs = [gate for gate in runs if posixpath.dirname(gate.path) == posixpath.dirname(was.path)]
    tests = _tests(given, posixpath.dirname(was.path), after) if runs else []
    unit = VITEST.find_units(after).get(posixpath.dirname(was.path)) if tests else None
    if unit is None or len(tests) > MOST:
        return None
    lists = list(_lists(unit.settings))
    return runs[0] if all(any(_holds(each, path) for each in lists) for path in tests) else None


def _runs_all(gate: Gate) -> bool:
    return "watch" not in gate.words and all(map(HARMLESS.fullmatch, gate.words[1:]))


def _tests(given: Iterable[str], folder: str, after: Side) -> list[str]:
    """The files of tests that the other runner was given, seen from its own folder, as it would load them."""
    prefix = f"{folder}/" if folder else ""
    paths = (path.removeprefix(prefix) for path in after.paths if path.startswith(prefix) and SCRIPT.search(path))
    there = sorted(paths)
    found: dict[str, str] = {}
    for each in given:
        held = {path: path for path in there if within(path, each)}
        below = each.partition("*")[0] if each.endswith(".js") else ""
        if not held and below.endswith("/"):
            held = {path: TYPED.sub(".js", path) for path in there if path.startswith(below) and TYPED.search(path)}
        if not held:
            return []
        found |= held
    named = [path for path in found if NAMED.fullmatch(posixpath.basename(path))]
    texts = [after.text(prefix + path) or "" for path in named[:MOST]]
    rest = [path for path in found if path not in named and HOLDS_TESTS.search(after.bytes(prefix + path) or b"")]
    return [found[path] for path in (*named, *(path for path in rest if not _is_loaded(path, texts)))]


def _is_loaded(path: str, texts: Iterable[str]) -> bool:
    name = posixpath.splitext(posixpath.basename(path))[0]
    loads = re.compile(rf"(?:from|import|require\()\s*[\"'][./][^\"'\n]*\b{re.escape(name)}(?:\.\w+)?[\"']")
    return any(name in text and loads.search(text) for text in texts)


def _lists(settings: Settings) -> Iterator[Settings]:
    """What each configuration of tests says: that of a project, or the only one."""
    owners = {key[:2] for key in settings if key[0] in ("projects", "several")} or {()}
    for owner in owners:
        yield {key[len(owner) :]: node for key, node in settings.items() if key[: len(owner)] == owner}


def _holds(said: Settings, path: str) -> bool:
    if any(key[0] in ELSEWHERE for key in said) or ("include",) not in said:
        return False
    if any(covers(canonical(item), path, regex=False) for item in words(said.get(("exclude",)))):
        return False
    patterns = (canonical(item).removeprefix("./") for item in words(said[("include",)]))
    return any(
        matches_any(path, written_out(spelled_out(pattern))) for pattern in patterns if not pattern.startswith("!")
    )
