"""Scripts of testscript, each of which is a test (policy set v2, classes G04 and G05): `testdata/add.txtar`.

Rules:

- The script reaches to the first file of the archive (`-- want.txt --`). Nothing runs what stands behind an
  unconditional `skip` or `stop`.
- `stdout`, `stderr` and `grep` ask for a pattern, `cmp` for the text of a file, `exists` for a file; each about what
  was run last. `! exec` wants a failure, as `!` does before any command, and `exec` none; `? exec` wants nothing.
- An archive in which nothing is run or asked by one of these commands is none: its first lines are prose.
- `cp stdout want.txt` before `cmp stdout want.txt` makes the two equal.
- What a condition stands before (`[windows] cmp …`) may not be asked.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache

from ralph.guardrails.inventory.model import Check, Facts, Grade, Inventory, Test
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

WORDS: tuple[str, ...] = ()
"""Only a file of that name is such a script."""
FILE = later(r"-- (?P<name>\S.*?) --")
LINE = later(r"(?P<conditions>(?:\[[^\]]*\]\s*)*)(?P<sign>[!?]\s+)?(?P<command>[\w./-]+)(?:\s+(?P<given>.*))?")
RUNS = frozenset({"exec", "go"})
KNOWN = later(r"(?:\[[^\]]*\]\s*)*(?:[!?]\s+)?(?:exec|go|stdout|stderr|cmp(?:env)?)\s")
LEAVES = frozenset({"skip", "stop"})
ASKS = frozenset({"stdout", "stderr", "grep"})
PREPARES = frozenset(
    {"cd", "chmod", "env", "mkdir", "mv", "rm", "symlink", "stdin", "unquote", "wait", "kill", "cmpenv", "ttyin"}
)
ANYTHING = later(r"['\"]?(?:\^?\.[*+]?\$?|\(\?s\)\.[*+])?['\"]?")
WORD = later(r"\b[A-Za-z_][\w-]*")


@record
class Script:
    lines: tuple[tuple[int, str], ...]
    files: Mapping[str, str]


def is_test_file(path: str) -> bool:
    return path.endswith(".txtar")


def collect(source: Source, paths: Paths) -> Inventory:
    script = _read(source)
    body = "\n".join(text for _, text in script.lines)
    if not any(KNOWN.match(text) for _, text in script.lines):
        return Inventory()
    files = "\n".join(f"{name}\n{text}" for name, text in script.files.items())
    test = Test(
        parts=(posixpath.basename(source.path),),
        path=source.path,
        line=source.first_line,
        column=1,
        snippet=script.lines[0][1],
        text=f"{body}\n{files}",
        facts=cache(lambda: _facts(script, body)),
    )
    return Inventory((test,))


def _read(source: Source) -> Script:
    lines, files, name = list[tuple[int, str]](), dict[str, list[str]](), ""
    for number, line in enumerate(source.data.decode("utf-8", "replace").splitlines(), source.first_line):
        if (begins := FILE.fullmatch(line.rstrip())) is not None:
            name = begins["name"]
            files[name] = []
        elif name:
            files[name].append(line)
        elif text := re.sub(r"(?:^|\s)#.*$", "", line).strip():
            lines.append((number, text))
    return Script(tuple(lines), {name: "\n".join(text) for name, text in files.items()})


def _facts(script: Script, body: str) -> Facts:
    words = frozenset(WORD.findall(body))
    return Facts(checks=tuple(_checks(script)), words=words, literals=words, body=body)


def _checks(script: Script) -> Iterator[Check]:
    ran, left, copies = "", False, set[str]()
    for number, text in script.lines:
        match = LINE.fullmatch(text)
        if match is None:
            continue
        command, given = match["command"], (match["given"] or "").strip()
        sign, conditional = (match["sign"] or "").strip(), bool(match["conditions"])
        if command in LEAVES:
            left = left or not conditional
        elif command == "cp":
            copies.add(given)
        elif command == "cmp":
            yield _check(number, text, _compared(given, script.files, ran), left or given in copies, conditional)
        elif command in ASKS:
            yield _check(number, text, _asked(command, sign, given, ran), left, conditional)
        elif command == "exists":
            yield _check(number, text, (given, f"{sign}exists", "", Grade.CLOSE), left, conditional)
        elif command not in PREPARES:
            ran = f"{command} {given}".strip()
            if sign == "!" or (command in RUNS and not sign):
                grade = Grade.CLOSE if sign else Grade.EXISTS
                yield _check(number, text, (ran, "fails" if sign else "succeeds", "", grade), left, conditional)


Asked = tuple[str, str, str, Grade]


def _compared(given: str, files: Mapping[str, str], ran: str) -> Asked:
    one, _, other = given.partition(" ")
    other = other.strip()
    wanted = files.get(other, files.get(one, other))
    grade = Grade.NOTHING if one == other else Grade.EXACT
    return f"{one} of {ran}" if one in ("stdout", "stderr") else one, "==", wanted, grade


def _asked(command: str, sign: str, given: str, ran: str) -> Asked:
    """That nothing at all is told is certain; that something is, hardly anything."""
    anything = ANYTHING.fullmatch(given) is not None
    if sign == "!":
        return f"{command} of {ran}", "not in", given, Grade.EXACT if anything else Grade.EXISTS
    return f"{command} of {ran}", "in", given, Grade.EXISTS if anything else Grade.CLOSE


def _check(number: int, text: str, asked: Asked, left: bool, conditional: bool) -> Check:
    subject, relation, wanted, grade = asked
    why = "it is never asked" if left else "it runs under a condition" if conditional else ""
    grade = Grade.NOTHING if left else min(grade, Grade.EXISTS) if conditional else grade
    return Check(
        subject=subject,
        relation=relation,
        wanted=wanted,
        grade=grade,
        line=number,
        column=1,
        why=why,
        perhaps=conditional,
        snippet=text,
    )
