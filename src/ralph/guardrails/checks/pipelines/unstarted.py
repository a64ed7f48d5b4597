"""Checks that still stand where they stood, and that nothing starts any more (policy set v2, class G16).

Rules, for a check that the base came to from a start, through a changed file, and that the head still holds:

- CI starts what it calls and all that this leads to, by name: scripts of packages, with the scripts before and behind
  them (`pretest`, `posttest`), targets with what they need, tasks. What CI came to, CI must come to.
- Tools start some scripts by themselves, by their names alone: `npm test`, and what npm runs before it packs, publishes
  or makes a version. What these or a hook came to, they or CI must come to.
- People start targets by their usual names (`make test`, `just check`). One that is there and checks nothing any more
  comes to nothing, while what it ran stands under another name.
- The same program, started in another place, starts the check. A call that only running could tell may start any, and
  so may a new one that runs the scripts of several packages.
- A script that ships something still makes the checks that it made, itself or by what npm runs before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from ralph.guardrails.checks.merging.shipping import SHIPPING
from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.programs.tables import RUN_WORDS, SCRIPTS
from ralph.guardrails.checks.reach import TASKFILES, Reach, tool
from ralph.guardrails.checks.spoken import spoken
from ralph.guardrails.config.node import names
from ralph.guardrails.model import Hit, hit_at
from ralph.system.patterns import later

BY_ITSELF = frozenset(
    names(
        "test pretest posttest prepublishOnly prepublish prepack postpack prepare publish postpublish preversion "
        "version postversion precommit prepush pre-commit pre-push commit-msg preinstall install postinstall"
    )
)
"""Scripts of a package that npm, or an old manager of hooks, runs because of their names."""
BY_HAND = frozenset(names("test tests check checks lint verify validate ci all default qa"))
"""Targets that people, and tools for them, start by their names."""
OF_TARGETS = later(r"(?:^|/)(?:(?:GNU)?[Mm]akefile|\.?[Jj]ustfile|[Tt]askfile\.ya?ml|[Rr]akefile)$")
MANIFESTS = {"turbo": ("turbo.json", "turbo.jsonc"), "nx": ("nx.json",)}
"""Where runners of tasks are told what a task waits for."""
TABLES = later(
    r"(?:^|/)(?:package\.json|composer\.json|turbo\.jsonc?|nx\.json|pyproject\.toml|tox\.ini|(?:GNU)?[Mm]akefile|[^/]+\.mk"
    r"|\.?[Jj]ustfile|[Tt]askfile\.ya?ml|[Rr]akefile|noxfile\.py|tasks\.py|pixi\.toml|mise\.toml|Makefile\.toml)$"
)
OF_NPM = {
    **dict.fromkeys(("prepublishOnly", "prepublish", "publish", "postpublish", "prepack", "prepare"), "publish"),
    **dict.fromkeys(("preversion", "version", "postversion"), "version"),
}
"""What npm does, by the scripts that it runs for it."""
AROUND = later(r"(?:pre|post)_?(?P<name>.+)")
MAKEFILE = later(r"[Mm]akefile$|\.mk$")
"""Of these `shipping` tells it."""
IN_PACKAGES = frozenset(names("turbo nx lerna moon wireit rush ultra wsrun"))
WIDE = frozenset(
    names("--workspaces -ws -w --workspace -r --recursive --filter -F workspaces foreach workspace -A --all")
)
UNKNOWN = ("$", "{{", "`")
STARTS_NOTHING = frozenset(
    names("echo printf true : exit cd mkdir rm cp mv touch export set test [ sleep date pwd ls cat")
)
STRONG = frozenset(("lost", "not-run", "off"))
MOST = 2_000
"""Steps that are followed in one tree."""

Way = tuple[str, ...]
"""The files through which a check is come to."""


def unstarted_hits(changed: Sequence[str], kept: Sequence[Gate], before: Reach, after: Reach) -> Iterator[Hit]:
    """`kept`: the checks that the head holds in the changed files."""
    tables = [path for path in changed if TABLES.search(path) and path in after.side.paths]
    if not tables:
        return
    starts = (
        (_of_ci(before), _of_ci),
        (_of_all(before), _of_all),
        (_emptied(tables, before, after), lambda reach: [*_of_all(reach), *_by_hand(tables, reach)]),
    )
    for was, now in starts:
        old = _reached(before, was, led=True)
        lost = {program: way for program, (way, _) in old.items() if set(way) & set(tables)}
        if not lost:
            continue
        if _for_all_packages(after) - _for_all_packages(before):
            return
        new = _reached(after, [*now(after), *_of_ci(after)], led=False)
        if any(gate is not None and _is_unknown(gate) for _, gate in new.values()):
            return
        for program, way in lost.items():
            if program not in new and (gate := _still(program, kept, after)) is not None:
                if _may_start_otherwise(changed, before, after):
                    return
                path = next(path for path in reversed(way) if path in tables)
                line = gate.line if gate.path == path else 0
                yield hit_at("check.removed", path, line, f"{gate.text} stands there, and nothing starts it", gate.text)
                return


def _may_start_otherwise(changed: Sequence[str], before: Reach, after: Reach) -> bool:
    """A command that is new in a changed file may start the check in a way that only running could tell: another runner
    of scripts, a script of the project's own, the hooks' manager."""
    known = {said.words for path in changed for said in spoken(before.side, path)}
    fresh = (said for path in changed for said in spoken(after.side, path) if said.words not in known)
    return any(not said.variable and not _leads_where_it_says(said.words) for said in fresh)


def _leads_where_it_says(words: Sequence[str]) -> bool:
    """It starts no check, or only what it names, which is followed."""
    program = words[0].rpartition("/")[2]
    by_name = program in SCRIPTS or program == "make"
    return program in STARTS_NOTHING or (
        by_name and not any(mark in word for mark in ("*", "/", *UNKNOWN) for word in words[1:])
    )


def unshipped_hits(changed: Sequence[str], kept: Sequence[Gate], before: Reach, after: Reach) -> Iterator[Hit]:
    """A script, a recipe or a task that ships something, and no longer makes a check that it made before. A pipeline
    that changes, too, may have taken it over."""
    taken_over = [gate for gate in _of_ci(after) if gate.path in changed]
    for path in changed:
        if not TABLES.search(path) or MAKEFILE.search(path) or path not in after.side.paths:
            continue
        old, new = _ships(before, path), _ships(after, path)
        text = after.side.text(path) or ""
        for name, gates in old.items():
            if name not in OF_NPM.values() and not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
                continue
            if {(gate.slot, gate.words) for gate in gates} == {(gate.slot, gate.words) for gate in new.get(name, [])}:
                continue
            lost = (
                _reached(before, gates, led=True).keys()
                - _reached(after, [*new.get(name, []), *taken_over], led=False).keys()
            )
            gate = next(filter(None, (_still(program, kept, after) for program in sorted(lost))), None)
            if gate is not None:
                yield hit_at("ci.needs-dropped", path, 0, f"{name} no longer waits for {gate.text}", gate.text)


def _ships(reach: Reach, path: str) -> Mapping[str, list[Gate]]:
    """The checks of what ships something, by its name, with those of the scripts before and behind it."""
    found: dict[str, list[Gate]] = {}
    of_package = path.endswith("package.json")
    for gate in reach.of_file(path):
        slot = gate.slot.rpartition("/")[2]
        around = AROUND.fullmatch(slot) if of_package else None
        name = OF_NPM.get(slot) if of_package else None
        name = name or (around["name"] if around is not None else slot)
        if name in OF_NPM.values() or SHIPPING.search(name):
            found.setdefault(name, []).append(gate)
    return found


def _for_all_packages(reach: Reach) -> set[tuple[str, ...]]:
    """The calls by which scripts of several packages are run: a new one may lead to what no file of the tree says."""
    return {gate.words for gate in reach.everywhere if gate.words[0] in IN_PACKAGES or WIDE.intersection(gate.words)}


def _of_ci(reach: Reach) -> list[Gate]:
    return [gate for gate in reach.everywhere if gate.place == "ci"]


def _of_all(reach: Reach) -> list[Gate]:
    return [gate for gate in reach.everywhere if gate.place == "hook" or _is_by_itself(gate)]


def _by_hand(tables: Sequence[str], reach: Reach) -> list[Gate]:
    found = (gate for path in tables if OF_TARGETS.search(path) for gate in reach.of_file(path))
    return [gate for gate in found if gate.slot.rpartition("/")[2] in BY_HAND]


def _emptied(tables: Sequence[str], before: Reach, after: Reach) -> list[Gate]:
    """The checks of targets that are still there, and have none."""
    left = {(gate.path, gate.slot) for gate in _by_hand(tables, after)}
    lost = [gate for gate in _by_hand(tables, before) if (gate.path, gate.slot) not in left]
    return [gate for gate in lost if _is_there(gate.slot.rpartition("/")[2], after.side.text(gate.path) or "")]


def _is_there(name: str, text: str) -> bool:
    """With nothing that it needs: who needs something may come to it by a file."""
    return re.search(rf"(?m)^\s*(?:task\s+:?)?{re.escape(name)}\s*(?:::?[ \t]*(?:#.*)?$|do\b)", text) is not None


def _is_by_itself(gate: Gate) -> bool:
    return gate.path.rpartition("/")[2] == "package.json" and gate.slot in BY_ITSELF


def _reached(reach: Reach, starts: Sequence[Gate], *, led: bool) -> Mapping[str, tuple[Way, Gate | None]]:
    """Each program that checks, with the way to it; and each name that leads nowhere, with its call. `led`: without the
    names that lead on, for which those stand to which they lead."""
    found: dict[str, tuple[Way, Gate | None]] = {}
    waiting: list[tuple[Gate, Way]] = [(gate, (gate.path,)) for gate in reversed(starts)]
    seen = set[tuple[str, str, tuple[str, ...]]]()
    while waiting and len(seen) < MOST:
        gate, way = waiting.pop()
        identity = (gate.path, gate.slot, gate.words)
        if identity in seen or STRONG & set(gate.flaws):
            continue
        seen.add(identity)
        if gate.kind != "named":
            found.setdefault(tool(gate), (way, None))
        way = (*way, *MANIFESTS.get(gate.words[0], ()))
        steps = [*reach.steps(gate), *_before_and_behind(reach, gate)]
        if gate.kind == "named" and not (steps and led):
            found.setdefault(" ".join(gate.words), (way, None if steps else gate))
        waiting += [(step, way if step.path == way[-1] else (*way, step.path)) for step in reversed(steps)]
    return found


def _before_and_behind(reach: Reach, gate: Gate) -> list[Gate]:
    """What runs with a script of a package: those of its own name behind `pre` and `post`, and what its task needs."""
    program, rest = gate.words[0], [word for word in gate.words[1:] if not word.startswith("-")]
    if program in ("task", "rake") and not rest:
        return [found for found in reach.of_file(_table(reach, program)) if found.slot.rpartition("/")[2] == "default"]
    if program == "pdm" and rest:
        own = reach.of_file("pyproject.toml")
        return [found for found in own if re.fullmatch(rf"(?:.*/)?(?:pre|post)_{re.escape(rest[-1])}", found.slot)]
    if program in MANIFESTS:
        return [found for name in _needed(reach, program, rest) for found in _in_slot(reach, name)]
    if program not in SCRIPTS or not rest:
        return []
    name = next((word for word in rest if word not in RUN_WORDS[program]), "")
    return [found for start in ("pre", "post") for found in _in_slot(reach, f"{start}{name}")] if name else []


def _table(reach: Reach, program: str) -> str:
    names = TASKFILES if program == "task" else ("Rakefile", "rakefile")
    return next((name for name in names if name in reach.side.paths), names[0])


def _in_slot(reach: Reach, slot: str) -> list[Gate]:
    paths = sorted(reach.side.by_name.get("package.json", ()))
    return [gate for path in paths for gate in reach.of_file(path) if gate.slot == slot]


def _needed(reach: Reach, program: str, words: Sequence[str]) -> list[str]:
    """The tasks that a call of turbo or nx names, and those that these wait for."""
    found: list[str] = []
    waiting = [word for word in words if word not in RUN_WORDS[program]]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.append(name)
        for path in MANIFESTS[program]:
            node = reach.side.node(path) if path in reach.side.paths else None
            for table in ("tasks", "pipeline", "targetDefaults"):
                tasks = node.at(table) if node is not None else None
                for key, task in tasks.mapping.items() if tasks is not None else ():
                    needs = task.at("dependsOn") if key.rpartition("#")[2] == name.rpartition("#")[2] else None
                    waiting += [item.text.lstrip("^") for item in (needs.items if needs is not None else ())]
    return found


def _is_unknown(gate: Gate) -> bool:
    """A call by a name of which only running could tell."""
    return any(mark in word for mark in UNKNOWN for word in takewhile(lambda each: each != "--", gate.words))


def _still(program: str, kept: Sequence[Gate], after: Reach) -> Gate | None:
    """A check of this program, or this call, that still stands in a changed file, or in a package of the tree. What
    stands in a script is perhaps started by what the script is given, which only running could tell."""
    packages = (gate for path in sorted(after.side.by_name.get("package.json", ())) for gate in after.of_file(path))
    stands = [gate for gate in (*kept, *packages) if program == _called(gate) and gate.place == "local"]
    if not all(TABLES.search(gate.path) for gate in stands):
        return None
    return next((gate for gate in stands if not STRONG & set(gate.flaws)), None)


def _called(gate: Gate) -> str:
    return " ".join(gate.words) if gate.kind == "named" else tool(gate)
