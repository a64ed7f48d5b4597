"""What the product had to do, a test now does itself, before it looks at the outcome (policy set v2, class G05).

Rules, for a statement that the base's test did not have; behind it the base's own assertion wants what it holds:

- It calls the double of whose calls the assertion asks (`called_double`), or counts a call, which the base left to the
  product.
- It puts what is wanted into what is looked at (`put_in`).
- It writes into a buffer or a file that is only read behind it, or the text of an element of a page.
- It opens the page by itself to which something that is gone was to lead.
- It shows markup of its own where the base showed a component, a page or a hook of the product.
- It gives a constant the name of what was the answer of a call: in its place, or where that fails or is nothing. A
  value that calls all that the base's called, and says no other constant, is the base's with other names.
- It defines a function that the base called and did not define.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from ralph.guardrails.inventory.arranged.called_double import calls_double, made_with_calls, tells_listeners
from ralph.guardrails.inventory.arranged.edits import ASSERTS, LOOKS_UP, Edits, constants, holds_wanted, whole
from ralph.guardrails.inventory.arranged.put_in import puts_in
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

COUNTS = later(r"\s*(?P<name>[A-Za-z_]\w*)\s*(?:\+\+|\+=\s*\d+)\s*")
WRITES = later(
    r"\s*(?:_(?:,\s*_)?\s*:?=\s*|await\s+)?(?:(?P<buffer>\w+)(?:\.Body)?\.(?:[wW]rite\w*|print(?:ln)?)\("
    r"|fmt\.Fprint\w*\(\s*&?(?P<printed>\w+)\s*,|io\.WriteString\(\s*&?(?P<given>\w+)\s*,)"
)
ANSWERS = later(
    r"\s*(?:http\.(?:Error|Redirect|NotFound)\(\s*(?P<recorder>\w+)\s*,|(?P<owner>\w+)\.(?:WriteHeader|WriteString|Write)\()"
)
RECORDER = r"(?:httptest\.NewRecorder\(|&httptest\.ResponseRecorder)"
RECORDED = later(RECORDER)
INTO_FILE = later(
    r".*\b(?:(?:os|ioutil)\.WriteFile|writeFile(?:Sync)?)\(\s*(?P<path>\w+|\"[^\"\n]+\"|'[^'\n]+')\s*,\s*(?P<value>[^,)]+)"
    r"|\s*(?P<at>\w+)\.write_(?:text|bytes)\((?P<text>[^,)]+)"
)
READS = later(r"\bread_?File|\bReadFile|\bopen\(|\.read_(?:text|bytes)\(|\breadFile(?:Sync)?\(")
ELEMENT = later(
    r"\bdocument\.title\s*=(?!=)|\b(?:textContent|innerText|innerHTML|outerHTML)\s*=(?!=)|\.invoke\(\s*[\"'](?:text|html)[\"']\s*,"
    r"|\.(?:text|html)\(\s*[\"'`]|\.setContent\("
)
STATE = later(
    r"\s*\(*(?P<root>\w+)\b[^=(]*?\)?(?:\[\d+\])?[!?]?\.(?:(?P<member>disabled|checked|value|hidden|className|selected|open|title|href|src)\s*=(?!=)"
    r"|(?:setAttribute|removeAttribute|toggleAttribute|classList\.(?:add|remove|toggle))\(\s*[\"'`](?P<named>[\w-]+))[^\n]*"
)
OF_STATE = {"classname": "class", "disabled": r"disabled|enabled", "hidden": r"hidden|visible", "value": r"value"}
"""What an assertion calls it, where that is not the name of the member."""
OPENS = later(
    r"\.(?:goto|visit)\(\s*[\"'`]|\b(?:router|history|navigation)\.(?:push|replace|pushState|navigate)\("
    r"|\blocation\.(?:href|pathname|hash)\s*=(?!=)|\bnavigate\(\s*[\"'`]"
)
ADDRESS = later(r"(?i)url|pathname|location|href")
OWN_PAGE = later(r"\bdocument\.body\.(?:innerHTML\s*=(?!=)|insertAdjacentHTML\()(?![^\n]*<\w+-)")
"""Markup of the test's own, without an element that the product has defined."""
SHOWS = (
    (later(r"\bhttp\.HandlerFunc\(\s*func\b.*\.ServeHTTP\("), later(r"\.Serve\w*\(")),
    (
        later(r"\b(?:render\w*|mount|shallow)\(\s*<[a-z]"),
        later(r"\b(?:render\w*|mount|shallow)\(\s*(?:<[A-Z]|[A-Z]\w*[,)])"),
    ),
    (later(r"\.setContent\("), later(r"\.goto\(")),
    (OWN_PAGE, later(r"\b(?:render\w*|mount|shallow)\(")),
    (later(r"\brenderHook\(\s*\(\)\s*=>\s*\(\{"), later(r"\brenderHook\(\s*\(\)\s*=>\s*\w+\(")),
)
"""What shows something of the test's own, and what showed something of the product."""
GIVES = later(
    r"\s*(?:(?:const|let|var|val|final|auto|mut|self\.\w+\s*=)\s+)*(?P<path>[A-Za-z_]\w*(?:\.\w+)*)"
    r"(?:\s*:\s*[\w<>\[\]. |]+)?\s*:?=(?![=>~])\s*(?P<value>\S.*)"
)
WRITTEN = later(
    r"(?:-?\d[\w.]*|\"[^\"]*\"|'[^']*'|`[^`]*`|(?:&?[A-Za-z_][\w.]*|\[\]\w+)?\{.*\}|\[.*\]"
    r"|(?:structuredClone|Object\.(?:freeze|assign)|Promise\.resolve)\(\s*\{.*\}\s*\)|(?:JSON\.parse|json\.loads)\(\s*[\"'`].*\))"
    r"(?:\s+(?:as|satisfies)\s+[\w<>.\[\] ]+)?\s*"
)
"""A value that is written down. A constructor may be what is tested."""
DECODES = later(r"\bUnmarshal\(\s*(?:\[\]byte\()?(?P<text>`[^`]*`|\"(?:[^\"\\]|\\.)*\")\)?\s*,\s*&(?P<into>\w+)")
GATHERED = later(r"[\[{(]+(?P<each>\w+)\b[^\n]* for (?P=each) in (?:await )?(?P<of>\w[\w.]*\()[^\n]*[)}\]]+")
CALLED = later(r"\w\(")
CALLS = later(r"[\w.]+(?=(?:<[^<>()\n]*>)?\()")
FAILS = later(
    r"\bcatch\b|\bexcept\b|\brescue\b|\bif\b.*(?:\berr\b|[!=]=+\s*(?:nil|null|undefined|0|None)\b|not\s+\w+|!\w)"
)
DEFINES = later(
    r"\s*(?:(?:const|let|var)\s+)?(?P<name>\w+)\s*:?=\s*(?:async\s+)?(?:func\s*\(|function\b|\([^()]*\)\s*(?::[^=]*)?=>|lambda\b)"
    r"|\s*(?:async\s+)?(?:function|def)\s+(?P<named>\w+)\s*\("
)


def done_itself(edits: Edits) -> str | None:
    """The new statement that does it, as it is written; None if none does."""
    rules: tuple[Callable[[Edits, int, str], bool], ...] = (
        calls_double,
        made_with_calls,
        tells_listeners,
        puts_in,
        _counts,
        _writes,
        _writes_file,
        _writes_element,
        _sets_state,
        _opens,
        _shows,
        _gives,
        _decodes,
        _defines,
    )
    for number in edits.fresh:
        statement = edits.whole(number)
        if any(rule(edits, number, statement) for rule in rules):
            return edits.new[number].strip()
    return None


def _counts(edits: Edits, number: int, statement: str) -> bool:
    """What only the product's calls counted."""
    match = COUNTS.fullmatch(statement)
    at = edits.next_about(match["name"], number) if match is not None else None
    if match is None or at is None or edits.new[at].strip() not in edits.kept or not ASSERTS.search(edits.new[at]):
        return False
    if depth(edits.new[number]) > depth(edits.new[at]):
        return False  # in a callback
    return re.search(rf"\b{match['name']}\s*(?:\+\+|\+=)", edits.was_said) is not None


def _writes(edits: Edits, number: int, statement: str) -> bool:
    match = WRITES.match(statement)
    if _answers_request(edits, number, statement):
        return True
    name = next(filter(None, match.groups()), None) if match is not None else None
    at = edits.next_about(name, number) if name else None
    if at is None or edits.new[at].strip() not in edits.kept:
        return False
    if not (ASSERTS.search(edits.new[at]) or LOOKS_UP.search(edits.new[at])):
        return False
    return any(holds_wanted(statement, assertion) for _, assertion in edits.asserted(number))


def _answers_request(edits: Edits, number: int, statement: str) -> bool:
    """It writes the answer into the recorder that the product was to write it into, or where the product would not
    have come to."""
    match = ANSWERS.match(statement)
    name = match["recorder"] or match["owner"] if match is not None else ""
    if not name or not RECORDED.search(edits.was_said):
        return False
    own = re.search(rf"\b{name}\s*:=\s*{RECORDER}", edits.was_said) is not None
    handed = re.search(rf"\b{name}\s+http\.ResponseWriter\b", edits.said) is not None
    if not own and (not handed or _is_written(name, edits) or re.search(r"StatusOK|\b200\b", statement)):
        return False
    told = frozenset(re.findall(r"\bhttp\.Status\w+|(?<![\w.])[1-5]\d\d(?!\w)", statement))
    looked = re.compile(rf"(?<![\w.]){name if own else '[a-z]*'}\.(?:Code|Result|Body)")
    asserted = [said for _, said in edits.asserted(number) if looked.search(said)]
    return any(holds_wanted(statement, said) or any(each in said for each in told) for said in asserted)


def _is_written(writer: str, edits: Edits) -> bool:
    """The base's test wrote to it."""
    return re.search(rf"[(,]\s*{writer}\s*,|\b{writer}\.(?!Header)\w+\(", edits.was_said) is not None


def _writes_file(edits: Edits, number: int, statement: str) -> bool:
    """What it holds is wanted, or it is what the assertion looks at."""
    match = INTO_FILE.match(statement)
    at = edits.next_about(match["path"] or match["at"], number) if match is not None else None
    if match is None or at is None or edits.new[at].strip() not in edits.kept or not READS.search(edits.new[at]):
        return False
    value = (match["value"] or match["text"]).strip()
    return any(holds_wanted(value, said) or value in said for _, said in edits.asserted(at))


def _writes_element(edits: Edits, number: int, statement: str) -> bool:
    return ELEMENT.search(statement) is not None and _is_looked_at_once(edits, number, statement)


def _sets_state(edits: Edits, number: int, statement: str) -> bool:
    """Of an element that the next assertion looks at."""
    match = STATE.fullmatch(statement)
    at = edits.next_about(match["root"], number) if match is not None else None
    if match is None or at is None or edits.new[at].strip() not in edits.kept or not ASSERTS.search(edits.new[at]):
        return False
    said, name = edits.whole(at), (match["member"] or match["named"]).lower()
    asked = re.search(rf"(?i)(?:to|be)\w*(?:{OF_STATE.get(name, name)})|\b{name}\b", said)
    return asked is not None and (holds_wanted(statement, said) or not constants(said))


def _opens(edits: Edits, number: int, statement: str) -> bool:
    """Where the base did something else, and then asked where it is."""
    if OPENS.search(statement) is None or (edits.gone and all(OPENS.search(each) for each in edits.gone)):
        return False
    return any(
        ADDRESS.search(said) and holds_wanted(statement, said) and edits.is_at_once(number, at)
        for at, said in edits.asserted(number)
    )


def _shows(edits: Edits, number: int, statement: str) -> bool:
    for own, products in SHOWS:
        if own.search(statement) and any(products.search(each) for each in edits.gone):
            anywhere = own is OWN_PAGE and any(holds_wanted(statement, said) for _, said in edits.asserted(number))
            return anywhere or _is_looked_at_once(edits, number, statement)
    return False


def _is_looked_at_once(edits: Edits, number: int, statement: str) -> bool:
    return any(
        holds_wanted(statement, assertion) and edits.is_at_once(number, at) for at, assertion in edits.asserted(number)
    )


def _gives(edits: Edits, number: int, statement: str) -> bool:
    match = GIVES.fullmatch(statement)
    if match is None or WRITTEN.fullmatch(match["value"]) is None or _is_gathered(match["value"], edits):
        return False
    path, name = match["path"], match["path"].partition(".")[0]
    if re.search(rf"(?<![\w.]){re.escape(path)}\s*:?=\s*{re.escape(match['value'].strip())}", edits.was_said):
        return False  # as the base did
    was = re.compile(rf"(?<![\w.]){re.escape(name)}\b[^=\n(]*:?=(?![=>])[^\n]*[\w>]\(")
    here = next((each for each in reversed(edits.new[:number]) if each.strip()), "")
    others = edits.new[:number] + edits.new[number + 1 :]
    gone = frozenset(edits.gone)
    asked = [whole(edits.old, at) for at, each in enumerate(edits.old) if each in gone and was.search(each)]
    instead = bool(asked) and not any(was.search(each) for each in others)
    if instead and all(_says_as_much(each, statement) for each in asked):
        return False
    behind = next((each for each in edits.new[number + 1 :] if each.strip()), "")
    if not instead and not (was.search(edits.was_said) and (FAILS.search(here) or re.match(r"\s*try\b", behind))):
        return False
    # What is spread into it may well be the product's, of which a member is called.
    member = r"(?:\.\w+)*(?![\w.(])" if "..." in statement else r"(?![\w(])"
    plain = re.compile(rf"(?<![\w.]){re.escape(path)}{member}")
    return any(plain.search(said) and holds_wanted(statement, said) for _, said in edits.asserted(number))


def _says_as_much(was: str, statement: str) -> bool:
    """Every call of the base's statement is one of the new one's, and its constants were all there."""
    calls, called = Counter(CALLS.findall(was)), Counter(CALLS.findall(statement))
    return calls <= called and constants(statement) <= constants(was)


def _is_gathered(value: str, edits: Edits) -> bool:
    """It is made of what a call gives that the base's test looked at, too: `{each["id"] for each in answer.json()}`."""
    call = GATHERED.fullmatch(value)
    return call is not None and re.search(rf"(?<![\w.]){re.escape(call['of'])}", edits.was_said) is not None


def _decodes(edits: Edits, number: int, statement: str) -> bool:
    """A text that is written down, in the place of one that came from the product."""
    match = DECODES.search(statement)
    if match is None or not any(re.search(rf"\bUnmarshal\(.*&{match['into']}\b", each) for each in edits.gone):
        return False
    into = re.compile(rf"(?<![\w.]){match['into']}\b")
    return any(into.search(said) and holds_wanted(match["text"], said) for _, said in edits.asserted(number))


def _defines(edits: Edits, number: int, statement: str) -> bool:
    match = DEFINES.match(statement)
    name = re.escape(match["name"] or match["named"]) if match is not None else ""
    if not name or not re.search(rf"(?<![\w.]){name}\(|<{name}\b", edits.was_said):
        return False
    if re.search(rf"\b(?:function|def|func|class|const|let|var)\s+{name}\b|\b{name}\s*:?=(?!=)", edits.was_said):
        return False
    return any(holds_wanted(statement, assertion) for _, assertion in edits.asserted(number))
