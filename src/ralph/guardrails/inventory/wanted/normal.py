"""A value that was compared as it is, and is now compared when something was taken from it (policy set v2, class G05).

Rules, for `f(x) == "War"` that became `f(x).lower() == "war"`:

- Letters in one case, a number without its sign, a text for a number or the other way round, and blanks or characters
  taken out of both sides are a loss.
- So are all numbers, or all words, that are taken out of both sides, or out of what is compared with a record.
- For a person: blanks at the ends of what was wanted without any, or of both sides at once, a line end that is gone,
  and characters that are taken out where the same is wanted as before.
- Line ends and separators of paths are those of a system. What a name stands for (a folder, a time) may be taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Check
from ralph.system.patterns import later


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


CASE = _names(
    "lower upper casefold title capitalize toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase"
    " lowercase uppercase downcase upcase ToLower ToUpper ToLowerInvariant ToUpperInvariant to_lowercase"
    " to_uppercase to_ascii_lowercase to_ascii_uppercase"
)
ENDS = _names("strip lstrip rstrip trim trimStart trimEnd trim_start trim_end Trim TrimStart TrimEnd TrimSpace chomp")
OUT = _names("replace replaceAll replace_all gsub tr delete sub Replace ReplaceAll translate")
BLANKS = _names("split Fields split_whitespace squeeze squish")
SIGN = _names("abs fabs Abs magnitude absoluteValue")
KIND = _names("str String Number float to_s to_string toString ToString to_f repr")
KNOWN = CASE | ENDS | OUT | BLANKS | SIGN | KIND
BARE = r"(?:downcase|upcase|[lr]?strip|chomp|squeeze|squish|abs|magnitude|absoluteValue|to_[sf])$"
"""Called without parentheses, in Ruby and Kotlin."""
METHOD = later(rf"(?s)(?P<inner>.*?)\??\.(?:(?={BARE})|(?=\w+\())(?P<name>\w+)(?:\((?P<given>[^()§]*)\))?$")
CALL = later(r"(?s)(?:[A-Za-z]\w*\.)*(?P<name>\w+)\((?P<inner>[^,§]*§[^,]*)(?:, ?(?P<given>[^()]*))?\)$")
PATTERN = later(r"(?s)(?:re|regex)\.(?P<name>sub)\((?P<given>[^()§]*?), ?(?P<inner>[^,§]*§[^,]*)\)$")
EACH = later(
    r"[\[({](?P<one>\w+)\.(?P<name>\w+)\(\) for (?P=one) in §[\])}]|(?:list\()?map\(str\.(?P<of>\w+), ?§\)\)?"
    r"|§\??\.map\(\(?(?P<arg>\w+)\)? ?=> ?(?P=arg)\.(?P<to>\w+)\(\)\)"
)
"""The same is done to each element."""
BLANK = r"(?:§\.split\(\)|§\.split\(/ ?\\s\+? ?/\))"
JOINED = later(rf"(?:''|\"\"|' '|\" \")\.join\({BLANK}\)|{BLANK}(?:\.join\([^()]*\))?")
IGNORES = later(r"(?i)equal_?fold|ignor\w*_?(?:case|whitespace)|eq_ignore_ascii_case|casecmp\?")
OF_A_SYSTEM = later(r"\\r|['\"]\\\\['\"]|linesep|\bsep\b|EOL|NewLine")
CHANGING = later(r"\\d|0-9|a-f")
"""Numbers that are taken out of a text may be others each time."""
CLASSES = r"(?:\\{1,2}[dwWS]|\[(?:0-9|\\{1,2}d|a-z|A-Z|a-zA-Z|A-Za-z|\w-\w|[.,_])+\]|\.)"
BARE_CLASS = later(rf"\s*(?:[rb]?[\"'/]){CLASSES}(?:[+*]|\{{1,\}})?[\"'/]")
"""All numbers, or words, wherever they stand: no more is said of what changes."""
CONSTANTS = later(r"\s*(?:(?:[rb]?(?:'[^']*'|\"[^\"]*\")|/[^/]+/ ?\w*)\s*(?:,\s*|$))+")
LITERAL = later(r"-?\d[\d._]*|True|False|None|true|false|null|nil")
MOST = 2000


def forgets(new: Check, old: Check) -> bool | None:
    """True: plainly; False: for a person; None: it is compared as it is."""
    if old.relation != "==" or len(new.subject) > MOST or not old.subject or not new.grade:
        return None
    subject, wanted = _apart(old.subject, new.subject), _apart(old.wanted, new.wanted)
    if "§" in subject and IGNORES.search(f"{subject} {new.relation}"):
        return True
    steps = list(_steps(subject)) if new.relation == "==" and "§" in subject else []
    if any(name not in KNOWN for name, _ in steps):
        return None
    told = [_step(name, given, old.wanted, new.wanted, subject == wanted) for name, given in steps]
    known = [each for each in told if each is not None]
    return any(known) if known else None


def _apart(part: str, whole: str) -> str:
    return re.sub(rf"(?<![\w.]){re.escape(part)}(?!\w)", "§", whole) if part else whole


def _steps(written: str) -> Iterator[tuple[str, str]]:
    """What is done to `§`, by name and with what else; `more` is anything else than taking something away."""
    while written != "§":
        if JOINED.fullmatch(written) is not None:
            yield "split", ""
            return
        if (each := EACH.fullmatch(written)) is not None:
            yield each["name"] or each["of"] or each["to"], ""
            return
        tried = (form.fullmatch(written) for form in (PATTERN, CALL, METHOD))
        found = next((each for each in tried if each is not None and is_whole(each["inner"])), None)
        if found is None:
            yield "more", ""
            return
        yield found["name"], found["given"] or ""
        written = found["inner"]


def is_whole(written: str) -> bool:
    """No parenthesis closes in it that it did not open."""
    depth = 0
    for letter in written:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0


def _step(name: str, given: str, was: str, now: str, both: bool) -> bool | None:
    if name in CASE or name in SIGN:
        return True
    if name in KIND:
        plain, other = (each.replace(" ", "").strip("'\"") for each in (was, now))
        return True if plain == other and LITERAL.fullmatch(plain) else None
    if name in BLANKS:
        return None if given else True
    if name in OUT:
        if OF_A_SYSTEM.search(given) or not CONSTANTS.fullmatch(given):
            return None
        if BARE_CLASS.match(given):
            return both or not LITERAL.fullmatch(was.strip("'\""))
        return (both or now != was) and not CHANGING.search(given)
    return not both and _text(was).strip() != _text(was) and _text(was).rstrip("\n") != _text(now)


def _text(written: str) -> str:
    return written.strip("'\"").replace("\\r\\n", "\n").replace("\\n", "\n")
