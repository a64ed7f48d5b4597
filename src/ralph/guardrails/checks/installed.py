"""The runners and linters that a project installs: where they come from, and which release (class G15)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatch

from ralph.guardrails.checks.tables import PROGRAMS
from ralph.guardrails.config.node import Node, canonical, flat
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit
from ralph.system.patterns import later

TOOLS = frozenset(PROGRAMS) | frozenset(
    (
        "black",
        "isort",
        "prettier",
        "typescript",
        "coverage",
        "pytest-cov",
        "nyc",
        "@playwright/test",
        "@biomejs/biome",
        "ts-jest",
        "husky",
    )
)
REQUIREMENTS = (
    "requirements*.txt",
    "*requirements.txt",
    "constraints*.txt",
    "dev-requirements*.in",
    "requirements*.in",
)
SECTIONS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides", "resolutions")
ELSEWHERE = later(
    r"^(?:file|link|portal|git|git\+\w+|github|https?|patch|workspace-fake):|^\.{0,2}/|^npm:|@\s*(?:file|git\+|https?)|^[\w-]+/[\w.-]+(?:#|$)"
)
OWNERS = (
    "(?:pytest-dev|astral-sh|python|psf|PyCQA|nedbat|tox-dev|wntrblm|pylint-dev|microsoft|facebook|jestjs|vitest-dev|mochajs"
    "|eslint|prettier|biomejs|avajs|cypress-io|istanbuljs|typicode|kulshekhar|typescript-eslint|stylelint|tapjs|xojs)"
)
"""Whose repositories of a tool's name are the tool."""
LOCAL = later(r"^(?:(?:-e|--editable)\s+)?(?:\.{1,2}/|file:)(?:\S*/)?(?P<name>[A-Za-z][\w.]*?)(?:-\d\S*)?/?$")
ENTRY = later(r"^(?P<name>[A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?P<rest>(?:[=<>~!@].*)?)$")
NPMRC = {
    "script-shell": later(r"."),
    "node-options": later(r"--(?:require|import|loader)|-r\b"),
    "audit": later(r"false"),
    "prefix": later(r"^\.|/tmp"),
}


def installed_hits(path: str, before: Side, after: Side) -> Iterator[Hit]:
    name = posixpath.basename(path)
    if name in (".npmrc", ".yarnrc", ".yarnrc.yml"):
        yield from _npmrc(path, before, after)
        return
    old, new = dict(_packages(before, path)), dict(_packages(after, path))
    for package, node in new.items():
        was, now = old.get(package), canonical(node)
        tool = _tool(package)
        if tool is None or (was is not None and canonical(was) == now):
            continue
        if (
            ELSEWHERE.search(now)
            and not (was is not None and ELSEWHERE.search(canonical(was)))
            and not _same_tool(tool, now)
        ):
            yield _hit("env.runner-replaced", path, node, f"{tool} comes from {now[:100]}")
        elif was is not None and _release(now) and _release(now) < _release(canonical(was)):
            yield _hit("env.runner-downgraded", path, node, f"{tool} goes from {canonical(was)} to {now}"[:150])


def _same_tool(tool: str, now: str) -> bool:
    """`npm:jest@29` and the tool's own repository are the tool."""
    return (
        re.search(
            rf"^npm:(?:@[\w-]+/)?{re.escape(tool)}@|^workspace:|^catalog:|github\.com[/:]{OWNERS}/{re.escape(tool)}\b",
            now,
        )
        is not None
    )


def _tool(package: str) -> str | None:
    name = package.rpartition(" ")[2]
    return name if name.lower() in TOOLS else None


def _packages(side: Side, path: str) -> Iterator[tuple[str, Node]]:
    name = posixpath.basename(path)
    if name == "package.json":
        node = side.node(path)
        for section in SECTIONS:
            part = node.at(section) if node else None
            yield from (
                (f"{section} {key}", value)
                for key, value in (part.mapping if part else {}).items()
                if isinstance(value.value, str)
            )
        commands = node.at("bin") if node else None
        for command, value in (commands.mapping if commands else {}).items():
            yield f"bin {command}", value.with_value(f"file:{canonical(value)}")
        part = node.at("pnpm", "overrides") if node else None
        yield from ((f"overrides {key}", value) for key, value in (part.mapping if part else {}).items())
    elif any(fnmatch(name, glob) for glob in REQUIREMENTS) or re.search(
        r"(?:^|/)requirements/[^/]+\.(?:txt|in)$", path
    ):
        for number, line in enumerate((side.text(path) or "").splitlines(), 1):
            yield from _entry(line, path, number)
    elif name == "pyproject.toml":
        for key, value in flat(side.node(path)).items():
            if "dependencies" in key[-1] or (
                len(key) > 1 and key[-2] in ("dependency-groups", "optional-dependencies")
            ):
                for item in value.items:
                    if isinstance(item.value, str):
                        yield from _entry(item.text, path, item.line)
            elif "dependencies" in key and key[0] == "tool":
                yield f"poetry {key[key.index('dependencies') + 1] if key[-1] != 'dependencies' else ''}", value


def _entry(line: str, path: str, number: int) -> Iterator[tuple[str, Node]]:
    match = ENTRY.match(line.split(" #")[0].split(";")[0].strip())
    if match:
        yield match["name"].lower().replace("_", "-"), Node(match["rest"].strip(), path, number, 1)
    elif match := LOCAL.match(line.split(" #")[0].strip()):
        yield match["name"].lower().replace("_", "-"), Node(f"file:{match[0]}", path, number, 1)


def _release(text: str) -> tuple[int, ...]:
    """The lowest release that a requirement names."""
    found = re.search(r"(\d+(?:\.\d+)*)", text.split(",")[0]) if not re.match(r"\s*[<!]", text) else None
    return tuple(int(part) for part in found[1].split(".")) if found else ()


def _npmrc(path: str, before: Side, after: Side) -> Iterator[Hit]:
    old, new = _pairs(before, path), _pairs(after, path)
    for key, node in new.items():
        pattern = NPMRC.get(key)
        if pattern and pattern.search(canonical(node)) and (key not in old or canonical(old[key]) != canonical(node)):
            rule = "cfg.check.failures-ignored" if key == "audit" else "env.variable"
            yield _hit(rule, path, node, f"{key}={canonical(node)[:100]}")


def _pairs(side: Side, path: str) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for number, line in enumerate((side.text(path) or "").splitlines(), 1):
        match = re.match(r"\s*\"?([\w-]+)\"?\s*[=: ]\s*\"?([^\"#;]*)", line)
        if match and not line.lstrip().startswith(("#", ";")):
            found[match[1]] = Node(match[2].strip(), path, number, 1)
    return found


def _hit(rule: str, path: str, node: Node, detail: str) -> Hit:
    return Hit(
        rule=rule, path=path, line=node.line, column=min(node.line, 1), key=detail, snippet=detail[:200], detail=detail
    )
