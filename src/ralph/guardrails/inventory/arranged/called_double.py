"""A double is called by the test itself, where an assertion asks for the product's calls (policy set v2, class G05).

Rules, for a statement that the base's test did not have, be it in a loop or under a condition; the base's own assertion
stands behind it, and nothing in between makes the double forget:

- It calls the very double of whose calls the assertion asks, in any of the spellings below, or adds to its calls.
- It calls a fake of the test's own, of which the assertion asks what it wrote down: `db.Put(ctx, item)` where
  `db.puts` is compared.
- It makes such a fake with what is wanted of it written down already: `&fakeDB{puts: []string{"a"}}`.
- It tells listeners what the product was to tell them, where it made the product do so: `feed.emit("refreshed", 2)`.
- It takes from a double the answer that the base's test had from the product: `id = await store.save()`.

What the base's test called itself, it may call again. A call inside a function that is handed to somebody is none of
the test's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.arranged.edits import ASSERTS, Edits, holds_wanted
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

PATH = r"[$@]?[A-Za-z_]\w*(?:(?:\.|->)\w+)*?"
CALLS = later(
    r"\s*(?:(?:for|if|while|foreach)\b.*?[){:=]\s*)?(?:(?:const|let|var|val|final)\s+|[A-Z]\w*\s+)?(?:(?P<name>\w+)\s*:?=(?!=)\s*)?"
    r"(?:(?:(?:require|assert)\.NoError\(\s*\w+\s*,|void|_\s*=)\s*)?(?:await\s+)?"
    r"(?P<path>[$@]?[A-Za-z_]\w*(?:(?:\.|->)\w+)*?)(?P<pushes>\.(?:mock\.)?calls\.(?:push|append))?\((?P<given>.*)\)+\s*\}?\s*"
)
TYPED = later(rf"\b(?:vi|jest)\.mocked\(\s*(?P<path>{PATH})\s*\)")
ASKS = (
    later(
        rf"\bexpect\(\s*(?P<path>{PATH})\s*,?\s*\)\.(?:toHaveBeen|toBeCalled|last|nth|toHaveReturned|to\.have\.been\.)"
    ),
    later(
        rf"(?P<path>{PATH})\.(?:mock\.(?:calls|callCount)|mock_calls\b|callCount\b|call_count\b|call_args|called\w*\b|calls\b"
        r"|assert_\w*called)"
    ),
    later(rf"\bassert\.called\w*\(\s*(?P<path>{PATH})\b"),
    later(r"\bverify\(\s*(?P<owner>\w+)\s*(?:,\s*(?!never)\w+(?:\(\d*\))?\s*)?\)\.(?P<method>\w+)\("),
    later(r"\b(?:co)?[vV]erify\s*(?:\([^)]*\)\s*)?\{\s*(?P<owner>\w+)\.(?P<method>\w+)\("),
    later(r"\bexpect\(\s*(?P<owner>\w+)\s*\)\.to\s+have_received\(\s*:(?P<method>\w+)"),
    later(r"\b(?P<owner>\w+)\.Verify\(\s*\w+\s*=>\s*\w+\.(?P<method>\w+)\("),
    later(r"\b(?P<owner>\w+)\.Received(?:WithAnyArgs)?\(\d*\)\.(?P<method>\w+)\("),
    later(r"(?P<owner>\$\w+)->shouldHaveReceived\(\s*['\"](?P<method>\w+)"),
    later(r"\b(?P<owner>\w+)\.Assert(?:Called|NumberOfCalls)\(\s*\w+\s*,\s*\"(?P<method>\w+)\""),
)
"""How languages ask a double for its calls."""
TELLS = later(r"\s*(?:await\s+)?(?P<owner>\w+)\.(?:emit|notify|publish)\(\s*(?P<given>.*)\)\s*")
NEVER = later(r"\bnot?[._A-Z]|\bnever\b|Times\.Never|,\s*0\s*\)|\(\s*0\s*\)")
WITH = later(r"With\b|with\b|With\(|assert_\w+_with")
FAKE = r"\b{name}\b\s*(?::[^=\n]*)?:?=\s*[^\n]*?\b(?:new\s+)?\w*(?i:fake|stub|spy|mock|dummy|recording)\w*\s*[({{]"
MAKES = later(
    r"(?P<made>(?:(?:const|let|var|val)\s+)?(?P<name>\w+)\s*:?=\s*(?:&|new\s+)?(?:\w+\.)?\w*(?i:fake|stub|spy|mock|dummy|recording)\w*)\s*[({]"
)
MADE = r"\b{name}\b\s*(?::[^=\n:]*)?[:=]\s*[^\n,]*\b(?:fn|\w*[sS]tub|\w*[sS]py|\w*[mM]ock\w*)\s*[<(.]"
MAKER = later(r"fn|\w*[sS]tub\w*|\w*[sS]py\w*|\w*[mM]ock\w*")
"""What makes a double."""
FORGETS = later(
    r"mock(?:Clear|Reset|Restore)|reset(?:History|Calls|_mock)?\b|AllMocks|clearInvocations|ClearReceivedCalls|Invocations\.Clear"
)
AROUND = later(
    r"\s*(?:\}\s*)?(?:for|if|while|foreach|unless|with|try|else)\b|.*\.(?:forEach|each)\b|\s*(?:await\s+)?act\("
)
"""What may stand around a call of the test's own."""
HANDED = later(r"\bfunc\s*\(|=>|->\s*\{|\blambda\b|\bfunction\b")
LONGEST = 1_000
"""No one call is so long."""
ALSO = later(r"\bNoError\(|^if\b")
"""What reads like an assertion, and calls."""


def made_with_calls(edits: Edits, number: int, statement: str) -> bool:
    match = MAKES.match(statement)
    if match is None:
        return False
    name = re.escape(match["name"])
    if not any(re.match(rf"{re.escape(match['made'])}(?![\w.])", each.strip()) for each in edits.gone):
        return False
    for _, assertion in edits.asserted(number):
        noted = re.search(rf"(?<![\w.]){name}\.(?P<member>\w+)(?![\w(])", assertion)
        given = re.search(rf"\b{noted['member']}\s*[:=]", statement) if noted is not None else None
        if given is not None and holds_wanted(statement[given.end() :], assertion):
            return not any(re.search(rf"\b{noted['member']}\s*[:=]", each) for each in edits.gone if noted is not None)
    return False


def calls_double(edits: Edits, number: int, statement: str) -> bool:
    if len(statement) > LONGEST:
        return False
    match = CALLS.fullmatch(TYPED.sub(r"\g<path>", statement) if "ocked(" in statement else statement)
    if match is None or (ASSERTS.match(statement) and not ALSO.search(statement)):
        return False
    path = match["path"]
    if not match["pushes"] and _is_called(path, edits):
        return False
    if match["name"] and _answers(edits, number, match["name"], path):
        return True
    own = _is_fake(path, edits)
    for at, assertion in edits.asserted(number):
        if _is_handed(edits, number, at) or any(FORGETS.search(each) for each in edits.new[number:at]):
            return False
        if path in _asked(assertion) and _is_wanted(statement, match["given"], assertion):
            return True
        if own and _is_noted(path, assertion) and holds_wanted(statement, assertion):
            return True
    return False


def tells_listeners(edits: Edits, number: int, statement: str) -> bool:
    """It tells them itself what the product was to tell, in the place of what made it do so."""
    match = TELLS.fullmatch(statement)
    if match is None:
        return False
    owner = re.compile(rf"(?<![\w.]){re.escape(match['owner'])}\.(?!on\b|once\b|add)\w+\(")
    if not any(owner.search(each) and not ASSERTS.search(each) for each in edits.gone):
        return False
    asserted = [said for _, said in edits.asserted(number)]
    return any(any(_asked(said)) and _is_wanted(statement, match["given"], said) for said in asserted)


def _is_called(path: str, edits: Edits) -> bool:
    """The base's test called it itself."""
    call = re.compile(rf"(?<![\w.$@>]){re.escape(path)}\(")
    return any(call.search(each) and not any(ask.search(each) for ask in ASKS) for each in edits.old)


def _asked(assertion: str) -> Iterator[str]:
    if NEVER.search(assertion):
        return
    for ask in ASKS:
        for match in ask.finditer(assertion):
            named = match.groupdict()
            if "path" in named:
                yield named["path"]
            else:
                arrow = "->" if named["owner"].startswith("$") else "."
                yield f"{named['owner']}{arrow}{named['method']}"
                yield f"{named['owner']}.Object.{named['method']}"


def _is_wanted(statement: str, given: str, assertion: str) -> bool:
    """The assertion asks for a call with these, or for any call."""
    return not WITH.search(assertion) or holds_wanted(statement, assertion) or (given.strip() or "()") in assertion


def _is_fake(path: str, edits: Edits) -> bool:
    owner, dot, _ = path.rpartition(".")
    return bool(dot) and re.search(FAKE.format(name=re.escape(owner)), edits.was_said) is not None


def _is_noted(path: str, assertion: str) -> bool:
    """What the fake wrote down is compared."""
    owner = path.rpartition(".")[0]
    return re.search(rf"(?<![\w.]){re.escape(owner)}\.\w+(?![\w(])", assertion) is not None


def _is_handed(edits: Edits, number: int, at: int) -> bool:
    """The call stands in a function that is handed to somebody, or that somebody calls later."""
    here = depth(edits.new[number])
    if HANDED.search(edits.new[number].partition("(")[0]):
        return True
    for each in reversed(edits.new[:number]) if here > depth(edits.new[at]) else ():
        if each.strip() and depth(each) < here:
            return AROUND.match(each) is None
    return False


def _answers(edits: Edits, number: int, name: str, path: str) -> bool:
    """What was the product's answer, and is wanted behind, comes from a double."""
    called = path.rpartition(".")[2]
    if MAKER.fullmatch(called):
        return False
    made = re.compile(MADE.format(name=re.escape(called)))
    was = re.compile(rf"(?<![\w.]){re.escape(name)}\b[^=\n(]*:?=(?![=>])[^\n]*\w\(")
    if not made.search(edits.was_said) or not any(was.search(each) for each in edits.gone):
        return False
    looked = re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w(])")
    return any(looked.search(said) for _, said in edits.asserted(number))
