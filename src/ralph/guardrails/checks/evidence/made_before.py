"""Recorded results that a task of checks makes anew before it compares with them (policy set v2, class G13).

    test: bin/render golden          "pretest": "npm run expected"
    golden:                          deps: [golden]
            bin/render a.md > testdata/a.golden

Rules:

- What a target, script, job or recipe runs is followed: what it needs, and what it calls by its name in its file, or
  in one at the root. A target of make that is a recorded result of the tree, or a pattern of some, is written by its
  recipe.
- A task that checks, by its name or by what it runs, writes records that both trees have, before the last check in it,
  and none that checks wrote them at the base: it blocks. A task whose name says that it records is none.
- Where something asks git afterwards what became of them (`git diff --exit-code`), they are compared all the same.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.checks.reach import MAKEFILES, TASKFILES, Reach
from ralph.guardrails.checks.readers import makesyntax
from ralph.guardrails.checks.readers.files import may_hold_gates, read_into
from ralph.guardrails.checks.readers.make import included_by
from ralph.guardrails.checks.spoken import Listener
from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.inventory.readers import RECORDED
from ralph.guardrails.model import Hit, hit_at
from ralph.record import record, replace
from ralph.system.patterns import later

WRITES = later(
    r"(?<![<>&\d])>\|?[ \t]*(?P<shell>[^\s;|&<>()]+)|\btee[ \t]+(?!-a)(?P<tee>[^\s;|&<>-][^\s;|&<>]*)"
    r"|(?<![\w-])(?:-o|--out(?:put|file)?)[ =](?P<option>[^\s;|&<>]+)"
    r"|(?<![\w./-])(?:cp|mv|install)[ \t]+(?:[^;|&<>\n]*[ \t])(?P<copy>[^\s;|&<>-][^\s;|&<>]*)"
)
SHELL_PART = later(r"\$\{\w+[^{}]*\}|\$\$?\w+|\$[@<^*?]|\$\([^()]*\)|\{\{[^{}]*\}\}|%")
CALLS = later(
    r"(?<![\w./-])(?:make|gmake|just|task|\$[({]MAKE[)}])[ \t]+(?:-\S+[ \t]+)*(?P<task>[\w.:/-]+)"
    r"|\b(?:npm|pnpm|yarn|bun)[ \t]+(?:run(?:-script)?[ \t]+)?(?:-\S+[ \t]+)*(?P<script>[\w.:-]+)"
)
RECORDS_IT = later(
    r"(?i)updat|record|regen|golden|bless|accept|approv|snapshot|baseline|expected|fixtures?\b|generate|refresh"
)
ASKS_GIT = later(
    r"\bgit\b[^\n;|&]*\bdiff\b[^\n;|&]*(?:--exit-code|--quiet)|\bgit[ \t]+(?:status[^\n;|&]*--porcelain|diff-index)"
)
SUBSTITUTED = later(r"\$[({](?P<name>[\w.-]+):(?P<old>[^=(){}]*)=(?P<new>[^(){}]*)[)}]")
MADE_OF = later(
    r"\$[({]patsubst[ \t]+(?P<old>[^,(){}]*),[ \t]*(?P<new>[^,(){}]*),(?P<words>[^(){}]*|\$[({]\w+[)}])[)}]"
)
WILDCARD = later(r"\$[({]wildcard[ \t]+(?P<globs>[^(){}]*)[)}]")
IDLE = later(r"[@-]*[ \t]*(?:echo|printf|rm|touch|mkdir|true|:|exit 0)\b")
OF_RECORDS = ("golden", "snapshots", "cassettes", "approv", "baseline", "expected", ".ambr")
"""One of these stands in the path of every record: most paths hold none."""
JOB = "job "
ROOTS = (*MAKEFILES, "justfile", "Justfile", "package.json", *TASKFILES)
ROUNDS, MAX_DEPTH, SHORTEST = 6, 6, 4


@record
class Step:
    line: int
    text: str
    calls: str = ""
    """The task that is run here, by its name."""
    target: str = ""
    """What make takes for made once the recipe of this line has run."""


Tasks = Mapping[str, Sequence[Step]]


def made_before_hits(paths: Sequence[str], before: Reach, after: Reach) -> Iterator[Hit]:
    both = (path for path in paths if path in before.side.paths and path in after.side.paths and may_hold_gates(path))
    writing = {path: tasks for path in both if _writes(tasks := _tasks(path, after.side))}
    records = _records(before.side, after.side) if writing else frozenset()
    for path, tasks in writing.items() if records else ():
        found = {name: made for name in tasks if (made := _made(name, path, tasks, after, records))}
        if not found:
            continue
        old = _tasks(path, before.side)
        was = {each for name in old for _, each in _made(name, path, old, before, records)}
        asked = [after.side.text(path) or "", *_of_ci(after.side)]
        for name, made in found.items():
            new = [(step, each) for step, each in made if each not in was]
            if new and not any(map(ASKS_GIT.search, asked)):
                step, each = new[0]
                detail = f"{name} makes {each} anew before it is compared with"
                yield hit_at("cfg.test.snapshots-rewritten", path, step.line, detail, step.text.strip())
                break


def _writes(tasks: Tasks) -> bool:
    """It writes something: most files of commands write nothing, and then nobody has to know the records."""
    return any(step.target or WRITES.search(step.text) for steps in tasks.values() for step in steps)


def _records(before: Side, after: Side) -> frozenset[str]:
    likely = (path for path in before.paths if any(word in path.lower() for word in OF_RECORDS))
    return frozenset(path for path in likely if path in after.paths and RECORDED.search(path))


def _of_ci(side: Side) -> Iterator[str]:
    return (side.text(path) or "" for path in sorted(side.paths) if is_ci_file(path))


def _made(name: str, path: str, tasks: Tasks, reach: Reach, records: frozenset[str]) -> list[tuple[Step, str]]:
    """The records that a task of checks writes before its last check."""
    gates = [gate for gate in reach.of_file(path) if _own(gate.slot, path) == name and gate.kind != "named"]
    if RECORDS_IT.search(name) or not (is_named(name.removeprefix(JOB)) or gates):
        return []
    steps = list(_followed(name, tasks))
    last = max((at for at, step in enumerate(steps) if not step.target and not step.calls), default=-1)
    folder = posixpath.dirname(path)
    return [
        (step, each) for at, step in enumerate(steps) for each in (_written(step, folder, records) if at < last else ())
    ]


def _followed(name: str, tasks: Tasks, depth: int = 0) -> Iterator[Step]:
    for step in tasks.get(name, ()):
        if step.calls and depth < MAX_DEPTH and step.calls != name:
            inner = _followed(step.calls, tasks, depth + 1)
            of_job = name.startswith(JOB)  # what it calls may stand in another file
            yield from (replace(each, line=step.line) for each in inner) if of_job else inner
        elif not step.calls:
            yield step


def _written(step: Step, folder: str, records: frozenset[str]) -> list[str]:
    names = [step.target] if step.target else []
    names += [next(filter(None, match.groups())) for match in WRITES.finditer(step.text)]
    found = []
    for name in names:
        pattern = SHELL_PART.sub("*", name.strip("\"'").replace("$$", "$"))
        pattern = re.sub(r"[$*]+", "*", pattern).removeprefix("./")
        if len(re.sub(r"\W", "", pattern)) >= SHORTEST:
            wholes = {pattern, posixpath.join(folder, pattern)}
            found += sorted(each for each in records if any(fnmatchcase(each, whole) for whole in wholes))
    return found


def _tasks(path: str, side: Side) -> Tasks:
    if posixpath.basename(path) in MAKEFILES or path.endswith(".mk"):
        return _of_make(path, side)
    if posixpath.basename(path) in TASKFILES:
        return _of_taskfile(side.node(path))
    listener = Listener(path)
    read_into(listener, side, path)
    tasks: dict[str, list[Step]] = {}
    for gate in listener.gates:
        if gate.kind == "named" and len(gate.words) > 1:
            step = Step(gate.line, " ".join(gate.words), calls=gate.words[-1])
            tasks.setdefault(_own(gate.slot, path), []).append(step)
    for (text, first), slot in zip(listener.texts, listener.slots, strict=True):
        for number, line in enumerate(text.split("\n"), first):
            tasks.setdefault(_own(slot, path), []).extend(_steps(line, number))
    for name in [*tasks]:  # npm runs these by their names
        if f"pre{name}" in tasks and path.endswith("package.json"):
            tasks[name].insert(0, Step(tasks[f"pre{name}"][0].line, f"pre{name}", calls=f"pre{name}"))
    if is_ci_file(path):
        roots = [name for name in ROOTS if name in side.paths]
        return {**{name: steps for root in roots for name, steps in _tasks(root, side).items()}, **tasks}
    return tasks


def _own(slot: str, path: str) -> str:
    """Jobs are not called by their names, as tasks are."""
    return f"{JOB}{slot}" if is_ci_file(path) else slot.rpartition("/")[2]


def _of_taskfile(node: Node | None) -> Tasks:
    tasks: dict[str, list[Step]] = {}
    listed = node.at("tasks") if node is not None else None
    for name, task in listed.mapping.items() if listed is not None else ():
        told = [each for key in ("deps", "cmds", "cmd") for each in (task.at(key) or task.with_value([])).items]
        deps = len((task.at("deps") or task.with_value([])).items)
        for at, each in enumerate(told):
            called, said = each.at("task"), each.at("cmd") or each
            if at < deps or called is not None:
                tasks.setdefault(name, []).append(
                    Step(each.line, canonical(called or each), calls=canonical(called or each))
                )
            else:
                tasks.setdefault(name, []).extend(_steps(canonical(said), each.line))
    return tasks


def _steps(line: str, number: int) -> Iterator[Step]:
    for part in re.split(r"&&|;", line):
        if (match := CALLS.search(part)) is not None:
            yield Step(number, part, calls=match["task"] or match["script"])
        elif part.strip():
            yield Step(number, part if WRITES.search(part) else part.strip())


def _of_make(path: str, side: Side) -> Tasks:
    made = makesyntax.parse(side.text(path) or "", included_by(side, path))
    tasks: dict[str, list[Step]] = {}
    patterns = [name for name in made.rules if "%" in name]
    folder = posixpath.dirname(path)
    files = [posixpath.relpath(each, folder) for each in side.paths] if folder else [*side.paths]
    lines = (side.text(path) or "").split("\n")
    for name, needs, recipe, number in made.targets():
        raw = lines[number - 1] if 0 < number <= len(lines) else ""
        told = [*needs, *_words(made, raw.partition(":")[2], files)]
        steps = [Step(number, raw, calls=_rule_for(need, made, patterns)) for need in dict.fromkeys(told)]
        steps = [step for step in steps if step.calls]
        body = [step for line in recipe for step in _steps(line.text.lstrip("-@+ \t"), line.number)]
        tasks[name] = [*steps, *body, *([Step(number, raw, target=name)] if recipe else [])]
    return tasks


def _rule_for(need: str, made: makesyntax.Makefile, patterns: Sequence[str]) -> str:
    if need in made.rules:
        return need
    return next((each for each in patterns if fnmatchcase(need, each.replace("%", "*"))), "")


def _words(made: makesyntax.Makefile, text: str, files: Sequence[str]) -> list[str]:
    """The words of a line with what `wildcard`, `patsubst` and `$(X:.a=.b)` make of them."""

    def put_in(match: re.Match[str]) -> str:
        return made.variables.get(match["round"] or match["curly"], "")

    def changed(match: re.Match[str]) -> str:
        named = match.groupdict()
        words = named.get("words") or made.variables.get(named.get("name") or "", "")
        old, new = match["old"].strip(), match["new"].strip()
        old, new = (old, new) if "%" in old else (f"%{old}", f"%{new}")
        form = re.compile(re.escape(old).replace("%", "(.*)", 1))
        expanded = _words(made, words, files)
        return " ".join(new.replace("%", found[1], 1) if (found := form.fullmatch(word)) else word for word in expanded)

    for _ in range(ROUNDS):
        text = WILDCARD.sub(lambda match: _matching(match["globs"], files), text)
        was = text
        text = makesyntax.REFERENCE.sub(put_in, MADE_OF.sub(changed, SUBSTITUTED.sub(changed, text)))
        if text == was:
            break
    return text.partition("#")[0].replace("|", " ").split()


def _matching(globs: str, files: Sequence[str]) -> str:
    return " ".join(each for each in files if any(fnmatchcase(each, glob) for glob in globs.split()))
