"""A script of checks that no longer ends with what its own function found (policy set v2, class G10).

`sys.exit(main())` becomes `main()`: what is wrong is still found, counted and printed, and the script passes.

Rules:

- The base heard of what a function gave: it ended with it (`exit(main())`, `process.exitCode = await run()`,
  `main().then((code) => process.exit(code))`), or asked for it and ended badly. The head only calls it.
- The function still tells: it gives `1`, or something false, or what it gave before. It does not end the script itself,
  nor does the script raise more errors than before.
- By its name or folder the script is one of checks: then it blocks. Where all that is known is that a pipeline or a
  build file runs it, and where a project's list of commands names the function, whose own end is not what counts then,
  it is for a person.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.checks.programs.known import is_named, is_named_folder
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.inventory.readers import language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.python.plain.files import CALLED_A_CHECK, RUNNERS
from ralph.system.patterns import later

LOST, DOUBTFUL = "check.result-lost", "check.result-doubtful"
LARGEST, LONGEST_LINE, MOST_RUNNERS = 60_000, 300, 30
SCRIPTS = frozenset(("python", "javascript", "typescript", "ruby", "go", "rust", "php"))
WORTH = later(rb"\bexit\b|\b_exit\b|\bexit!|\bexitCode\b|\.Exit\b|SystemExit|\bquit\b")
_END = (
    r"(?:\b(?:sys\.exit|os\._exit|quit|exit!?|SystemExit|process\.exit|Deno\.exit|os\.Exit|process::exit)\b!?\s*\(?"
    r"|\bprocess\.exitCode\s*=(?!=))"
)
ENDS = later(_END + r"|\babort\b")
_OF = r"(?:\w+(?:\([^()\n]{0,80}\))?(?:\.|::))?"
_IN = r"(?:(?:await\b|not\b|!|int\(|bool\(|Number\(|asyncio\.run\(|anyio\.run\(|\()\s*){0,4}"
GIVEN = later(rf"{_END}\s*{_IN}{_OF}(?P<name>[A-Za-z_]\w*)(?=\s*\(|\s*$|[ ]ARGV)")
"""`sys.exit(main())`, `exit run ARGV`."""
THEN = later(r"\b(?P<name>[A-Za-z_]\w*)\([^()\n]{0,80}\)\s*\.then\(")
KEPT = later(rf"\b(?P<kept>[A-Za-z_]\w*)\s*:?=\s*{_IN}{_OF}(?P<name>[A-Za-z_]\w*)\(")
ASKED = later(rf"\b(?:if|unless)\b[\s(]*{_IN}{_OF}(?P<name>[A-Za-z_]\w*)(?=\s*[(){{:]|\s*$)")
NEAR = 4
"""So many lines below what asks the script ends."""
CALLED = later(
    rf"(?:await\s+|void\s+|_\s*=\s*|let\s+_\s*=\s*)?{_IN}{_OF}(?P<name>[A-Za-z_]\w*)(?:\(.*\)|[ ]ARGV)?"
    r"(?:\s*\.catch\(.*)?\s*;?"
)
"""A statement that is nothing but the call."""
MADE = later(r"\b(?:def|function|func|fn)\s")
TELLS = later(
    r"\breturn[ \t]+(?:\(?[1-9]\d*(?![\w.])|[Ff]alse\b|int\(|not\b|![\w(])"
    r"|\breturn\b[^\n;]{0,160}?(?:\?\s*[1-9]\s*:\s*0\b|\?\s*0\s*:\s*[1-9]|\belse\s+[1-9])"
    r"|\?\s*0\s*:\s*1\s*$|\?\s*1\s*:\s*0\s*$|\{\s*[1-9]\s*\}\s*else\b|\belse\s*\{\s*[1-9]\s*\}",
    re.MULTILINE,
)
GIVES = later(r"(?m)^[ \t]*return[ \t]+(?P<given>[A-Za-z_(][^\n]*)$")
NOTHING = frozenset(("none", "null", "nil", "undefined", "true"))
RAISES = later(r"\b(?:raise|throw|panic|die)\b")
REMARK = later(r"[ \t]*(?:#(?![!\[])|//)[^\n\"'`]*$")
COMMANDS = ("pyproject.toml", "setup.cfg", "setup.py")


def unended(change: Change) -> Iterator[Hit]:
    gone = {posixpath.basename(file.path): file.path for file in change.files if file.status == "D"}
    for file in change.files:
        if file.status not in "AM" or file.binary or not _is_worth(file, gone):
            continue
        spoken = language(file, change)
        if spoken not in SCRIPTS or is_sample(file.path):
            continue
        reader = reader_of(spoken)
        if reader is not None and reader.is_test_file(file.path):
            continue
        was = file.path if file.status == "M" else gone[posixpath.basename(file.path)]
        old, new = change.blobs.before(was) or b"", change.blobs.after(file.path) or b""
        if max(len(old), len(new)) > LARGEST or not is_in(WORTH, old):
            continue
        found = _lost(old, new, spoken)
        rule = _rule(file.path, found[0], change) if found is not None else ""
        if found is not None and rule:
            name, line, text = found
            yield hit_at(rule, file.path, line, f"what {name} gives is no longer what the script ends with", text)


def _is_worth(file: FileChange, gone: Mapping[str, str]) -> bool:
    """It ended somewhere where it no longer does, or is a new place of what did: a file that is moved is gone there."""
    if file.status == "A":
        return posixpath.basename(file.path) in gone
    return any(is_in(WORTH, b"\n".join((*hunk.removed, b""))) for hunk in file.hunks)


def _rule(path: str, name: str, change: Change) -> str:
    """None for what nothing says to be a check."""
    paths, read = change.blobs.paths_after(), change.blobs.after
    called = f"{posixpath.splitext(posixpath.basename(path))[0]}:{name}".encode()
    runners = sorted(each for each in paths if RUNNERS.search(each))[:MOST_RUNNERS]
    is_run = any(path.encode() in (read(each) or b"") for each in runners)
    checks = CALLED_A_CHECK.search(path) is not None and is_run
    if not (checks or is_named(posixpath.basename(path)) or is_named_folder(path)):
        return DOUBTFUL if is_run else ""
    return DOUBTFUL if any(called in (read(each) or b"") for each in COMMANDS if each in paths) else LOST


def _lost(old: bytes, new: bytes, spoken: str) -> tuple[str, int, str] | None:
    """A function of which the base heard, and that the head only calls: its name, and where."""
    was, now = _lines(old), _lines(new)
    if len(RAISES.findall("\n".join(now))) > len(RAISES.findall("\n".join(was))):
        return None
    for name in sorted(_heard(was)):
        at = _only_called(name, now, spoken)
        if at is not None and _still_tells(name, old, new):
            return name, at + 1, now[at].strip()
    return None


def _lines(data: bytes) -> list[str]:
    """Without remarks, and what no person wrote."""
    lines = data.decode("utf-8", "replace").split("\n")
    return [REMARK.sub("", line) if len(line) <= LONGEST_LINE else "" for line in lines]


def _heard(lines: Sequence[str]) -> set[str]:
    """The functions with what they gave the script ended."""
    found: set[str] = set()
    for number, line in enumerate(lines):
        below = "\n".join(lines[number : number + NEAR])
        found.update(match["name"] for match in GIVEN.finditer(line))
        if (asked := ASKED.search(line)) is not None and ENDS.search(below):
            found.add(asked["name"])
        if (then := THEN.match(below.lstrip())) is not None and ENDS.search(below):
            found.add(then["name"])
        if (kept := KEPT.search(line)) is not None and _ends_with(kept["kept"], lines[number : number + 2 * NEAR]):
            found.add(kept["name"])
    return found


def _ends_with(kept: str, lines: Sequence[str]) -> bool:
    if not any(map(ENDS.search, lines)):
        return False
    uses = re.compile(rf"(?:{_END}|\b(?:if|unless)\b)[^\n]{{0,80}}\b{re.escape(kept)}\b")
    return any(uses.search(line) and ENDS.search("\n".join(lines[at : at + NEAR])) for at, line in enumerate(lines))


def _only_called(name: str, lines: Sequence[str], spoken: str) -> int | None:
    """Where it is called so that nobody hears of what it gives; None where somebody does, or nothing calls it."""
    uses = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    found: int | None = None
    for number, line in enumerate(lines):
        if name not in line or not uses.search(line) or MADE.search(line):
            continue
        match, called = CALLED.fullmatch(line.strip()), line.partition(".catch(")[0]
        if match is None or match["name"] != name or ".then(" in called or ENDS.search(called):
            return None
        if _is_given_on(lines, number, spoken):
            return None
        found = number
    return found


def _is_given_on(lines: Sequence[str], at: int, spoken: str) -> bool:
    """What follows hears of it, or it is the value of the block around it."""
    if re.match(r"\s*(?:\.(?!catch\b)|\?)", lines[at + 1] if at + 1 < len(lines) else ""):
        return True
    if spoken == "rust":
        return not lines[at].rstrip().endswith(";")
    inside = lines[at][:1].isspace()
    return spoken == "ruby" and inside and not re.match(r"\s*if\b", lines[at - 1])


def _still_tells(name: str, old: bytes, new: bytes) -> bool:
    was, now = ("\n".join(body for _, each, _, body in functions_of(data) if each == name) for data in (old, new))
    if not now or ENDS.search(now):
        return False
    given = {match["given"].rstrip(" ;") for match in GIVES.finditer(was)}
    same = {match["given"].rstrip(" ;") for match in GIVES.finditer(now)} & given
    return TELLS.search(now) is not None or any(each.lower() not in NOTHING for each in same)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unended,)
