"""A failure that was told of, and that nobody hears of any more (policy set v2, class G19).

Rules, for a changed line that is the same but for what becomes of a failure:

- Rust: `?` that became `.unwrap_or_default()`, `.unwrap_or(...)`, `.ok()` or `let _ =` blocks. So does `.unwrap()` or
  `.expect(...)` of what reads, parses or writes; of anything else it is for a person: it may have been an `Option`.
- Go: an `err`, or an answer, that became `_` blocks; so does a `return err` that became `return nil`, or nothing, but
  where the function names what it returns (`named_results`). Where nothing takes the answer any more (there may be none
  now), or something is closed or cleaned up, a person looks. So does one where the failure had given no more than a
  variable that is nothing but declared.
- Go: an `err` that nobody asks about any more (`_ = err`), and a `recover()` whose answer nobody takes block.
- Python, Java, Kotlin, C#, Ruby, JavaScript: a handler that threw, and that now does nothing or gives an empty value,
  blocks. It is for a person where it logs, or where tests change with it. Handlers that throw the same may become one
  (`joined_handlers`).
- Rust: `f()?` that became a `match` or `if let` of which the failure comes to nothing blocks, and so does an arm
  `Err(error) => Err(...)` that gives a value instead.
- Kotlin: a statement that now stands in a `runCatching` of its own blocks.
- What is called after a check (`verify`, `isValid`) and was there says yes where it failed: `getOrDefault(true)`,
  `unwrap_or(true)`, `rescue true`, `catch(() => true)` block, and so does a handler that only answers `true`.

Tests and their support may do as they please.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.common.stubbed.accepting import CHECKS
from ralph.guardrails.common.stubbed.joined_handlers import joins
from ralph.guardrails.common.stubbed.named_results import is_returned_by_name
from ralph.guardrails.inventory.readers import is_support, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import stripped, without_note
from ralph.system.patterns import later

PLAIN, MILD = "code.failure-dropped", "code.swallowed"
RAISED = later(r"\?(?=\s*(?:[;,.)]|$))")
LET_GO = later(
    r"\bif let Ok\(|\bErr\(_\w*\)\s*=>\s*(?:-?\d|\"|\{\s*\}|\(\)|None\b|false\b|true\b|\w+::(?:default|new)\(|continue)"
)
PASSES = later(r"\bErr\(\w*\W*\w+[^)]*\)\s*[,;}]|\breturn Err\b|\bbail!|\bpanic!|\?\s*[;.]|\b(?:warn|error|log)\w*!")
STOPPED = later(r"\.(?:unwrap|expect)\((?:\"[^\"]*\"|[^()]*)\)")
DEFAULTED = later(
    r"\.or\(Ok\([^()]*\)\)|\.or_else\(\|_\w*\| Ok\([^()]*\)\)"
    r"|\.unwrap_or(?:_default|_else)?\((?:[^()]|\([^()]*\))*\)|\.ok\(\)|\blet _ = "
)
FORGIVEN_ARM = later(
    r"Err\(\w+\)\s*=>\s*(?:return\s+)?(?:Ok\(|None\b|\(\)|\{\s*\}|continue|-?\d|\"|true\b|false\b|vec!\[\]"
    r"|(?:\w+::)+(?:default|new|empty)\()"
)
PASSING_ARM = later(r"Err\(\w+\)\s*=>\s*(?:return\s+)?(?:Err\(|panic!|bail!)")
"""An arm of a `match` that passes a failure on, and one that gives something in its place."""
RESULT = later(
    r"\b(?:parse|read\w*|write\w*|open|create\w*|from_\w+|to_str\w*|send|recv|connect|load\w*|save\w*|try_\w+)\b"
)
CHECKED = later(
    r"(?:if\s+|return\s+)?(?P<names>(?:\w+\s*,\s*)*)err\s*:?=\s*(?P<call>[^;]+?)(?:\s*;\s*err != nil\s*\{)?"
)
IGNORED = later(r"(?P<taken>(?:\w+\s*,\s*)*?_\s*:?=\s*)?(?P<call>[\w.]+\(.*\))")
RETURNED = later(r"return\s+(?P<call>[\w.]+\(.*\))")
PASSED_ON = later(
    r"(?:return\b.*(?:\b\w*[eE]rr\b|\b(?:errors\.(?:New|Wrap\w*)|fmt\.Errorf|status\.Errorf?)\().*"
    r"|panic\(err\)|log\.Fatal\w*\(.*\berr\b.*\))"
)
NOT_PASSED_ON = later(r"(?:return(?:\s+(?:nil|0|\"\"|false|true|,\s*)+)?|continue|_ = err|//.*|)")
DECLARED = later(r"if err != nil \{ var (?P<name>\w+) [\w.*\[\]]+ return (?P=name) \}(?: |$)")
"""Told nobody of a failure: what it gave is the zero value of a type."""
UNHEARD = later(r"defer func\(\) \{ (?:_ = )?recover\(\) \}\(\)|(?:_ = )?recover\(\)")
THROWS = later(r"(?:.*\bcatch\b[^{]*\{\s*)?(?:if\s*\(.*\)\s*\{?\s*)?(?:throw|raise)\b.*")
HANDLER = later(r"\s*\}?\s*(?:catch|rescue|except)\b")
QUIET = later(
    r"(?:return\b\s*)?(?:null|nil|None|undefined|[fF]alse|[tT]rue|-?\d[\w.]*|\"[^\"]*\"|''|\[\]|\{\}|:\w+"
    r"|(?:Optional|List|Map|Set)\.(?:of|empty)\(\)"
    r"|empty\w*\(\)|(?:new )?[A-Z]\w*\(\)|\{\} as \w+|string\.Empty|default|continue|break|pass"
    r"|[\w.]*(?:printStackTrace|WriteLine|println?)\(.*\)|puts\b.*)?\s*;?\s*\}?"
    r"|(?://|#).*"
)
LOGS = later(r"(?i)(?-i:console)\.\w+\(.*|[\w.]*log\w*\.\w+\(.*|[\w.]*(?:capture|report|track)\w*\(.*|warn\b.*")
YES = later(r"\b[tT]rue\b")
YES_ON_FAILURE = later(
    r"\b(?:getOrDefault|getOrElse|unwrap_or|unwrap_or_else|map_or|orElse|or_else|orElseGet|recover)\b\s*[({]\s*"
    r"(?:\|\w*\|\s*|\(?\w*\)?\s*[-=]>\s*)?true\b|\brescue\s+true\b|\.catch\(\s*\(?\w*\)?\s*=>\s*true\b"
    r"|\b(?:catch|except|rescue)\b[^\n]*\n\s*(?:return\s+)?[tT]rue\s*;?\s*$|\bErr\(\w*\)\s*=>\s*(?:Ok\()?true\b"
    r"|\bcatch\b[^\n]*\{\s*(?:return\s+)?true\s*;?\s*\}"
)
NAME_OF_CHECK = later(
    r"^\s*(?:[\w<>\[\]?,:&*]+\s+)*(?:fun|def|fn|func|function|bool|boolean|async|const)\s+(\w+)[?!]?\s*[(=]"
)
FARTHEST = 25
"""Lines above an answer at which the head of its function stands."""
ASKED = later(rb"\berr\w* != nil \{\s*$")
CAUGHT = later(r"runCatching\s*\{\s*(?P<work>.+?)\s*\}(?:\.getOr(?:Null|Default|Else)\b.*)?")
TIDIES = later(r"(?i)\b\w*(?:close|print|flush|sync|remove|cleanup|shutdown|stop|unlock|rollback|setenv)\w*\(")


def dropped(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        if file.status != "M" or spoken not in {*JUDGES, *HANDLING} or is_support(file.path):
            continue
        reader = reader_of(spoken)
        if reader is not None and not reader.is_test_file(file.path):
            yield from _in_file(file, JUDGES[spoken]) if spoken in JUDGES else ()
            yield from _unasked(file, change) if spoken == "go" else ()
            yield from _unraised(file) if spoken == "rust" else ()
            yield from _unthrown(file, change, reader.is_test_file) if spoken in HANDLING else ()
            yield from _accepted(file, change)


def _in_file(file: FileChange, judge: Judge) -> Iterator[Hit]:
    for hunk in file.hunks:
        removed = _code(hunk.removed)
        for number, line in enumerate(_code(hunk.added), start=hunk.new_start):
            rule = judge(line, removed)
            if rule:
                yield _hit(rule, file, number, line)


def _accepted(file: FileChange, change: Change) -> Iterator[Hit]:
    """A check of the base that takes its own failure for a yes."""
    if not YES_ON_FAILURE.search(file.added_text.decode("utf-8", "replace")):
        return
    after, before = (
        (data or b"").decode("utf-8", "replace").split("\n")
        for data in (change.blobs.after(file.path), change.blobs.before(file.path))
    )
    known = {found[1] for line in before if (found := NAME_OF_CHECK.search(line)) is not None}
    for hunk in file.hunks:
        for row in range(hunk.new_start - 1, hunk.new_start - 1 + len(hunk.added)):
            said = YES_ON_FAILURE.search("\n".join(after[max(0, row - 1) : row + 1]))
            above = (NAME_OF_CHECK.search(line) for line in reversed(after[max(0, row - FARTHEST) : row + 1]))
            name = next((each[1] for each in above if each is not None), "") if said is not None else ""
            if name in known and CHECKS.search(name) and YES.search(after[row]):
                yield _hit(PLAIN, file, row + 1, after[row].strip())


def _unasked(file: FileChange, change: Change) -> Iterator[Hit]:
    """`if err != nil { return err }` that returns nothing of it."""
    lines: list[bytes] | None = None
    for hunk in file.hunks:
        removed, added = _code(hunk.removed), _code(hunk.added)
        if len(removed) == 1 and PASSED_ON.fullmatch(removed[0]) and all(map(NOT_PASSED_ON.fullmatch, added)):
            lines = (change.blobs.after(file.path) or b"").split(b"\n") if lines is None else lines
            before = hunk.new_start - 2 if hunk.added else hunk.new_start - 1
            for above in (before, before - 1):
                if 0 <= above < len(lines) and ASKED.search(lines[above]):
                    if is_returned_by_name(removed[0], added, lines, above):
                        break
                    yield _hit(PLAIN, file, above + 1, lines[above].decode("utf-8", "replace").strip())
                    break


def _unraised(file: FileChange) -> Iterator[Hit]:
    """`f()?` that became a `match` or an `if let` of which the failure comes to nothing."""
    for hunk in file.hunks:
        removed, added = _code(hunk.removed), _code(hunk.added)
        text = " ".join(added)
        if not LET_GO.search(text) or PASSES.search(text):
            continue
        for was in (line for line in removed if RAISED.search(line)):
            call = _bare(RAISED.sub("", re.sub(r"^let [^=]*=", "", was)))
            if "(" in call and call in _bare(text):
                yield _hit(PLAIN, file, hunk.new_start, added[0])


def _unthrown(file: FileChange, change: Change, is_test: Callable[[str], bool]) -> Iterator[Hit]:
    """`catch (E e) { throw new F(e); }` that throws nothing."""
    mark = "#" if file.path.endswith((".rb", ".py")) else "//"
    anywhere = {line for hunk in file.hunks for line in _code(hunk.added, mark)}
    for hunk in file.hunks:
        removed, added = (list(filter(None, _code(side, mark))) for side in (hunk.removed, hunk.added))
        thrown = [line for line in removed if THROWS.fullmatch(line)]
        if not anywhere.isdisjoint(thrown) or not thrown or any(map(THROWS.fullmatch, added)):
            continue
        quiet = [HANDLER.match(line) or QUIET.fullmatch(line) for line in added]
        logged = any(map(LOGS.match, added))
        if not all(fine or LOGS.match(line) for fine, line in zip(quiet, added, strict=True)):
            continue
        lines = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
        at = hunk.new_start - 1
        if len(added) == 1 and joins(added[0], removed) and _next(lines[at + len(hunk.added) :]) in thrown:
            continue
        above = [_last(lines[:at]), "" if added else _last(lines[: at + 1])]
        if any(map(HANDLER.match, (*above, *added))):
            tested = any(is_test(each.path) for each in change.files)
            yield _hit(MILD if logged or tested else PLAIN, file, max(at, 1), above[0])


def _code(lines: Sequence[bytes], mark: str = "//") -> list[str]:
    return [without_note(line, mark) for line in stripped(lines)]


def _last(lines: Sequence[str]) -> str:
    """The last line that says something."""
    return next((line.strip() for line in reversed(lines) if line.strip() not in ("", "{")), "")


def _next(lines: Sequence[str]) -> str:
    """The first line that says something."""
    return next((line.strip() for line in lines if line.strip() not in ("", "{")), "")


def _hit(rule: str, file: FileChange, number: int, line: str) -> Hit:
    detail = "it told of a failure before"
    return hit_at(rule, file.path, number, detail, line, key=line)


def _rust(line: str, removed: list[str]) -> str:
    if FORGIVEN_ARM.match(line):
        return PLAIN if any(map(PASSING_ARM.match, removed)) else ""
    if not DEFAULTED.search(line):
        return ""
    bare = _bare(DEFAULTED.sub("", line))
    for was in removed:
        if ".map_err(" not in bare and ".map_err(" in was and bare == _bare(was.partition(".map_err(")[0]):
            return PLAIN
        if RAISED.search(was) and bare == _bare(DEFAULTED.sub("", RAISED.sub("", was))):
            return PLAIN
        if ".map_err(" in was and bare.startswith("Ok(") and _unmapped(was) == _unmapped(DEFAULTED.sub("", line)):
            return PLAIN
        if STOPPED.search(was) and bare == _bare(DEFAULTED.sub("", STOPPED.sub("", was))):
            return PLAIN if RESULT.search(bare) else MILD
    return ""


def _unmapped(line: str) -> str:
    """A call without what is said about its failure, or around its success."""
    return _bare(line).removeprefix("Ok(").partition(".map_err(")[0].rstrip(")")


def _bare(line: str) -> str:
    return "".join(line.split()).rstrip(";")


def _go(line: str, removed: list[str]) -> str:
    if UNHEARD.fullmatch(line):
        return PLAIN
    if line == "_ = err" and any(map(PASSED_ON.fullmatch, removed)):
        return PLAIN
    ignored = IGNORED.fullmatch(line)
    if ignored is None:
        return ""
    call = _bare(ignored["call"])
    for was in removed:
        checked = CHECKED.fullmatch(was)
        returned = RETURNED.fullmatch(was)
        if returned is not None and ignored["taken"] and _bare(returned["call"]) == call:
            return "" if TIDIES.search(call) else PLAIN
        if checked is not None and _bare(checked["call"]) == call and "(" in call:
            mild = TIDIES.search(call) or ignored["taken"] is None or _told_nobody(was, removed)
            return MILD if mild else PLAIN
    return ""


def _told_nobody(was: str, removed: list[str]) -> bool:
    """Wherever the line stood, what its failure gave was declared there and then."""
    behind = (" ".join(filter(None, removed[at + 1 :])) for at, line in enumerate(removed) if line == was)
    return all(map(DECLARED.match, behind))


def _kotlin(line: str, removed: list[str]) -> str:
    caught = CAUGHT.fullmatch(line)
    return PLAIN if caught is not None and caught["work"] in removed else ""


Judge = Callable[[str, list[str]], str]
JUDGES: dict[str, Judge] = {"rust": _rust, "go": _go, "kotlin": _kotlin}
HANDLING = frozenset({"python", "java", "kotlin", "csharp", "ruby", "javascript", "typescript", "tsx"})
CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (dropped,)
