"""Java and Kotlin: tests that stop themselves, Kotest's names, and escapes that hide code.

Rules:

- an assumption is a skip whatever it assumes, because a green run cannot tell it from a test that passed; one
  about the operating system alone is shown for review;
- Kotest skips a test whose name begins with `!` and focuses one that begins with `f:`; the x- and f-forms count
  with a text and a block and without a receiver;
- Java reads unicode escapes before anything else: one that spells plain ASCII outside a string has no honest use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.conditions import vocabulary
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Comment, Source
from ralph.guardrails.tokens import Token, group_end, join, masked, split, tokens
from ralph.system.patterns import later

ASSUME = later(r"assum(?:e(?:True|False|That|NotNull|NoException)?|ingThat)")
ASSUMERS = frozenset({"Assume", "Assumptions", "TruthJUnit", "Assertions", "TestAbortedException"})
SKIP_EXCEPTIONS = frozenset(
    {"TestAbortedException", "AssumptionViolatedException", "SkipException", "TestSkippedException"}
)
PLATFORM = vocabulary(
    "OS isCurrentOs SystemUtils IS_OS_WINDOWS IS_OS_LINUX IS_OS_MAC IS_OS_MAC_OSX IS_OS_UNIX getProperty isWindows"
    " isMac isMacOS isLinux isUnix IS_OS_MAC_OSX IS_OS_SOLARIS IS_OS_FREE_BSD feature",
    "WINDOWS LINUX MAC AIX SOLARIS FREEBSD System toLowerCase lowercase contains startsWith equals not is"
    " Runtime version",
)
PLATFORM_PROPERTY = later(r'getProperty \( "(?!os\.(?:name|arch|version)")')
STYLES = (
    "test",
    "it",
    "describe",
    "context",
    "should",
    "expect",
    "feature",
    "scenario",
    "given",
    "when",
    "then",
    "and",
)
XF_FORMS = {prefix + style: prefix for prefix in "xf" for style in STYLES}
NEVER = "never"
OPPOSITE = {"assumeTrue": "assumeFalse", "assumeFalse": "assumeTrue"}
VALUE = later(r"(?P<of>.+) , (?:is|equalTo|CoreMatchers \. is) \( (?P<value>true|false) \)")
DECIDED = later(r"\| \| true\b|\btrue \| \||& & false\b|\bfalse & &|\|\| true\b|\btrue \|\||&& false\b|\bfalse &&")
"""A condition that a constant decides."""
ESCAPE = later(r"(?<!\\)(?:\\\\)*\\u+00(?:0[aAdD]|2[0-9a-fA-F]|[3-6][0-9a-fA-F]|7[0-9a-eA-E])")


def assumptions(source: Source) -> Iterator[Hit]:
    words = tokens(source)
    for test, index, assumes in functions_and_assumptions(words):
        word, before = words[index], words[index - 1].text if index else ""
        follows = words[index + 1].text if index + 1 < len(words) else ""
        if assumes:
            how = spoken(words, index)[0] if follows == "(" else word.text
            yield source.hit(rule_of(words, index), word.node, f"{how} in {test}")
        elif word.text == "abort" and before == "." and words[index - 2].text in ASSUMERS:
            yield source.hit("jvm.skip", word.node, f"abort in {test}")
        elif word.text in SKIP_EXCEPTIONS and (before in ("new", "throw") or follows == "("):
            yield source.hit("jvm.skip", word.node, f"{word.text} in {test}")


def functions_and_assumptions(words: Sequence[Token]) -> Iterator[tuple[str, int, bool]]:
    """The words inside of functions, but for those that name one, with its name, and whether each is an assumption."""
    test = "the file"
    for index, word in enumerate(words):
        if word.kind != "word":
            continue
        before = words[index - 1].text if index else ""
        follows = words[index + 1].text if index + 1 < len(words) else ""
        if follows == "(" and (before == "fun" or _declares(words, index)):
            test = word.text
        else:
            yield test, index, ASSUME.fullmatch(word.text) is not None and _is_assumption(words, index)


def spoken(words: Sequence[Token], index: int) -> tuple[str, str]:
    """The name of an assumption and its condition, free of what only negates it and of what it tells people."""
    how = words[index].text
    parts = [part for part in split(words[index + 2 : group_end(words, index + 1)]) if not _is_text(part)]
    condition = " , ".join(map(join, parts))
    if (value := VALUE.fullmatch(condition)) is not None:
        how, condition = ("assumeTrue" if value["value"] == "true" else "assumeFalse"), value["of"]
    while how in OPPOSITE and condition.startswith("! "):
        how, condition = OPPOSITE[how], condition.removeprefix("! ")
    constant = (how, condition) in (("assumeTrue", "false"), ("assumeFalse", "true"))
    return (NEVER if constant or DECIDED.search(condition) else how), condition


def _is_text(part: Sequence[Token]) -> bool:
    return bool(part) and part[0].kind == "string" and all(word.kind == "string" or word.text == "+" for word in part)


def kotest(source: Source) -> Iterator[Hit]:
    if source.language != "kotlin":
        return
    words = tokens(source)
    for index, word in enumerate(words):
        if word.kind == "string" and (rule := _name_rule(word.value)) and _names_a_test(words, index):
            yield source.hit(rule, word.node, f"test {word.value}")
        elif word.text in XF_FORMS and _call_with_text(words, index):
            rule = "jvm.skip" if XF_FORMS[word.text] == "x" else "jvm.focus"
            yield source.hit(rule, word.node, f"{word.text} {words[index + 2].value}")
        elif word.text in ("enabled", "enabledIf", "enabledOrReasonIf", "invocations") and _in_config(words, index):
            value = _value(words, index + 2)
            if (word.text != "invocations" and value != "true") or value == "0":
                platform = PLATFORM.only_platform(value) and not PLATFORM_PROPERTY.search(value)
                rule = "jvm.skip-platform" if platform else "jvm.skip"
                yield source.hit(rule, word.node, f"config {word.text} {value} {_configured(words, index)}")


def unicode_escapes(source: Source) -> Iterator[Hit]:
    if source.language != "java" or b"\\u" not in source.data:
        return
    readable = masked(source)
    # Inside a comment only an escape that ends the comment hides anything.
    raw = source.data.decode("latin-1")
    places = {match.start(): match for match in ESCAPE.finditer(readable)}
    places |= {m.start(): m for c in source.comments for m in _endings(raw, c)}
    for start in sorted(places):
        line = raw.count("\n", 0, start)
        column = start - (raw.rfind("\n", 0, start) + 1)
        place = Comment("", line + source.first_line, column + 1, line + source.first_line, start, False)
        yield source.hit("jvm.unicode-escape", place, "unicode escape of plain ASCII")


def _endings(raw: str, comment: Comment) -> Iterator[re.Match[str]]:
    end = comment.start_byte + len(comment.text.encode())
    ends = r"\\u+00(?:0[aAdD])" if comment.text.startswith("//") else r"\\u+002[aA]|\\u+002[fF]"
    yield from re.compile(ends).finditer(raw, comment.start_byte, end)


def _declares(words: Sequence[Token], index: int) -> bool:
    """True for `type name(` of a Java method: a word or a closing mark before the name, no call."""
    before = words[index - 1] if index else None
    keywords = ("new", "return", "throw", "else", "in", "is", "as", "import", "package")
    if before is None or before.text in keywords or not (before.kind == "word" or before.text in (">", "]")):
        return False
    end = group_end(words, index + 1)
    return end + 1 < len(words) and words[end + 1].text in ("{", "throws")


def _is_assumption(words: Sequence[Token], index: int) -> bool:
    """True for a call of one of JUnit's or Truth's, and for a reference to one."""
    before = words[index - 1].text if index else ""
    after = [word.text for word in words[index + 1 : index + 3]]
    if before == "::":
        return True
    if after[:1] != ["("] or before == "fun" or (words[index].text == "assume" and after[1:] != [")"]):
        return False
    return words[index - 2].text in ASSUMERS if before == "." else not _declares(words, index)


def rule_of(words: Sequence[Token], index: int) -> str:
    end = group_end(words, index + 1)
    first = join(words[index + 2 : end])
    condition = re.sub(r', "[^"]*"$', "", first)
    platform = PLATFORM.only_platform(condition) and not PLATFORM_PROPERTY.search(condition)
    return "jvm.skip-platform" if platform else "jvm.skip"


def _name_rule(name: str) -> str | None:
    return "jvm.skip" if name.startswith("!") else "jvm.focus" if name.startswith("f:") else None


def _names_a_test(words: Sequence[Token], index: int) -> bool:
    """`"name" {`, `"name" - {`, `"name".config(`, `test("name")`, `"name" should {`."""
    before = words[index - 1].text if index else ""
    after = [word.text for word in words[index + 1 : index + 3]] + ["", ""]
    if before == "(" and index > 1 and re.sub(r"^[xf]", "", words[index - 2].text) in STYLES:
        return words[index - 3].text != "." if index > 2 else True
    if before in ("(", ",", "=", "return", "+"):
        return False
    infix = after[0] in ("-", "should", "when", "`when`", "When", "Then", "And", "Or") and after[1] in ("{", "{}")
    return after[0] == "{" or infix or (after[0] == "." and after[1] == "config")


def _call_with_text(words: Sequence[Token], index: int) -> bool:
    before = words[index - 1].text if index else ""
    if before in (".", "fun") or index + 2 >= len(words) or words[index + 1].text != "(":
        return False
    end = group_end(words, index + 1)
    block = end + 1 < len(words) and words[end + 1].text in ("{", ".")
    return words[index + 2].kind == "string" and block


def _in_config(words: Sequence[Token], index: int) -> bool:
    if index + 2 >= len(words) or words[index + 1].text != "=":
        return False
    depth = 0
    for position in range(index - 1, max(index - 80, 0), -1):
        text = words[position].text
        depth += (text == ")") - (text == "(")
        if depth < 0:
            return words[position - 1].text in ("config", "defaultTestConfig", "TestCaseConfig", "DefaultTestConfig")
    return False


def _value(words: Sequence[Token], index: int) -> str:
    """The value of a setting, or what its block `{ _ -> … }` gives."""
    if words[index].text == "{":
        value = join(words[index + 1 : group_end(words, index)])
        return re.sub(r"^\w+ - ?> ", "", value)
    end = index
    while end < len(words) and words[end].text not in (",", ")"):
        end = group_end(words, end) + 1 if words[end].text == "(" else end + 1
    return join(words[index:end])


def _configured(words: Sequence[Token], index: int) -> str:
    return next((words[p].value for p in range(index, max(index - 60, -1), -1) if words[p].kind == "string"), "")
