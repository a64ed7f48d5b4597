r"""A text that was wanted word for word, and of which a pattern or a part is wanted now (policy set v2, class G05).

Rules:

- Where what is asked now accepts the old text, and more, it is a loss: `"whats-new"` became `/what|new/`, a part of it,
  its beginning, or a pattern that no letter of it stands in.
- It is for a person where the text stands there from end to end; and where only what changes from run to run was taken
  out of a text of words: a date, a time, a version, a path, an address, a hash, a duration.
- Of a message most of which is still there others decide: how an error is worded is rarely what a test is about.
- A list of answers in brackets (`^(IV|IIII)$`), the old text one of them, is a loss, too.
- What does not accept the old text asks for something else, and what cannot be read is left to others, too.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check
from ralph.record import record
from ralph.system.patterns import later

LITERAL = later(
    r"(?P<raw>[rR@`]?)(?:\"\"\"(?P<long>.*?)\"\"\"|\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>(?:[^'\\]|\\.)*)'"
    r"|(?<=`)(?P<tick>[^`]*)`|(?<![\w)\]])/ ?(?P<regex>(?:[^/\\]|\\.)+?) ?/(?P<flags>[a-z]*))",
    re.DOTALL,
)
ASKS_PATTERN = later(r"(?i)match|regex|pattern|=~|\.test\b|\bre\.|\bfind\b")
ASKS_PART = later(r"(?i)contain|includ|prefix|suffix|start|end|\bin\b|part|indexOf|=~")
WHOLE = later(r"\bmatches(?:Pattern|Regex)?\b|shouldMatch")
"""Asked so, a pattern is one of the whole text, in Java and Kotlin, whose texts stand in double quotes, and Python."""
MESSAGE = later(
    r"(?i)message|\bmsg\b|\berr(?:or)?\b|exception|excinfo|stderr|stdout|\blogs?\b|\bwarning|reason|\.Error\(\)|\be(?:x|xc)?\b"
)
CHANGING = later(
    r"(?i)\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?"
    r"|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?|\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4}|v?\d+\.\d+\.\d+(?:[-+.][\w.]+)?|\blocalhost(?::\d+)?"
    r"|\bhttps?://[^\s'\"<>]+|(?<![\w.])(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.~-]+(?:[/\\][\w.~-]+)*[/\\]?|\b0x[0-9a-f]+"
    r"|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}\b"
    r"|\b\d+(?:\.\d+)? ?(?:ms|µs|us|ns|s|sec|seconds?|minutes?)\b|(?<=[Ll]ine )\d+|(?<=port )\d+|(?<=pid )\d+"
)
"""What a text says otherwise from run to run, or from one machine to another."""
CHANGES = later(r"(?i)version|uuid|\bnow\b|stamp|tmp|temp|cwd")
"""Of what is looked at: it is such a thing as a whole."""
WORD = later(r"[^\W\d_]{3,}")
MOST = 400
"""A longer text or pattern is not looked into."""
LONGEST = 2000
SHORT = 100
"""A text that a pattern is tried on."""


@record
class Asked:
    """One way to meet a pattern: the texts that must come one after another."""

    runs: tuple[str, ...]
    starts: bool
    ends: bool
    leads: bool = False
    """The first of them stands at the very beginning."""
    trails: bool = False
    """The last of them stands at the very end."""


def loses_text(old: Check, new: Check) -> bool | None:
    """True: more is accepted now; False: for a person; None: nothing to tell."""
    wanted = _only(old.wanted)
    text = f"{new.subject} {new.wanted}"
    if wanted is None or not wanted or old.relation != "==" or not old.known or len(text) > LONGEST:
        return None
    if not old.subject or old.subject not in text:
        return None
    rest = text.replace(old.subject, " ", 1)
    found = list(LITERAL.finditer(rest))
    if len(found) != 1 or not (told := literal_text(found[0])) or max(len(told), len(wanted)) > MOST:
        return None
    how = f"{new.relation} {LITERAL.sub('', rest)}"
    if found[0]["regex"] is not None or ASKS_PATTERN.search(how):
        whole = "fullmatch" in how or (found[0]["double"] is not None and WHOLE.search(how) is not None)
        ways = _ways(told, whole)
        accepted = _accepts(told, wanted, ways)
        if not accepted and has_others(told, wanted):
            return None if MESSAGE.search(old.subject) else True
    elif ASKS_PART.search(how):
        ways, accepted = [Asked((told,), False, False)], told.lower() in wanted.lower()
    else:
        return None
    return _lost(old.subject, wanted, ways) if accepted else None


def _lost(subject: str, wanted: str, ways: list[Asked]) -> bool | None:
    if len(ways) > 1:
        return True
    left = [(start, end) for start, end in _left(ways[0].runs, wanted) if wanted[start:end].strip()]
    message = MESSAGE.search(subject) is not None
    if not left and ways[0].starts and ways[0].ends:
        return False
    changing = [match.span() for match in CHANGING.finditer(wanted)]
    taken = all(any(one <= start and end <= other for one, other in changing) for start, end in left)
    kept = "".join(char for at, char in enumerate(wanted) if not any(start <= at < end for start, end in left))
    if left and taken:
        return WORD.search(kept) is None and CHANGES.search(subject) is None
    return None if message and 2 * _letters(kept) >= _letters(wanted) else True


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _left(runs: tuple[str, ...], wanted: str) -> list[tuple[int, int]]:
    """What of the text stands in none of the runs, which come one after another."""
    left, at, text = [], 0, wanted.lower()
    for run in runs:
        found = text.find(run.lower(), at)
        if found < 0:
            break
        left.append((at, found))
        at = found + len(run)
    return [(start, end) for start, end in (*left, (at, len(wanted))) if start < end]


def _accepts(pattern: str, wanted: str, ways: list[Asked]) -> bool:
    """Whether the old text meets the pattern; tried only where that takes no time."""
    if any(way.runs for way in ways):
        return any(way.runs and _follow(way, wanted.lower()) for way in ways)
    if len(wanted) > SHORT or "(" in pattern or len(re.findall(r"[*+{?]", pattern)) > 2:
        return False
    try:
        return re.search(pattern, wanted) is not None
    except (re.error, OverflowError, RecursionError):
        return False


def has_others(pattern: str, wanted: str) -> bool:
    """The text is one of several that the pattern lists: `^(IV|IIII)$`; other signs between words are no other."""
    listed = [pattern]
    for _ in range(MOST_LISTED):
        found = next(((each, match) for each in listed if (match := CHOICE.search(each))), None)
        if found is None or len(listed) > MOST_LISTED:
            break
        each, match = found
        choices = match["one"] if match["one"] is not None else match["of"].split("|")
        listed.remove(each)
        listed += [each[: match.start()] + choice + each[match.end() :] for choice in choices]
    plain = {EDGE.sub("", way) for each in listed for way in re.split(r"(?<!\\)\|", each)}
    return len({re.sub(r"\W+", "", way) for way in plain}) > 1 and any(_is_plain(way, wanted) for way in plain)


def _is_plain(pattern: str, wanted: str) -> bool:
    holes = any(part["hole"] or part["quantifier"] or part["open"] for part in PART.finditer(pattern))
    return not holes and re.sub(r"\\(.)", r"\1", pattern).lower() == wanted.lower()


def _follow(way: Asked, text: str) -> bool:
    at = 0
    for run in way.runs:
        found = text.find(run.lower(), at)
        if found < 0:
            return False
        at = found + len(run)
    first, last = way.runs[0].lower(), way.runs[-1].lower()
    return (not way.leads or text.startswith(first)) and (not way.trails or text.endswith(last))


def _only(written: str) -> str | None:
    """The text of a single literal."""
    match = LITERAL.fullmatch(written)
    return None if match is None or match["regex"] is not None else literal_text(match)


def literal_text(match: re.Match[str]) -> str:
    """What a literal says."""
    if match["regex"] is not None:
        return match["regex"]
    text = next(
        part for part in (match["long"], match["double"], match["single"], match["tick"], "") if part is not None
    )
    return text if match["raw"] or match["long"] is not None else re.sub(r"\\(.)", _meant, text, flags=re.DOTALL)


def _meant(match: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(match[1], match[1] if match[1] in "\\\"'/$" else match[0])


CHOICE = later(r"(?<!\\)(?:\((?:\?(?::|P?<\w+>))?(?P<of>(?:[^()\[\]\\]|\\.)*)\)|\[(?P<one>\w{2,8})\])(?![*+?{])")
"""A group, or a set of letters, that stands there once."""
EDGE = later(r"^(?:\^|\\A|\\b)+|(?:\$|\\[zZb])+$")
MOST_LISTED = 32
PART = later(
    r"\\[AzZ]|[\^$]"
    r"|(?P<quantifier>[*+?]|\{[^}]*\})"
    r"|(?P<hole>\\[dDwWsSbBntrvpPk0-9uUx]|\.|\[\^?\]?(?:[^\]\\]|\\.)*\])"
    r"|\\(?P<escaped>.)"
    r"|(?P<open>\()|(?P<close>\))|(?P<either>\|)"
    r"|(?P<plain>.)",
    re.DOTALL,
)


def _ways(pattern: str, whole: bool) -> list[Asked]:
    """The alternatives of a pattern. What stands in brackets of its own may be anything."""
    ways: list[tuple[list[str], str]] = [([""], "")]
    depth = 0
    for part in PART.finditer(re.sub(r"^\(\?[a-zA-Z]+\)", "", pattern)):
        runs, edges = ways[-1]
        depth += (part["open"] is not None) - (part["close"] is not None)
        if depth > 0 or part["close"] is not None or part["hole"] is not None:
            runs.append("")
        elif part["quantifier"] is not None:
            if part[0] != "+":
                runs[-1] = runs[-1][:-1]
            runs.append("")
        elif part["either"] is not None:
            ways.append(([""], ""))
        elif (char := part["escaped"] or part["plain"]) is not None:
            runs[-1] += char
        else:
            ways[-1] = (runs, edges + ("^" if part[0] in ("^", "\\A") else "$"))
    return [_asked(runs, whole or "^" in edges, whole or "$" in edges) for runs, edges in ways]


def _asked(runs: list[str], starts: bool, ends: bool) -> Asked:
    return Asked(tuple(filter(None, runs)), starts, ends, starts and runs[0] != "", ends and runs[-1] != "")
