"""A helper through which tests run what they are about, and that drops its failure now (policy set v2, class G05).

`InDatabase(body)` awaited the body of each test; now it does so in a `try`, whose handler says that the database went
away, and returns: a test that fails in the database passes.

Rule (C#, Java, Kotlin, JavaScript, TypeScript, Ruby, Python, PHP): a function beside tests, which the base has as well,
calls what it is handed, or yields to it, and did so without a handler. Now a handler stands around that call, which
throws nothing, fails nothing, skips nothing, and only tells of what it caught, or not even that. It blocks where tests
call the function. What is cancelled or interrupted is no failure, and what is kept for later (`errors.add(e)`, `return
e`) may be asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.beside_tests import edited_helpers
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.common.product.special import tests_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

LANGUAGES = frozenset({"csharp", "java", "kotlin", "javascript", "typescript", "tsx", "ruby", "python", "php"})
WORTH = later(rb"\b(?:catch|rescue|except)\b")
TRIES = later(r"^\s*(?:return\s+)?(?:try|begin)\b|\bdef\b|\bdo\b\s*(?:\|[^|]*\|)?$")
HANDLES = later(
    r"^\s*\}?\s*(?:catch\s*(?:\(\s*(?P<caught>[^()]*)\))?|rescue\b(?P<rescued>[^#\n]*)|except\b(?P<excepted>[^:\n]*):)"
)
NAME = later(r"=>\s*(?P<ruby>\w+)|\bas\s+(?P<python>\w+)|\$?(?P<kotlin>\w+)\s*:|\$?(?P<last>\w+)\s*$")
NO_FAILURE = later(r"(?i)cancel|interrupt|stopiteration|generatorexit|abort")
PASSES_ON = later(
    r"(?i)\bthrow|\braise\b|\breraise|\bpanic|\b(?:\w+\.)*fail\w*|\bassert|\bexpect\b|reject\(|skip|\bassum|inconclusive|pending"
    r"|\bexit\b|retry|continue\b|environment\.exitcode|process\.exit"
)
TELLS = later(
    r"(?i)\b(?:console|log\w*|logger|system\.(?:out|err)|trace|debug|output|testoutput\w*|testcontext|print\w*|puts|warn\w*|error_log|echo)\b"
)
QUIET = later(r"\s*(?:return\b\s*(?:true|false|null|nil|None|Unit)?|pass|nil|end|\}|true|false)?\s*;?\s*")
PARAMETER = later(r"[&*$@]*(?P<name>[A-Za-z_]\w*)\s*(?:\??:[^,]*|=[^,]*)?$")
CALLED = r"(?<![\w.])[$@]?{}(?:\??\.(?:run|call|execute|accept|apply|invoke|Invoke|get|test|Run)|!!)?\s*\("
YIELDS = later(r"(?<![\w.])yield\b(?!\s+return)")
FIXTURE = later(r"@[\w.]*fixture\b[^\n]*$")
ABOVE = 1
LONGEST = 100_000


def let_pass(change: Change) -> Iterator[Hit]:
    for file, spoken in edited_helpers(change, WORTH, LANGUAGES):
        yield from _in_file(file, spoken, change)


def _in_file(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    before, after = (side(file.path) or b"" for side in (change.blobs.before, change.blobs.after))
    if max(len(before), len(after)) > LONGEST:
        return
    old = {name: body for _, name, _, body in functions_of(before)}
    lines = after.decode("utf-8", "replace").split("\n")
    for number, name, head, body in functions_of(after):
        was = old.get(name, "")
        if spoken == "python" and FIXTURE.search("\n".join(lines[max(0, number - ABOVE) : number])):
            continue  # pytest throws nothing into it
        calls = _calls(head)
        if not calls.search(was) or any(map(HANDLES.match, was.split("\n"))):
            continue
        row = _dropped(body.split("\n"), calls)
        if row is not None and any(
            re.search(rf"\b{re.escape(name)}\b\s*[({{d]", test) for test in tests_of(change, spoken)
        ):
            text = body.split("\n")[row].strip()
            detail = f"{name} drops what fails in the tests that it runs"
            yield hit_at("test.weakened", file.path, number + row + 2, detail, text, key=f"{name} drops failures")


def _calls(head: str) -> re.Pattern[str]:
    """How a function calls what it is handed."""
    given = head[head.find("(") + 1 : head.rfind(")")] if "(" in head else ""
    given = re.sub(r"<[^<>]*(?:<[^<>]*>[^<>]*)*>|\([^()]*\)", "", given)
    found = [PARAMETER.search(part.strip()) for part in given.split(",")]
    called = [CALLED.format(re.escape(match["name"])) for match in found if match is not None]
    return re.compile("|".join([*called, YIELDS.pattern]))


def _dropped(lines: Sequence[str], calls: re.Pattern[str]) -> int | None:
    """The row of a handler around the call that drops what it handles."""
    for row, line in enumerate(lines):
        if calls.search(line) is None:
            continue
        level = _tried(lines, row)
        if level is None:
            continue
        for at in range(row, len(lines)):
            match = HANDLES.match(lines[at])
            if at > row and lines[at].strip() and depth(lines[at]) < level:
                break
            if match is not None and depth(lines[at]) == level and _drops(match, _inside(lines, at)):
                return at
    return None


def _tried(lines: Sequence[str], row: int) -> int | None:
    """How deep the `try` around a line stands; that of a whole method of Ruby's stands above what is seen here."""
    deep = depth(lines[row])
    for line in reversed(lines[:row]):
        if not line.strip() or line.strip() == "{" or depth(line) >= deep:
            continue
        if TRIES.search(line) is not None:
            return depth(line)
        deep = depth(line)
    first = next((depth(line) for line in lines if line.strip()), 0)
    outer = [depth(line) for line in lines if line.lstrip().startswith("rescue") and depth(line) < first]
    return outer[0] if outer else None


def _inside(lines: Sequence[str], at: int) -> str:
    found: list[str] = [lines[at].partition("{")[2]]
    for line in lines[at + 1 :]:
        if line.strip() and line.strip() != "{" and depth(line) <= depth(lines[at]):
            break
        found.append(line)
    return "\n".join(found)


def _drops(handler: re.Match[str], body: str) -> bool:
    head = next((each for each in handler.groups() if each is not None), "")
    plain = re.sub(r"(?m)(?:(?<!:)//|(?<!\S)#)[^\n]*", "", body)
    bare = re.sub(r"\$?\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", "''", plain)
    if NO_FAILURE.search(head) or PASSES_ON.search(bare) or "when" in handler.string[handler.end() :]:
        return False
    named = NAME.search(head.strip())
    name = next(filter(None, named.groups()), "") if named is not None else ""
    lines = [line for line in plain.split("\n") if line.strip(" {}();\t")]
    kept = [line for line in lines if name and re.search(rf"\b{re.escape(name)}\b", line) and not TELLS.search(line)]
    return not kept and all(TELLS.search(line) or QUIET.fullmatch(line) for line in lines)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (let_pass,)
