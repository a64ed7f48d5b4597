"""Tests and settings that a script changes before it runs the check that needs them (class G09).

Rules, for a command that was not there before, where a check that looks for the file stands behind it within a page of
the same file:

- An editor that rewrites a test in place (`sed -i`, `perl -pi`, by `find -exec` and `xargs`, too), whose script is
  about tests and what they ask: `s/assert/pass/`, `/slow/d`. To set a version or an address is none.
- Settings of a runner or linter that are written by the script, and say what it leaves out.
- Code or tests that are fetched from another commit (`git checkout origin/main -- src`): it does not check the change.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.scope.contexts import SETTINGS, misses
from ralph.guardrails.checks.scope.taken_away import PAGE, stands_behind
from ralph.guardrails.checks.spoken import Spoken, newly_spoken
from ralph.guardrails.config.patterns import is_product
from ralph.guardrails.model import Hit, hit_at
from ralph.system.patterns import later

WORTH = later(
    r"\b(?:sed|perl|ruby|sd)\b.*\s-\w*i|\bgit\b.*\b(?:checkout|restore)\b|(?:>|\btee\b)\s*(?:-a\s+)?[\"']?[\w./-]*"
    r"(?:conftest\.py|\.ini|\.cfg|\.toml|rc|config\.[cm]?[jt]s|\.rspec|_helper\.rb|\.ya?ml|\.xml)\b"
)
EDITORS = frozenset(("sed", "gsed", "perl", "ruby", "sd"))
IN_PLACE = later(r"-\w*i\S*|--in-place\S*")
WEAKENS = later(
    r"(?i)skip|ignore|xfail|assert|expect|\btests?\b|test_|\bfact\b|should|panic|\braise\b|\bthrow\b|\bfail|\bpass\b|return"
    r"|exit|disabl|^/.*/d$|\bit\("
)
CODE = later(r"\.(?:py|rs|go|[cm]?[jt]sx?|java|kt|cs|rb|php|cc|cpp|c|swift|bats|exs)$")
WRITES = later(r"(?:>>?|\btee\b(?:\s+-a)?)\s*[\"']?(?P<path>[\w./-]*[\w-]\.?[\w.-]+)")
LEAVES_OUT = later(
    r"(?i)skip|ignore|exclude|\bomit\b|deselect|\bitems\b|\s-[km]\b|--lf\b|disable|[\"' ]off\b|fail_under|filter_run"
    r"|exitfirst|continue_on|pytest_(?:runtest|collection)"
)
MOST_LINES = 20


def prepared_hits(path: str, before: Reach, after: Reach) -> Iterator[Hit]:
    text = after.side.text(path) or ""
    if path not in before.side.paths or not after.of_file(path) or not WORTH.search(text):
        return
    there = before.side.paths & after.side.paths
    for said in newly_spoken(before.side, after.side, path):
        for name in _changed(said):
            files = sorted(file for file in there if _is_in(name, file))
            gate = _gate(path, said.line, said, files, after, any_file=said.words[0] == "git")
            if gate is not None:
                yield _hit(path, said.line, said.line_text, f"{name} is changed before {gate.text} runs")
                break
    yield from _settings(path, text, before, after)


def _settings(path: str, text: str, before: Reach, after: Reach) -> Iterator[Hit]:
    old = {line.strip() for line in (before.side.text(path) or "").split("\n")}
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        match = WRITES.search(line) if line.strip() not in old else None
        if match is None or not SETTINGS.search(match["path"]) or match["path"].startswith("/"):
            continue
        written = "\n".join(lines[number - 1 : number + MOST_LINES]) if "<<" in line else line
        if LEAVES_OUT.search(written.partition("\nEOF")[0]):
            gate = _gate(path, number, None, [posixpath.normpath(match["path"])], after)
            if gate is not None:
                yield _hit(path, number, line, f"{match['path']} is written before {gate.text} runs")


def _gate(
    path: str, line: int, said: Spoken | None, files: Sequence[str], after: Reach, *, any_file: bool = False
) -> Gate | None:
    """The check behind the line that needs one of the files; `any_file`: whatever it is."""
    for gate in after.of_file(path):
        behind = stands_behind(gate, said) if said is not None else 0 < gate.line - line <= PAGE
        for leaf in after.leaves(gate) if behind and files else ():
            if leaf.kind != "named" and (any_file or any(misses(leaf, file) for file in files)):
                return leaf
    return None


def _changed(said: Spoken) -> Sequence[str]:
    """Files and folders that a command changes."""
    words = [word.strip("\"'") for word in said.words]
    if said.variable or not words:
        return ()
    if words[0] == "git":
        return _fetched(words[1:])
    at = next((at for at, word in enumerate(words) if posixpath.basename(word) in EDITORS), -1)
    if at < 0 or not any(IN_PLACE.fullmatch(word) for word in words[at + 1 :]):
        return () if at < 0 or words[at] != "sd" else _named(words[at + 1 :])
    plain = [word for word in words[at + 1 :] if not word.startswith("-") and word not in ("{}", "+", ";", "\\;")]
    scripts = [*plain[:1], *(word for before, word in pairwise(words) if before == "-e")]
    if not any(WEAKENS.search(word) for word in scripts):
        return ()
    if words[0] == "find":
        return [word for word in words[1:at] if re.fullmatch(r"[\w./-]+", word) and not word.startswith("-")]
    if "xargs" in said.line_text:
        return re.findall(r"(?<![\w-])[\w.]+(?:/[\w.-]*)?", said.line_text.partition("xargs")[0])
    return _named(plain)


def _named(words: Sequence[str]) -> Sequence[str]:
    return [word for word in words if re.fullmatch(r"[\w./*-]+", word)]


def _fetched(words: Sequence[str]) -> Sequence[str]:
    """Paths that come from another commit than the one that is checked."""
    verb, rest = (words[0], list(words[1:])) if words else ("", [])
    if verb == "restore":
        source = any(re.match(r"(?:-s|--source)(?:=|$)", word) for word in rest)
        return [word for word in rest if not word.startswith("-")] if source else ()
    if verb != "checkout" or "--" not in rest:
        return ()
    at = rest.index("--")
    commits = [word for word in rest[:at] if not word.startswith("-")]
    return rest[at + 1 :] if commits and commits != ["HEAD"] else ()


def _is_in(name: str, file: str) -> bool:
    plain = posixpath.normpath(name).rstrip("/")
    if plain in (".", "*", "") or "$" in plain or not CODE.search(file):
        return False
    if "*" in plain:
        return re.fullmatch(re.escape(plain).replace(r"\*", "[^/]*"), file) is not None
    return file == plain or (file.startswith(f"{plain}/") and (not is_product(file) or "/" not in plain))


def _hit(path: str, line: int, text: str, detail: str) -> Hit:
    return hit_at("check.narrowed", path, line, detail, text.strip())
