"""Rust: lint levels that a crate sets in code, compared before and after (policy set v2, class G12).

A lint that a crate forbade, denied or warned about, and now does less about, is a finding, unless a `Cargo.toml` of the
same change names it: `[lints]` is the other place for it. It is looked for by all of its names (`lint_names`). A level
under `cfg_attr` is less than the level itself. A package that is deleted takes its levels along, as does a module that
is declared nowhere any more, if nothing arrives that its code may have moved to.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

import tree_sitter

from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.rust.lint_names import spelled
from ralph.guardrails.source import Source
from ralph.guardrails.tokens import Token, group_end, split, tokens
from ralph.record import record
from ralph.system.patterns import later

LEVELS = {"forbid": 4.0, "deny": 3.0, "warn": 2.0, "expect": 1.0, "allow": 1.0}
FORBID, CONDITIONAL = LEVELS["forbid"], 0.5
INNER = later(rb"#!\s*\[")
DEFINED = later(rb"\b(?:fn|struct|enum|trait|macro_rules!)[ \t]+(\w+)")


@record
class Level:
    strictness: float
    source: Source
    node: tree_sitter.Node


Levels = dict[str, Level]


def crate_levels(change: Change) -> Iterator[Hit]:
    paths = [file.path for file in change.files if file.path.endswith(".rs")]
    before = {path: levels(path, change.blobs.before(path)) for path in paths}
    if not any(before.values()):
        return
    after = {path: levels(path, change.blobs.after(path)) for path in paths}
    everywhere = {lint: level for said in after.values() for lint, level in said.items()}
    manifests = _manifests(change)
    for path in paths:
        head = everywhere if change.blobs.after(path) is None else after[path]
        if change.blobs.after(path) is None and (_package_is_gone(path, change) or _module_is_gone(path, change)):
            continue
        for lint, old in sorted(before[path].items()):
            if old.strictness > LEVELS["allow"] and not _named(lint, manifests):
                yield from _weaker(lint, old, head.get(lint) or _renamed(lint, head))


def _package_is_gone(path: str, change: Change) -> bool:
    """Its manifest is deleted with it, and nothing arrives that its code may have moved to."""
    manifest = posixpath.join(posixpath.dirname(posixpath.dirname(path)), "Cargo.toml")
    gone = change.blobs.before(manifest) is not None and change.blobs.after(manifest) is None
    return gone and not any(file.status == "A" and file.path.endswith((".rs", "Cargo.toml")) for file in change.files)


def _module_is_gone(path: str, change: Change) -> bool:
    """A file that declared it no longer does, and nothing that it defined is defined anew."""
    folder, _, name = path.removesuffix(".rs").removesuffix("/mod").rpartition("/")
    parents = (f"{folder}.rs", *(posixpath.join(folder, root) for root in ("mod.rs", "lib.rs", "main.rs")))
    declared = re.compile(rb"\bmod\s+" + re.escape(name.encode()) + rb"\b")
    undeclared = any(
        declared.search(change.blobs.before(parent) or b"")
        and not declared.search(change.blobs.after(parent) or b"mod " + name.encode())
        for parent in parents
    )
    if not undeclared or any(file.status == "A" and file.path.endswith(".rs") for file in change.files):
        return False
    own = frozenset(DEFINED.findall(change.blobs.before(path) or b""))
    added = (line for file in change.files if file.path.endswith(".rs") for hunk in file.hunks for line in hunk.added)
    return own.isdisjoint(DEFINED.findall(b"\n".join(added)))


def _renamed(lint: str, head: Levels) -> Level | None:
    return next((level for name, level in head.items() if spelled(name) == spelled(lint)), None)


def _weaker(lint: str, old: Level, new: Level | None) -> Iterator[Hit]:
    rule = "rust.lint-lowered"
    if new is None:
        snippet = old.source.line_text(old.node.start_point.row + 1)
        path, detail = old.source.path, f"{lint} is gone"
        yield hit_at(rule, path, 0, detail, snippet, key=lint)
    elif new.strictness < old.strictness:
        yield new.source.hit(rule, new.node, lint, detail=f"{lint} was stricter")


def levels(path: str, data: bytes | None) -> Levels:
    """The lints that the crate attributes of a file name. Of two levels the last counts, but nothing undoes forbid."""
    if data is None or not INNER.search(data):
        return {}
    source = Source(path, "rust", data)
    found: Levels = {}
    for node in source.tree.root_node.children:
        if node.type == "inner_attribute_item":
            for lint, strictness in _attribute(tokens(source, node)):
                if lint not in found or found[lint].strictness < FORBID:
                    found[lint] = Level(strictness, source, node)
    return found


def _attribute(words: Sequence[Token]) -> Iterator[tuple[str, float]]:
    conditional = any(word.text == "cfg_attr" for word in words)
    for index, word in enumerate(words[:-1]):
        if word.text in LEVELS and words[index + 1].text == "(":
            strictness = LEVELS[word.text] - (CONDITIONAL if conditional else 0)
            for part in split(words[index + 2 : group_end(words, index + 1)]):
                if part[0].text != "reason":
                    yield "".join(token.text for token in part), strictness


def _manifests(change: Change) -> str:
    paths: Iterable[str] = (file.path for file in change.files if file.path.endswith("Cargo.toml"))
    return "\n".join((change.blobs.after(path) or b"").decode("utf-8", "replace") for path in paths)


def _named(lint: str, manifests: str) -> bool:
    return re.search(rf"\b{re.escape(lint.rpartition('::')[2])}\b", manifests) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (crate_levels,)
