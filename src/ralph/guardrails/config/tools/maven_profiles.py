"""Profiles of Maven that no command asks for: what they say holds for nobody.

Rule: a profile holds where it is active by itself, where a command names it (`-P strict`) or gives the property that it
waits for (`-Dstrict`), and where the tree calls Maven by no command, or takes profiles from a variable: there nobody
can tell.
"""

from __future__ import annotations

import re

from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.node import Node, canonical, occurrences
from ralph.guardrails.config.side import Side
from ralph.guardrails.source import remembered
from ralph.system.patterns import later

CALLS = later(r"\b(?:mvnw?|mvnd)(?:\.cmd)?\s[^\n]*")
OPTIONS = later(r"(?:^|/)\.mvn/(?:maven\.config|jvm\.config)$")
NAMES = r"(?:-P\s*|--activate-profiles[ =])[\"']?(?:[\w,.+-]*,)?\+?"
VARIABLE = later(r"(?:-P|--activate-profiles[ =])\s*[\"']?[\w,.+-]*\$|\$\{?\w*(?i:mvn|maven|args|opts|profile)\w*")


def without_unasked(side: Side, node: Node) -> Node:
    """The root of a `pom.xml` without such profiles."""
    project = node.at("project")
    profiles = project.at("profiles") if project is not None else None
    listed = occurrences(profiles.at("profile")) if profiles is not None else []
    if project is None or profiles is None or not listed:
        return node
    side.touched.update(command_files(side))
    calls = _calls(side)
    if not any(map(CALLS.search, calls)) or any(map(VARIABLE.search, calls)):
        return node
    kept = [each for each in listed if _holds(each, calls)]
    if len(kept) == len(listed):
        return node
    left = profiles.with_value({**profiles.mapping, "profile": profiles.with_value(kept)})
    return node.with_value({**node.mapping, "project": project.with_value({**project.mapping, "profiles": left})})


@remembered(8)
def _calls(side: Side) -> tuple[str, ...]:
    texts = [(side.text(path) or "").replace("\\\n", " ") for path in command_files(side)]
    found = [match[0] for text in texts for match in CALLS.finditer(text)]
    return (*found, *(side.text(path) or "" for path in sorted(side.paths) if OPTIONS.search(path)))


def _holds(profile: Node, calls: tuple[str, ...]) -> bool:
    name, activation = profile.at("id"), profile.at("activation")
    asked = activation.at("property", "name") if activation is not None else None
    if activation is not None and asked is None:
        return activation.at("activeByDefault") is None or canonical(activation).find("false") < 0
    if asked is not None and (canonical(asked).startswith(("!", "env.")) or _is_said(rf"-D{_word(asked)}", calls)):
        return True
    return name is not None and _is_said(rf"{NAMES}{_word(name)}", calls)


def _word(node: Node) -> str:
    return rf"{re.escape(canonical(node).strip())}(?![\w.-])"


def _is_said(form: str, calls: tuple[str, ...]) -> bool:
    said = re.compile(form)
    return any(said.search(text) for text in calls)
