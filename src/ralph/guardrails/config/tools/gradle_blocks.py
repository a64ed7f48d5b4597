"""The blocks of a Gradle script, told by their braces. Comments are blanks there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.system.patterns import later

CHECKING = later(r"test|check|lint|pmd|spotbugs|detekt|verif|analy|spotless|errorprone|codenarc", re.IGNORECASE)
CONDITION = later(r"(?:else\s+)?(?:if|when|for|while|try|catch|else)\b")
NO_CHECK = later(
    r"(?:reports|html|(?:junit)?xml|csv|sarif|txt|markdown|md|testLogging|develocity|predictiveSelection|distribution"
    r"|dependencies|configurations|\w*(?:implementation|api|only)(?=\s*[(.])|binaries|javaLauncher|manifest|pom)\b",
    re.IGNORECASE,
)
"""Parts of a check that say how it reports, or where it runs."""
BEFORE_DOT = later(r"[\w.]+(?:<[^<>\n]*>)?(?:\([^()\n]*\)|\[[^\[\]\n]*\])*(?:\.\w+(?:\([^()\n]*\))*)*\.$")
"""What a setting is said of: `tasks.named("test").get().`."""
OF_RESOURCES = later(r"\bprocess\w*Resources\b|\btestFixtures\w*\b")
NAMES_ONE = later(r"[\"'](?:\w*test\w*|check)[\"']", re.IGNORECASE)


def openings(text: str, place: int) -> Iterator[int]:
    """Where the blocks open that a place stands in, the innermost first."""
    depth = 0
    for index in range(place - 1, -1, -1):
        if text[index] == "}":
            depth += 1
        elif text[index] == "{":
            if depth == 0:
                yield index
            depth = max(0, depth - 1)


def about(text: str, place: int) -> str | None:
    """The check that a setting is about, by what stands before its dot or by the block around it; None for none.

    A condition (`if (name == "test")`) names one where the block is about any task.
    """
    start = max(text.rfind(letter, 0, place) for letter in "\n{;") + 1
    line = text[start:place].strip()
    said = BEFORE_DOT.search(line)
    if said is not None and CHECKING.search(said[0]):
        return _task(said[0].rstrip("."))
    if said is not None and NO_CHECK.match(said[0]):
        return None
    asked = line
    for index in openings(text, place):
        head = _head(text, index)
        if CONDITION.match(head):
            asked += head
        elif NO_CHECK.match(head) or OF_RESOURCES.search(head):
            return None
        elif CHECKING.search(head):
            return _task(head)
        elif asked and (found := NAMES_ONE.search(asked)) is not None:
            return found[0].strip("\"'")
    return None


def _head(text: str, index: int) -> str:
    """What stands before a brace, over lines that go on with a call."""
    start = max(text.rfind(letter, 0, index) for letter in "\n;") + 1
    while text[start:index].lstrip().startswith(".") and start:
        start = text.rfind("\n", 0, start - 1) + 1
    head, depth = text[start:index], 0
    for place in range(len(head) - 1, -1, -1):
        depth += (head[place] == "}") - (head[place] == "{")
        if depth < 0:
            return head[place + 1 :].strip()
    return head.strip(" \t\n}")


def _task(block: str) -> str:
    """The task or type of a block, as both of Gradle's languages say it: `tasks.named("test")` is `test`."""
    block = re.sub(r"\s+", "", re.sub(r"\b(?:val|def)\s+\w+\s+by\b", "", block))
    new = "new " if re.search(r"\b(?:register|registering|create|creating)\b", block) else ""
    named = re.match(
        r"(?:project\.)?(?:tasks\.)?(?:named|getByName|withType|register|create)(?:<([\w.]+)>)?\(?[\"']?([\w.]*)", block
    )
    bare = re.sub(r"^(?:project\.)?tasks\.|\.configureEach$|\.configure$|\.all$|\.get\(\)$", "", block)
    plain = (named[2] or named[1] or bare) if named else bare
    return new + re.sub(r"::class(?:\.java)?$|\.class$", "", plain)
