"""Constants that a test newly gives to what it looks at, just before it does (policy set v2, class G05).

Rule: a statement that the base's test did not have gives a constant to a variable, a member or an item that came of a
call before; an assertion that the base had, too, looks at the very same behind it, in the same block, and nothing
between them names it: `r.net = 3; expect(r.net).toBe(3)`, `setattr(r, "net", 3)`, `r = Result{Net: 3}`. So it is with
what takes its place where nothing came (`r = r or Result(3)`), and with a copy of it that has a constant in it (`r
with { Net = 3 }`, `replace(r, net=3)`). So does one that fills what a function gave with constants, where the
assertion compares it as a whole: `r.update(net=3)`. One that makes what is wanted agree with the result, as a whole or
in a member that is no different in each run, blocks, too: `expected["net"] = result["net"]`,
`expected.update(result)`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from ralph.guardrails.inventory.arranged.edits import Edits
from ralph.guardrails.inventory.arranged.overwritten import CONSTANT
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.wholes.left_out import is_changing
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

PLACE = r"[$@]?[A-Za-z_]\w*(?:(?:\.|->)\w+|\[(?:\d+|\"[^\"\n]*\"|'[^'\n]*')\])*"
SETS = later(
    rf"\s*(?:(?P<path>{PLACE})\s*(?:\|\||\?\?)?=(?![=>~])\s*(?P<value>\S[^\n]*?)"
    rf"|setattr\((?P<owner>\w+),\s*[\"'](?P<name>\w+)[\"'],\s*{CONSTANT}\)"
    rf"|Object\.assign\((?P<object>\w+),\s*\{{\s*(?P<key>\w+)\s*:\s*{CONSTANT}\s*\}}\))\s*"
)
NAMED = later(rf"\s*(?P<path>{PLACE})\s*=(?![=>~])\s*(?P<value>(?:\w+\.)+[A-Z]\w*|[A-Z][A-Z_\d]+)\s*")
LITERAL = later(
    rf"{CONSTANT}|(?:&?[A-Za-z][\w.]*)?\{{[^(){{}}]*\}}|[A-Z]\w*\([^()]*\)|\[[^()\[\]]*\]"
    r"|new\s+[\w.\\]+(?:\([^()]*\))?(?:\s*\{[^(){}]*\})?|[A-Z][\w:]*(?:\.|::)new\([^()]*\)|(?:\w+_)?double\([^()]*\)"
)
"""A constant, or an object that is written down."""
OTHERWISE = r"{path}\s*(?:\bor\b|\|\||\?\?|\?:)\s*"
COPY = (
    r"(?:\w+\.)*(?:replace|copy)\(\s*{path}\s*,(?P<one>[^()]*)\)|{path}\.(?:copy|_replace|model_copy|with\w*)\((?P<two>[^()]*)\)"
    r"|{path}\s+with\s*\{{(?P<three>[^{{}}]*)\}}|(?:[A-Z]\w*\(\s*\*\*)?\{{\s*(?:\*\*|\.\.\.)(?:vars\(\s*)?{path}\)?\s*,(?P<four>[^{{}}]*)\}}\)?"
)
"""What is like it, but for what is said."""
ANY_CONSTANT = later(CONSTANT)
CALL = later(r"[A-Z]\w*\([^()]*\)")
CAPITALS_CALL = (".go", ".cs")
"""There a capital begins the name of a function as well, and nothing is made by a call of its type."""
COMMENT = later(r"\s*(?:#|//)[^\"']*$")
TEXT = later(r"(?<![\w<&])(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`$\n]*`)")
"""What is written there is no call. A letter behind an angle or an ampersand is a lifetime of Rust."""
_VALUE = rf"(?:{CONSTANT}|\{{[^(){{}}]*\}}|\[[^()\[\]]*\])"
FILLS = later(
    rf"\s*(?P<path>[A-Za-z_]\w*)(?:\s*(?:\|=|[-+*/]=)\s*[^()]*"
    rf"|\.(?:update|setdefault|extend)"
    rf"\(\s*(?:\w+\s*=\s*)?{_VALUE}(?:\s*,\s*(?:\w+\s*=\s*)?{_VALUE})*\s*\))\s*"
)
MEMBER = r"(?:\.\w+|\[[^\[\]\n]+\])"
AGREES = later(
    rf"\s*(?:(?P<wanted>[A-Za-z_]\w*)(?:(?P<member>{MEMBER})\s*=\s*(?P<got>[A-Za-z_]\w*)(?P=member)"
    r"|\.update\(\s*(?P<all>[A-Za-z_]\w*)\s*\)|\s*\|=\s*(?P<joined>[A-Za-z_]\w*))"
    r"|Object\.assign\((?P<object>\w+),\s*(?P<from>\w+)\s*\))\s*"
)
ASSERTS = later(
    r"(?i)\b(?:expect(?:_\w+)?|(?:XCT)?assert\w*|require|should\w*|must\w*|verify|check\w*)\b|^\s*if\b.*(?:!=|!\w|==)"
)
NEAR = 30
"""Statements behind, in which the assertion is looked for; so many new ones are no small edit."""


def put_there(pair: Pair, edits: Edits) -> str | None:
    """What is given a constant, and looked at; None if nothing is."""
    old, new = edits.kept, edits.new
    had = {COMMENT.sub("", each) for each in old}
    fresh = [number for number, each in enumerate(new) if COMMENT.sub("", each.strip()) not in had]
    for number in fresh if len(fresh) <= NEAR else ():
        if (path := _agreeing(new[number], new[number + 1 :], pair.old.text)) or (path := _filled(number, new, old)):
            return path
        path = _given(_whole(edits, number), pair.new.path) or _given_by_name(new[number], new[number + 1 :], old)
        if path and _came_of_call(path, new[:number], old) and _is_looked_at(path, new[number:], old):
            return path
    return None


def _whole(edits: Edits, number: int) -> str:
    """With the other lines of a value that is written over several."""
    statement = edits.new[number]
    return edits.whole(number) if statement.rstrip().endswith(("[", "{")) else statement


def _given(statement: str, path: str) -> str:
    match = SETS.fullmatch(statement)
    if match is None:
        return ""
    if match["value"]:
        value = re.sub(OTHERWISE.format(path=re.escape(match["path"])), "", match["value"], count=1)
        if not (LITERAL.fullmatch(value) or _is_copy(value, match["path"])):
            return ""
        if path.endswith(CAPITALS_CALL) and CALL.fullmatch(value):
            return ""
    return match["path"] or f"{match['owner'] or match['object']}.{match['name'] or match['key']}"


def _is_copy(value: str, path: str) -> bool:
    """Another one of the same, with a constant in it."""
    match = re.fullmatch(COPY.format(path=re.escape(path)), value) if path in value else None
    return match is not None and ANY_CONSTANT.search(next(filter(None, match.groups()), "")) is not None


def _given_by_name(statement: str, behind: Sequence[str], old: Container[str]) -> str:
    """A constant by its name, which an assertion of the base wants: `rec.Code = http.StatusCreated`."""
    match = NAMED.fullmatch(statement)
    if match is None:
        return ""
    value = re.compile(rf"(?<![\w.]){re.escape(match['value'])}(?![\w(])")
    wanted = any(ASSERTS.search(each) and each.strip() in old and value.search(each) for each in behind[:NEAR])
    return match["path"] if wanted else ""


def _filled(number: int, statements: Sequence[str], old: Container[str]) -> str:
    """What a function gave, is given more, and compared as a whole."""
    match = FILLS.fullmatch(statements[number])
    path = match["path"] if match is not None else ""
    if not path or not _came_of_call(path, statements[:number], old, r"=\s*(?:await\s+)?(?:\w+\.)*[a-z_]\w*\("):
        return ""
    return path if _is_looked_at(path, statements[number:], old, r"(?![\w(.\[])") else ""


def _agreeing(statement: str, behind: Sequence[str], old: str) -> str:
    """What is wanted takes from what it is compared with something that the base's test compared."""
    match = AGREES.fullmatch(statement)
    if match is None:
        return ""
    wanted, got = match["wanted"] or match["object"], match["got"] or match["all"] or match["joined"] or match["from"]
    words = re.findall(r"\w+", match["member"] or "")
    if wanted == got or (words and (is_changing(words[-1]) or words[-1] not in old)):
        return ""
    both = [re.compile(rf"(?<![\w.]){re.escape(each)}(?![\w(.\[])") for each in (wanted, got)]
    compared = any(ASSERTS.search(each) and all(one.search(each) for one in both) for each in behind[:NEAR])
    return f"{wanted}{match['member'] or ''}" if compared else ""


def _came_of_call(path: str, above: Sequence[str], old: Container[str], call: str = r":?=(?!=)[^\n]*[\w>]\(") -> bool:
    root = re.escape(_root(path))
    given = re.compile(rf"(?<![\w.]){root}\b[^=\n(]*{call}|\bas[ \t]+{root}\b|\w\([^\n]*&{root}\b")
    return any(each.strip() in old and given.search(TEXT.sub('""', each)) for each in above)


def _is_looked_at(path: str, statements: Sequence[str], old: Container[str], end: str = r"(?![\w(])") -> bool:
    named, root = (
        re.compile(rf"(?<![\w.]){re.escape(each)}{after}") for each, after in ((path, end), (_root(path), r"(?![\w(])"))
    )
    here, opened = depth(statements[0]), 0
    for each in statements[1:NEAR]:
        if opened - each.lstrip().startswith("}") < 0 or (each.strip() and depth(each) < here):
            return False
        opened += each.count("{") - each.count("}")
        if root.search(each):
            return bool(named.search(each) and ASSERTS.search(each) and each.strip() in old)
    return False


def _root(path: str) -> str:
    return re.split(r"[.\[]|->", path)[0]
