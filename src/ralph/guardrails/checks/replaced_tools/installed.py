"""The runners and linters that a project installs: where they come from, and which release (class G15)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.checks.origins_of_others.origin import Origin
from ralph.guardrails.checks.programs.tables import PROGRAMS
from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.checks.replaced_tools.origins import origins
from ralph.guardrails.checks.replaced_tools.silent_rules import SCRIPTS, silent_rules
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.config.side import Side
from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

RUNNERS = frozenset(PROGRAMS) | frozenset(
    names("black isort prettier typescript coverage pytest-cov nyc @playwright/test @biomejs/biome ts-jest husky")
)
"""Of these an older release is for a person."""
MOST_RULES = 100
MOST_FILES = 5
"""Of a tool that is written anew so many are shown."""
NAME = r"(?:^|[{,])\s*[\"']?(?:name[\"']?\s*[:=]|module\s)\s*"
"""How a manifest begins to say what it declares."""
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
    was = list(origins(path, before))
    old, told = {each.entry: each for each in was}, {(each.tool, each.text) for each in was}
    for now in origins(path, after):
        if (now.tool, now.text) in told:
            continue
        former = old.get(now.entry)
        if now.elsewhere:
            if not _was_so(former, now) and not _is_own(now, before) and not _arrives(former, now):
                yield hit_at("env.runner-replaced", path, now.node.line, f"{now.tool} comes from {cut(now.text, 100)}")
                yield from _written_for_it(now, before, after)
        elif former is not None and _is_written_instead(former, now, before, after):
            yield hit_at("check.replaced", path, now.node.line, f"{now.tool} comes from {cut(now.text, 100)}")
            yield from _silent(now, before, after)
        elif former is not None and now.tool in RUNNERS and () < _release(now.text) < _release(former.text):
            detail = cut(f"{now.tool} goes from {former.text} to {now.text}", 150)
            yield hit_at("env.runner-downgraded", path, now.node.line, detail)


def _written_for_it(origin: Origin, before: Side, after: Side) -> Iterator[Hit]:
    """What the change brings in the folder that stands for the tool: there its work is done now."""
    folder = posixpath.dirname(origin.manifest) if "**" not in origin.manifest else ""
    below = f"{folder}/" if folder.strip("./") else ""
    new = sorted(each for each in after.paths - before.paths if below and each.startswith(below))
    for path in [each for each in new if language_of(each) is not None and not TEST_PLACE.search(each)][:MOST_FILES]:
        yield hit_at("env.runner-replaced", path, 1, f"{origin.tool} is what stands here")


def _is_written_instead(former: Origin, now: Origin, before: Side, after: Side) -> bool:
    """A plugin that was installed as a release is a folder now that the change brings."""
    brought = now.manifest in after.paths and now.manifest not in before.paths
    release = not former.elsewhere and not former.manifest and _release(former.text)
    return brought and bool(release) and not _is_own(now, before) and bool(toolnames.npm_plugin(now.tool))


def _silent(origin: Origin, before: Side, after: Side) -> Iterator[Hit]:
    """Its rules that find nothing."""
    folder = f"{posixpath.dirname(origin.manifest)}/"
    new = sorted(path for path in after.paths - before.paths if path.startswith(folder) and path.endswith(SCRIPTS))
    for path in new[:MOST_RULES]:
        for name, line in silent_rules(after.text(path) or "").items():
            yield hit_at("env.runner-replaced", path, line, f"{name} of {origin.tool} reports nothing", name, key=name)


def _was_so(former: Origin | None, now: Origin) -> bool:
    """It came from elsewhere before: but from a fork to a folder of the project is a step more."""
    return former is not None and former.elsewhere and (bool(former.manifest) or not now.manifest)


def _arrives(former: Origin | None, now: Origin) -> bool:
    """A plugin of the project's own, which nothing of that name was before."""
    own = now.entry.lower().partition(" ")[0].endswith("dependencies") and toolnames.npm_plugin(now.tool)
    return former is None and bool(own) and not toolnames.npm(now.tool)


def _is_own(origin: Origin, before: Side) -> bool:
    """The project is the tool: a folder of it declared the tool before."""
    if "**" in origin.manifest:
        folder, _, name = origin.manifest.partition("**")
        found = before.by_name.get(name, ())
        return any(folder.startswith("./") or path.startswith(folder) for path in found)
    scope = origin.tool.partition("/")[0] if origin.tool.startswith("@") else ""
    if scope and f'"name": "{scope}/' in (before.text("package.json") or ""):
        return True  # a member of the project's own family
    text = before.text(posixpath.normpath(origin.manifest)) if origin.manifest else None
    named = rf"(?m){NAME}[\"']?{re.escape(origin.tool)}(?:/v\d+)?[\"']?\s*(?:$|[,}}#])"
    return text is not None and re.search(named, text) is not None


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
            yield hit_at(rule, path, node.line, f"{key}={cut(canonical(node), 100)}")


def _pairs(side: Side, path: str) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for number, line in enumerate((side.text(path) or "").splitlines(), 1):
        match = re.match(r"\s*\"?([\w-]+)\"?\s*[=: ]\s*\"?([^\"#;]*)", line)
        if match and not line.lstrip().startswith(("#", ";")):
            found[match[1]] = Node(match[2].strip(), path, number, 1)
    return found
