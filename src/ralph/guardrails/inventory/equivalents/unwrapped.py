"""Calls that an assertion looks at to see that they do not fail, in the words of each library.

`Assert.DoesNotThrow(() => pay(3))`, `pay.Invoking(p => p.Refund(3)).Should().NotThrow()`, `expect { pay(3) }.not_to
raise_error`, `expect(() => pay(3)).not.toThrow()`, `shouldNotThrowAny { pay(3) }`: the call is `pay(3)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.commas import marks, step
from ralph.record import record
from ralph.system.patterns import later

WORTH = later(r"(?i)not_?throw|no_?exception|not_?to\b|not\.|Nothing|Record\.Exception|nothing_raised|doesNotReject")
HEAD = later(
    r"(?P<await>await ?)?(?:(?P<asks>expect|Assert\.That)|(?<![\w.])(?:FluentActions\.)?(?:Invoking|Awaiting)"
    r"|assertDoesNotThrow|assertThatCode|assertThatNoException\(\)\.isThrownBy|Assert\.DoesNotThrow(?:Async)?"
    r"|assert\.(?:doesNotThrow|doesNotReject)|Assert\.Null\((?P<later>await )?Record\.Exception(?:Async)?"
    r"|shouldNotThrow(?:Any)?(?:Unit)?(?:<\w+>)?|assert_nothing_raised(?: do)?)"
    r" ?[({](?:async ?)?(?:\(\) ?[-=]> ?)?\{?(?:return ?|(?P<inner>await ?))?"
)
LENT = later(
    r"(?P<await>await ?)?(?P<on>[\w.]+)\.(?:Invoking|Awaiting)\((?:async ?)?(?P<name>\w+)=>(?P<inner>await ?)?"
)
HELD = later(
    r"(?:Action|Func<Task(?:<\w+>)?>|var) (?P<name>\w+)=(?:async ?)?\(\)=>(?P<inner>await ?)?(?P<call>[^;{}]+);"
    r"(?P<await>await ?)?(?P=name)\.Should\(\)\.NotThrow(?:Async)?\(\)"
)
SILENT = later(
    r"[)}]?[\s,]*\.?(?:resolves\.)?(?:not\.(?:to\.)?(?:toThrow|throw)|not_to raise_e|to_not raise_e|Throws\.Nothing)"
)
STRING = later(r"(?P<quote>[\"'`])(?:\\[\s\S]|(?!(?P=quote))[^\\])*(?:(?P=quote)|\\?\Z)")
"""One that nothing ends goes to the end."""


@record
class Wrapped:
    call: str
    start: int
    """Where the assertion begins."""
    waits: bool


def wrapped(body: str) -> Iterator[Wrapped]:
    """`body` is free of layout, as `Facts.body` is."""
    if not WORTH.search(body):
        return
    for match in HEAD.finditer(body):
        end = _end(body, match.end())
        if match["asks"] and not SILENT.match(body, end):
            continue
        if call := body[match.end() : end].rstrip("; "):
            yield Wrapped(call, match.start(), bool(match["await"] or match["later"] or match["inner"]))
    for match in LENT.finditer(body):
        call, own = body[match.end() : _end(body, match.end())], f"{match['name']}."
        if call.startswith(own):
            waits = bool(match["await"] or match["inner"])
            yield Wrapped(f"{match['on']}.{call.removeprefix(own)}", match.start(), waits)
    for match in HELD.finditer(body):
        yield Wrapped(match["call"], match.start(), bool(match["await"] or match["inner"]))


def _end(body: str, start: int) -> int:
    """Where what stands there ends: at a bracket that it did not open, or at a comma outside of its brackets."""
    depth = 0
    for at, mark in marks(body, STRING, start):
        depth += step(mark)
        if depth < 0 or (mark == "," and not depth):
            return at
    return len(body)
