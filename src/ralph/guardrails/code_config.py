"""Strictness that is set in code: SimpleCov's thresholds and Rust's crate-wide lint levels (classes G11 and G12).

Rules (policy set v2):

- a threshold that falls, or is gone, is a finding; a new or a raised one is none; a value that is no number counts
  as 0; of several the last of a file and the lowest of the files counts, as when all of them are loaded;
- a new filter that hides more than tests and vendored code, and another `:nocov:` mark, are findings;
- a lint that a crate denied or warned about and now does less about is a finding, unless `Cargo.toml` names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

import tree_sitter

from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.tokens import group_end, tokens

WORD = re.compile(rb"coverage|add_filter|nocov_token|skip_token|SimpleCov")
USUAL_FILES = re.compile(r"(?:^|/)(?:\.simplecov|(?:spec|rails|test)_helper\.rb|\w*(?:simple)?cov\w*\.rb)$")
FLOORS = frozenset({"minimum_coverage", "minimum_coverage_by_file", "minimum_coverage_by_group"})
CEILINGS = frozenset({"maximum_coverage_drop"})
SWITCHES = frozenset({"refuse_coverage_drop", "enable_coverage", "enable_coverage_for_eval"})
NOT_PRODUCT = re.compile(r"^\W*(?:specs?|tests?|features|vendor|config|db|bin|node_modules|coverage|tmp|\.\w+)\b")
LEVELS = {"forbid": 4, "deny": 3, "warn": 2, "expect": 1, "allow": 1}
INNER = re.compile(rb"#!\s*\[")


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that a file sets: how strict it is, and where."""

    strictness: float
    source: Source
    node: tree_sitter.Node


Settings = dict[str, Setting]


def simplecov(change: Change) -> Iterator[Hit]:
    touched = [file.path for file in change.files if _is_ruby(file.path)]
    changed = {path for path in touched if any(_holds(read(path), WORD) for read in _sides(change))}
    if not changed:
        return
    before = _ruby_settings(change.blobs.before, changed | _usual(change.blobs.paths_before()))
    after = _ruby_settings(change.blobs.after, changed | _usual(change.blobs.paths_after()))
    for name, old in sorted(before.items()):
        if name.startswith("filter ") or name.startswith("token "):
            continue
        yield from _weaker("ruby.coverage-lowered", name, old, after.get(name))
    for name in sorted(after.keys() - before.keys()):
        if name.startswith(("filter ", "token ")) and after[name].source.path in changed:
            yield after[name].source.hit("ruby.coverage-filter", after[name].node, name)


def crate_levels(change: Change) -> Iterator[Hit]:
    touched = [file.path for file in change.files if file.path.endswith(".rs")]
    manifests = b"\n".join(
        change.blobs.after(file.path) or b"" for file in change.files if file.path.endswith("Cargo.toml")
    ).decode("utf-8", "replace")
    everywhere = _merged(_levels(path, change.blobs.after(path)) for path in touched)
    for path in touched:
        head = change.blobs.after(path)
        after = everywhere if head is None else _levels(path, head)
        for lint, old in sorted(_levels(path, change.blobs.before(path)).items()):
            name = lint.rpartition("::")[2]
            if old.strictness > 1 and not re.search(rf"\b{re.escape(name)}\b", manifests):
                yield from _weaker("rust.lint-lowered", lint, old, after.get(lint))


def _weaker(rule: str, name: str, old: Setting, new: Setting | None) -> Iterator[Hit]:
    if new is not None and new.strictness < old.strictness:
        yield new.source.hit(rule, new.node, name, detail=f"{name} was stricter")
    elif new is None:
        snippet = old.source.line_text(old.node.start_point.row + 1)
        yield Hit(rule=rule, path=old.source.path, line=0, column=0, key=name, snippet=snippet, detail=f"{name} is gone")


def _ruby_settings(read: Callable[[str], bytes | None], paths: Iterable[str]) -> Settings:
    """What the files set together: the least strict of them."""
    files = [_ruby_file(Source(path, "ruby", data)) for path in sorted(paths) if _holds(data := read(path) or b"", WORD)]
    found: Settings = {}
    for settings in files:
        for name, setting in settings.items():
            if name not in found or setting.strictness < found[name].strictness:
                found[name] = setting
    return found


def _ruby_file(source: Source) -> Settings:
    found: Settings = {}
    for node in source.walk():
        method = node.child_by_field_name("method") if node.type == "call" else None
        if method is None:
            continue
        name = source.text(method)
        assigned = node.parent is not None and node.parent.type == "assignment"
        values = [node.parent.child_by_field_name("right")] if assigned and node.parent else _arguments(node)
        for value in values:
            if value is not None:
                found.update(_setting(source, name, node, value))
        if name in SWITCHES and not values:
            found[name] = Setting(1, source, node)
        if name == "add_filter" and node.child_by_field_name("block") is not None:
            found[f"filter {source.text(node)}"] = Setting(0, source, node)
    return found


def _setting(source: Source, name: str, node: tree_sitter.Node, value: tree_sitter.Node) -> Iterator[tuple[str, Setting]]:
    parts = value.named_children if value.type in ("hash", "array") else [value]
    for part in parts:
        key, amount = part.child_by_field_name("key"), part.child_by_field_name("value")
        text = source.text(amount or part)
        if name in FLOORS | CEILINGS:
            number = float(text) if re.fullmatch(r"\d+(?:\.\d+)?", text.replace("_", "")) else 0.0
            of = source.text(key).strip(":") if key is not None else "line"
            yield f"{name} {of}", Setting(number if name in FLOORS else -number, source, node)
        elif name in SWITCHES:
            yield f"{name} {text}", Setting(1, source, node)
        elif name == "add_filter" and not NOT_PRODUCT.match(text.strip("\"'%r{/(")):
            yield f"filter {text}", Setting(0, source, node)
        elif name in ("nocov_token", "skip_token"):
            yield f"token {text}", Setting(0, source, node)


def _levels(path: str, data: bytes | None) -> Settings:
    """The lints that crate attributes at the top of a file name, the weakest level of each but `forbid` first."""
    if not _holds(data, INNER):
        return {}
    source = Source(path, "rust", data or b"")
    found: Settings = {}
    for node in source.tree.root_node.children:
        if node.type != "inner_attribute_item":
            continue
        words = tokens(source, node)
        level = next((index for index, word in enumerate(words) if word.text in LEVELS), None)
        if level is None or level + 1 >= len(words):
            continue
        conditional = any(word.text == "cfg_attr" for word in words)
        listed = "".join(word.text for word in words[level + 2 : group_end(words, level + 1)] if word.kind != "string")
        for lint in filter(None, listed.removesuffix(",reason=").split(",")):
            strictness = LEVELS[words[level].text] - 0.5 * conditional
            if lint not in found or found[lint].strictness < 4:
                found[lint] = Setting(strictness, source, node)
    return found


def _merged(files: Iterable[Settings]) -> Settings:
    return {name: setting for settings in files for name, setting in settings.items()}


def _arguments(call: tree_sitter.Node) -> list[tree_sitter.Node | None]:
    listed = call.child_by_field_name("arguments")
    return [] if listed is None else list(listed.named_children)


def _usual(paths: Iterable[str]) -> set[str]:
    return {path for path in paths if USUAL_FILES.search(path)}


def _is_ruby(path: str) -> bool:
    return path.endswith(".rb") or PurePosixPath(path).name in (".simplecov", "Rakefile")


def _sides(change: Change) -> tuple[Callable[[str], bytes | None], ...]:
    return (change.blobs.before, change.blobs.after)


def _holds(data: bytes | None, form: re.Pattern[bytes]) -> bool:
    return data is not None and form.search(data) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (simplecov, crate_levels)
