"""Assertions in a chain of calls of which nothing takes an element (policy set v2, class G05).

Rule: a sequence or flow of Kotlin, a stream of Java, LINQ of C#, an iterator of Rust and a lazy enumerator of Ruby do
nothing until something takes what they give. A closure that such a chain is handed (`onEach { }`, `peek(x -> ...)`,
`Select(x => ...)`) never runs where the chain is a statement by itself and has no call that takes anything, or where
nobody names the variable that holds it again. One that is handed on, or given back, is taken to be gone through. How
many elements a stream of Java has is known without going through them, as long as no step may leave any out
(`stream().peek(…).count()`).
"""

from __future__ import annotations

import re

from ralph.system.patterns import later

SOURCE = later(
    r"\b(?:sequenceOf|asSequence|generateSequence|flowOf|asFlow|channelFlow)\b|\b(?:sequence|flow)\s*\{"
    r"|\.(?:stream|parallelStream)\(\)|\b(?:Arrays\.stream|\w*Stream\.(?:of|range\w*|iterate|generate|concat))\("
    r"|\.(?:into_)?iter(?:_mut)?\(\)|\.(?:chars|lines|bytes|windows|chunks|drain)\(|\d\.\.=?\w|\.lazy\b"
)
"""What gives its elements when they are asked for."""
STEP = (
    r"(?:map|mapIndexed|mapNotNull|mapTo(?:Int|Long|Double|Obj)|onEach|onEachIndexed|filter|filterNot|filterIndexed|flatMap"
    r"|takeWhile|dropWhile|peek|transform|inspect|filter_map|flat_map|map_while|take_while|skip_while|scan|select|reject"
    r"|collect_concat|each_with_index|with_index)"
)
LINQ = r"(?:Select|Where|SelectMany|TakeWhile|SkipWhile)"
PLAIN = (
    r"(?:take|drop|distinct|distinctBy|withIndex|chunked|windowed|zip|sorted|sortedBy|limit|skip|boxed|parallel|sequential"
    r"|rev|enumerate|chain|cloned|copied|step_by|peekable|uniq|compact|buffer|onStart|Take|Skip|Distinct|OrderBy|AsParallel|Cast)"
)
"""Calls that take nothing yet, either."""
HANDED = later(rf"(?:\.|&\.|\?\.)(?P<how>{STEP}|{LINQ})\s*(?:<[^<>()]*>)?\s*(?P<open>\(?)\s*(?:async\s+|move\s+)?$")
NEXT = later(rf"\s*(?:\?|!|&)?\.(?:{STEP}|{LINQ}|{PLAIN})\b\s*")
OF_KNOWN_SIZE = later(
    r"(?:\.(?:stream|parallelStream)\(\)|\b(?:Arrays\.stream|Stream\.of|(?:Int|Long)Stream\.(?:range|rangeClosed|of))\()"
)
LEAVES_OUT = later(r"\.(?:filter|flatMap|mapMulti\w*|distinct|limit|skip|takeWhile|dropWhile)\s*[({]")
COUNTED = later(r"\s*\.count\(\)")
HELD = later(
    r"(?:(?:val|var|let|const|final|auto)\s+(?:mut\s+)?)?(?:[\w<>\[\],.?]+\s+)?(?P<name>[a-z_]\w*)\s*(?::[^=]*)?=(?![=>])"
)
GIVEN_BACK = later(r"\s*(?:return\b|yield\b|await\b)")
OPENING, CLOSING = "([{", ")]}"


def is_lazy(before: str, after: str, later_on: str) -> bool:
    """`before` and `after` are what stands around the closure in its statement, `later_on` what comes behind that."""
    handed = HANDED.search(before)
    if handed is None or GIVEN_BACK.match(before):
        return False
    if not (SOURCE.search(before) or re.fullmatch(LINQ, handed["how"])):
        return False
    rest = after.lstrip()
    rest = rest.partition(")")[2] if handed["open"] else rest
    while (step := NEXT.match(rest)) is not None:
        rest = _behind(rest[step.end() :])
    if COUNTED.match(rest) and OF_KNOWN_SIZE.search(before) and not LEAVES_OUT.search(before + after):
        return True
    if sum(map(before.count, OPENING)) - sum(map(before.count, CLOSING)) != len(handed["open"]):
        return False  # something else is handed the chain
    if rest.strip().rstrip(";"):
        return False
    held = HELD.match(before.strip())
    return held is None or re.search(rf"\b{re.escape(held['name'])}\b", later_on) is None


def _behind(text: str) -> str:
    """What follows the arguments and the block that a call is handed."""
    while text[:1] in OPENING and text[:1]:
        deep, end = 0, len(text)
        for number, letter in enumerate(text):
            deep += (letter in OPENING) - (letter in CLOSING)
            if not deep:
                end = number + 1
                break
        text = text[end:].lstrip(" ")
    return text
