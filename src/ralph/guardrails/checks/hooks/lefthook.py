"""Which files the commands of lefthook look at, and the tags by which a hook leaves some of them out (class G09, G16).

Rules, for a command or job that stood there before: `glob` and `exclude` must not take away a file of product code or
tests that both trees hold; tags that a hook excludes switch off the commands that have one, and so does `only` that
names nothing but merges and the like. A hook of git that has another name is none any more.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.patterns import is_product, is_test
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.system.globs import matches_any

NAMES = tuple(
    f"{dot}lefthook{local}{end}" for dot in ("", ".") for local in ("", "-local") for end in (".yml", ".yaml")
)

REFUSES = frozenset(("pre-commit", "pre-push", "commit-msg", "pre-merge-commit", "prepare-commit-msg", "pre-rebase"))
"""Hooks of git that may refuse something."""


def lefthook_hits(path: str, before: Side, after: Side) -> Iterator[Hit]:
    if posixpath.basename(path) not in NAMES:
        return
    old, new = before.node(path), after.node(path)
    if old is None or new is None:
        return
    for gone in sorted(REFUSES & old.mapping.keys() - new.mapping.keys()):
        heir = next((name for name in new.mapping if name not in old.mapping and _has_same(old, gone, new, name)), None)
        if heir is not None and heir not in REFUSES:
            yield hit_at(
                "check.switched-off", path, new.mapping[heir].line, f"{heir} is no hook that could refuse a commit"
            )
    had = {name: (hook, command) for name, hook, command in _commands(old)}
    there = [each for each in sorted(before.paths & after.paths) if is_product(each) or is_test(each)]
    for name, hook, command in _commands(new):
        if name not in had:
            continue
        was_hook, was = had[name]
        lost = next((each for each in there if _fits(was, each) and not _fits(command, each)), None)
        if lost is not None:
            yield hit_at("check.narrowed", path, command.line, f"{name} no longer looks at {lost}")
        if _is_left_out(hook, command) and not _is_left_out(was_hook, was):
            yield hit_at("check.switched-off", path, command.line, f"{name} has a tag that its hook leaves out")
        for part, was_part in ((command, was), (hook, was_hook)):
            if _only_for_merges(part) and not _only_for_merges(was_part):
                yield hit_at("check.switched-off", path, part.line, f"{name} runs for no commit of its own")
                break


def _has_same(old: Node, hook: str, new: Node, name: str) -> bool:
    """A hook under another name has a command of it still."""
    had, has = (
        {each for part in ("commands", "jobs") for each in _runs(side.mapping[key].at(part))}
        for side, key in ((old, hook), (new, name))
    )
    return bool(had & has)


def _runs(part: Node | None) -> Iterator[str]:
    for each in (*part.mapping.values(), *part.items) if part is not None else ():
        if (run := each.at("run")) is not None:
            yield canonical(run)


def _only_for_merges(part: Node) -> bool:
    only = part.at("only")
    return (
        only is not None
        and bool(only.items)
        and all(canonical(item) in ("merge", "rebase", "merge-commit") for item in only.items)
    )


def _commands(node: Node) -> Iterator[tuple[str, Node, Node]]:
    for hook_name, hook in node.mapping.items():
        commands, jobs = hook.at("commands"), hook.at("jobs")
        for name, command in commands.mapping.items() if commands is not None else ():
            yield f"{hook_name}/{name}", hook, command
        for job in jobs.items if jobs is not None else ():
            named = job.at("name") or job.at("run")
            if named is not None:
                yield f"{hook_name}/{canonical(named)}", hook, job


def _fits(command: Node, path: str) -> bool:
    """Without a glob it looks at every file; its stars cross folders."""
    globs, excluded = _texts(command.at("glob")), command.at("exclude")
    kept = not globs or any(_matches(glob, path) for glob in globs)
    return kept and not _is_excluded(excluded, path)


def _is_excluded(excluded: Node | None, path: str) -> bool:
    """A list holds globs, a text is an expression."""
    if excluded is None:
        return False
    if isinstance(excluded.value, list):
        return any(_matches(glob, path) for glob in _texts(excluded))
    try:
        return re.search(canonical(excluded), path) is not None
    except re.error:
        return False


def _matches(glob: str, path: str) -> bool:
    forms = [glob, f"**/{glob}"] if "/" not in glob else [glob]
    spread = [each for form in forms for each in _written_out(form)]
    return matches_any(path, tuple(spread))


def _written_out(glob: str) -> list[str]:
    match = re.search(r"\{([^{}]*)\}", glob)
    if match is None:
        return [glob]
    return [
        form
        for each in match[1].split(",")
        for form in _written_out(glob[: match.start()] + each + glob[match.end() :])
    ]


def _texts(node: Node | None) -> list[str]:
    return [canonical(item) for item in node.items] if node is not None else []


def _is_left_out(hook: Node, command: Node) -> bool:
    tags = {tag for text in _texts(command.at("tags")) for tag in text.split()}
    return bool(tags & set(_texts(hook.at("exclude_tags"))))
