"""Shell: ShellCheck directives and skipped tests of bats, ShellSpec and shUnit2 (policy set v2, G01, G02, G03).

Rules:

- `# shellcheck disable=` counts where ShellCheck reads it: at the beginning of a comment;
- what a build tool writes into its own start script (`gradlew`) is no choice of the project;
- a script of the product that answers at once where a runner's variables are set (`[ -n "$BATS_TEST_NAME" ]`) knows
  its tests (G07);
- a skip is a command, so it counts where a command can stand, outside strings, comments and here documents, in a
  file that bats or ShellSpec runs; one that hangs on `uname` or `OSTYPE` alone is shown for review.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails import directives
from ralph.guardrails.conditions import on_linux, vocabulary
from ralph.guardrails.directives import directive
from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Comment, Source
from ralph.guardrails.tokens import masked
from ralph.system.patterns import later

TABLE = (
    *directives.COMMON,
    directive(
        "shell.shellcheck-disable",
        "shellcheck disable",
        r"\A#[ \t]*shellcheck\b.*?\bdisable=(?P<codes>[\w,\-]+)",
    ),
    directive("shell.bats-focus", "bats:focus", r"\A#[ \t]*bats[ \t]+(?:file_|test_)tags=(?:.*[, ])?bats:focus\b"),
)
WRAPPERS = {"gradlew": b"Gradle start up script", "mvnw": b"Maven Wrapper startup"}
HEADER = 2000
QUOTES = "\\\"'"
COMMAND = (
    r"(?:^(?:[^()\n]*\)|[ \t]*\([^()\n]*\))?|[;&|({]|\b(?:then|else|do|if|while|until|!)\b)"
    r"[ \t]*(?:(?:builtin|command|eval|run)[ \t]+)?"
)
"""Where a command can stand; a line may begin with what an arm of a `case` is for."""
BATS = later(
    rf"{COMMAND}(?P<word>skip(?=[ \t;&|)}}]|$)(?![ \t]*\(\))|BATS_TEST_(?:SKIPPED|COMPLETED)(?==))", re.MULTILINE
)
"""The two variables are what bats itself sets for a test that is skipped."""
QUOTED = later(rf"{COMMAND}(?P<word>\\skip|([\"'])skip\2)(?=[ \t;&|)}}]|$)", re.MULTILINE)
"""Quoting a command's name does not change it."""
SHELLSPEC = later(
    rf"{COMMAND}(?P<word>Skip|Pending|Todo|[xf](?:It|Describe|Context|Specify|Example|ExampleGroup))(?=[ \t;]|$)",
    re.MULTILINE,
)
SHUNIT = later(rf"{COMMAND}(?P<word>startSkipping)(?=[ \t;]|$)", re.MULTILINE)
TEST_NAME = later(
    r"^[ \t]*(?:@test|It|Example|Specify)[ \t]+(.+?)[ \t]*\{?[ \t]*$|^[ \t]*(\w+)[ \t]*\(\)", re.MULTILINE
)
SYSTEM = later(r"(?<![$\w({-])(?:[Ll]inux|[Dd]arwin|MINGW|CYGWIN|msys|cygwin|FreeBSD|gnu|musl|win32)[\w*.-]*")
"""What uname and OSTYPE say."""
ARM = later(r"(?:[^()\n]*|[ \t]*\([^()\n]*)\)[ \t]*$")
PLATFORM = vocabulary("uname OSTYPE MACHTYPE", "if then s m skip")
WORDS = (
    r"shellcheck",
    r"\bskip\b|startskipping|bats_test_(?:skipped|completed)=",
    r"^\s*(?:[xf](?:it|describe|context|specify|example|examplegroup)|pending|todo)\b",
    r"bats:focus",
    r"\$\{?(?:bats|shunit|shellspec)_",
    r"(?:\$\{?0|ppid|bash_source|caller|\bps\s|funcname).*\b(?:bats|shunit2|shellspec)\b",
    r"\b(?:type|declare\s+-f+|command\s+-v|typeset\s+-f)\s+(?:bats_|_?shunit_|shellspec_|run\b)",
    *directives.COMMON_WORDS,
)


RUNNING = later(
    r"(?m)^[^#\n]*(?:(?:\bif\b|\[|\btest\b|\bcase\b)[^#\n]*\$\{?(?:BATS|SHUNIT|SHELLSPEC)_\w+"
    r"|(?:\$\{?0\b|\bPPID\b|\$\{?BASH_SOURCE|\bcaller\b|\bps\s|\bFUNCNAME\b)[^#\n]*\b(?:bats|shunit2|shellspec)\b"
    r"|\b(?:type|declare\s+-[fF]+|command\s+-v|typeset\s+-f)\s+(?:bats_\w+|_?shunit_\w+|shellspec_\w+|run)(?![\w-]))"
    r"(?P<behind>[^\n]*(?:\n[^\n]*){0,2})"
)
ASKS = later(rb"BATS_|SH(?:UNIT|ELLSPEC)|\bbats|shunit|shellspec|\b(?:type|declare|command|typeset)\s")
ANSWERS = later(r"(?m)(?:^|[;&|{]|\bthen\b)\s*(?:echo|printf|exit|return)\b")


def knows_tests(source: Source) -> Iterator[Hit]:
    """An answer that only tests get, in what is no test."""
    if not ASKS.search(source.data):
        return
    if TEST_PLACE.search(source.path) or source.path.endswith((".bats", ".bash")) or _form(source) is SHELLSPEC:
        return
    text = source.data.decode("latin-1")
    for match in RUNNING.finditer(text):
        line = text.count("\n", 0, match.start()) + source.first_line
        place = Comment("", line, 1, line, match.start(), False)
        rule = "code.detects-tests" if ANSWERS.search(match["behind"]) else "code.test-mode"
        yield source.hit(rule, place, match[0].partition("\n")[0].strip())


def comment_directives(source: Source) -> Iterator[Hit]:
    if not is_wrapper(source):
        yield from directives.suppressions(source, TABLE, ("#",))


def is_wrapper(source: Source) -> bool:
    """The start script that a build tool writes, and says so at its beginning."""
    says = WRAPPERS.get(posixpath.basename(source.path))
    return says is not None and says in source.data[:HEADER]


OPENS = later(r"(?m)(?:^|[;&|])\s*(?:if|case|for|while|until)\b|\b(?:then|else|do)\s+(?:if|case|for|while|until)\b")
CLOSES = later(r"(?m)(?:^|[;&|])\s*(?:fi|esac|done)\b")
DECIDES = later(r"&&|\|\|")


def skips(source: Source) -> Iterator[Hit]:
    form = _form(source)
    if form is None:
        return
    text, quoted = masked(source), masked(source, keep_strings=True)
    raw = source.data.decode("latin-1")
    for match in (*form.finditer(text), *QUOTED.finditer(quoted)):
        word, start = match["word"], match.start("word")
        line_start = text.rfind("\n", 0, start) + 1
        line = text.count("\n", 0, start) + source.first_line
        place = Comment("", line, start - line_start + 1, line, start, False)
        rule = (
            "shell.focus" if word.startswith("f") else "shell.skip-platform" if _platform(raw, start) else "shell.skip"
        )
        key = f"{word.strip(QUOTES)} in {_test_name(raw, start)}"
        yield from source.skips(rule, place, key, always=_is_met_always(text, start))


def _form(source: Source) -> re.Pattern[str] | None:
    if (
        source.path.endswith((".bats", ".bash"))
        or b"bats" in source.data.split(b"\n", 1)[0]
        or b"@test " in source.data
        or b"BATS_TEST_" in source.data
    ):
        return BATS if not source.path.endswith(".bash") or b"bats" in source.data or "test" in source.path else None
    if re.search(r"_spec\.\w+$|(?:^|/)spec/", source.path):
        return SHELLSPEC
    return SHUNIT if b"shunit2" in source.data or b"startSkipping" in source.data else None


def _platform(raw: str, start: int) -> bool:
    """True for `[ "$(uname)" = Linux ] || skip`, `if [[ $OSTYPE == darwin* ]]; then skip`, and an arm of a `case`."""
    line_start = raw.rfind("\n", 0, start) + 1
    condition = raw[line_start:start]
    if not condition.strip(" \t;&|"):
        head = raw[:line_start].rstrip("\n").rpartition("\n")[2].strip()
        condition = head if ARM.match(head) or (re.match(r"if\b", head) and re.search(r"\bthen$", head)) else ""
    if ARM.match(condition):
        asked = raw[:start].rpartition("case ")[2].partition("\n")[0].partition(" in")[0]
        condition = f"{asked} {condition}"
    asked = SYSTEM.sub("'os'", condition.replace('"', " "))
    skips_when = not condition.rstrip().endswith("||")
    return PLATFORM.only_platform(asked) and on_linux(condition.rstrip(" \t;&|")) is not skips_when


def _is_met_always(text: str, start: int) -> bool:
    """In the test no `if`, loop or `case` is open there, and nothing on the line decides whether it is reached."""
    before = text[:start]
    begins = max((match.end() for match in TEST_NAME.finditer(before)), default=0)
    *_, line = before[begins:].split("\n")
    open_ones = len(OPENS.findall(before[begins:])) - len(CLOSES.findall(before[begins:]))
    return open_ones <= 0 and not DECIDES.search(line)


def _test_name(raw: str, start: int) -> str:
    names = TEST_NAME.findall(raw[:start])
    return next((name for name in names[-1] if name), "") if names else "the file"


DETECTORS = (comment_directives, skips, knows_tests)
