"""A helper that throws where it asserted (policy set v2, class G05), in all languages, by its lines.

`expect(payload.kind).not.toBe("none")` may become `if (payload.kind === "none") throw new Error(...)`: the compiler
knows the kind then, and the test fails as before. In a test itself that is read as an assertion; a function that is
nothing but called asserts only by what it calls. Rule: the helper's assertion is not missed where the test calls the
helper as often as before, and the first level of its body has a condition, with nothing else in it, under which it does
nothing but throw; the condition compares the same two things and holds where the assertion failed. Not so behind a
`return`, nor where the helper catches what is thrown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.model import Check, Test
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

THROWS = later(r"(?:throw|raise|fail)\b|panic!?\(|pytest\.fail\(|self\.fail\(")
CATCHES = later(r"\b(?:catch|except|rescue|recover|finally|ensure)\b")
RETURNS = later(r"\breturn\b")
ASKS = later(r"if\b\s*(?P<rest>\S.*)")
COMPARES = later(r"(?P<left>[^=!<>&|]+)(?P<relation>===|!==|==|!=)(?P<right>[^=!<>&|]+)")
"""Without blanks."""
FAILS_WHERE = {"===": "!=", "==": "!=", "!==": "==", "!=": "=="}
"""What was asserted, by what the condition asks."""
QUOTES = str.maketrans({"'": '"', "`": '"'})


def throws_instead(check: Check, name: str, old: Test, text: str) -> bool:
    """`check` is what the test no longer asserts, `old` the helper that asserted it, `text` the head's file."""
    asserted = [each for each in old.facts().checks if (each.relation, each.wanted) == (check.relation, check.wanted)]
    said = ["".join(each.snippet.split()).translate(QUOTES) for each in asserted]
    return any(
        relation == check.relation and any(_are_in(parts, snippet) for snippet in said)
        for relation, parts in _guards(list(_body(text, name)))
    )


def _are_in(parts: Sequence[str], snippet: str) -> bool:
    at = 0
    for part in parts:
        found = snippet.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def _body(text: str, name: str) -> Iterator[str]:
    head = re.compile(
        rf"^\s*(?:export\s+|pub\s+|async\s+|static\s+)*(?:(?:function\*?|def|fn|func|fun)\s+{re.escape(name)}\b"
        rf"|(?:const|let|var)\s+{re.escape(name)}\s*[=:])"
    )
    lines = text.split("\n")
    start = next((at for at, line in enumerate(lines) if head.match(line)), None)
    if start is None:
        return
    for line in lines[start + 1 :]:
        closes = line.lstrip()[:1] in (")", "}", "]", "")
        if depth(line) <= depth(lines[start]) and not closes:
            return
        if depth(line) <= depth(lines[start]) and line.strip() in ("}", "end", "};"):
            return
        yield line


def _guards(body: Sequence[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """What each guard asserts, and the two things that it compares."""
    if any(CATCHES.search(line) for line in body):
        return
    levels = [depth(line) for line in body if line.strip() and line.lstrip()[:1] not in ")}]"]
    first = _first_level(body, levels)
    for at, line in enumerate(body):
        if RETURNS.search(line):
            return
        if depth(line) != first:
            continue
        asks = ASKS.match(line.strip())
        if asks is None:
            continue
        throws = THROWS.search(asks["rest"])
        after = next((each.strip() for each in body[at + 1 :] if each.strip()), "")
        if throws is None and not THROWS.match(after):
            continue
        condition = asks["rest"][: throws.start()] if throws is not None else asks["rest"]
        compared = COMPARES.fullmatch("".join(condition.split()).strip("(){}:").translate(QUOTES))
        if compared is not None:
            yield FAILS_WHERE[compared["relation"]], (compared["left"], compared["right"])


def _first_level(body: Sequence[str], levels: Sequence[int]) -> int:
    """Of the statements; parameters over several lines stand as deep, and are none."""
    return min((level for level in levels if level > 0), default=0) if body else 0
