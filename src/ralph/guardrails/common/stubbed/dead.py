"""Work of the base that is still written, and that nothing reaches any more (policy set v2, class G19): all languages.

What a line says by itself is found by `decided`. Rules, for a function of the product that both sides have:

- All of its work stands under a condition that is a constant now (`if (false) {`, `while False:`), or in a function
  that is written down there and that nobody calls.
- Before its work it leaves, under a constant (`if true { return nil }`, `return if true`), or wherever it is given the
  very thing with which it works: `if (order != null) return;`, and then `db.insert(order)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.stubbed.only_told import Function, edited_functions, edited_products, stubbed_hit
from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.guardrails.texts import bare
from ralph.system.patterns import later

WORTH = later(rb"\b(?:true|false|True|False)\b|=>\s*\{?\s*$|->|\blambda\b|\bdef\b|\breturn\b")
NEVER = later(r"(?:if|while|elsif|unless)\s*\(?\s*(?P<no>false|False|0|true|True|1)\s*\)?\s*(?:\{|:|then)?(?P<rest>.*)")
LEAVES = later(r"(?:return\b[^;{}]*|throw\b.*|raise\b.*)\s*;?\s*\}?")
GUARD = later(
    r"(?:if\s*\(?\s*(?P<asked>[^{}:]+?)\s*\)?\s*(?:\{|:)?\s*(?P<leaves>return\s*(?:nil|null|None|undefined)?\s*;?\s*\}?)?)"
)
BEHIND = later(r"return\s*(?:nil)?\s+(?P<how>if|unless)\s+(?P<asked>.+)")
GIVEN = later(r"!?!?\$?(?P<one>\w+)(?:\s*(?:!==?|is not)\s*(?:null|nil|None|undefined|nullptr))?")
TRUE = frozenset(("true", "True", "1"))
WRAPPED = later(
    r"(?:(?:const|let|var|val|auto|Runnable|Action|Func<[^<>]*>)\s+)?(?:(?P<name>\w+)\s*:?=\s*)?"
    r"(?:async\s*)?(?:\([^()]*\)\s*(?:=>|->)\s*\{?|func\([^()]*\)[^{]*\{|function\s*\([^()]*\)\s*\{|->\s*\{?|lambda:?\s*\{?|\|\w*\|\s*\{)(?P<inside>.*)"
    r"|(?:def|fun|fn|function|func)\s+(?P<own>\w+)\([^()]*\).*"
)
LITTLE = later(r"(?:[{}()\[\];,]*|end|pass)")


def dead(change: Change) -> Iterator[Hit]:
    for file, spoken in edited_products(change, WORTH):
        for was, new, now in edited_functions(file, change):
            if why := _why(was, new):
                yield stubbed_hit(file, spoken, new, now, f"{new.name}: {why}")


def _why(was: Function, new: Function) -> str:
    old, steps = _work(was.steps), new.steps
    known = {bare(each) for each in old}
    first = next(
        (n for n, each in enumerate(steps) if bare(each) not in known and LITTLE.fullmatch(each) is None), None
    )
    if not old or first is None or any(bare(each) in known for each in steps[:first]):
        return ""
    below = steps[first + 1 :]
    kept = {bare(each) for each in below} & known
    step = steps[first]
    if wrapped := WRAPPED.fullmatch(step):
        inside = [each for each in _work((wrapped["inside"] or "").strip(" (){};").split(";")) if each]
        kept |= {bare(each.strip()).rstrip(";") for each in inside} & {each.rstrip(";") for each in known}
    if len(kept) < max(len(known) * 2 // 3, 1):
        return ""
    if (never := NEVER.fullmatch(step)) is not None:
        return _constant(never["no"], step, never["rest"].strip(), below, known)
    if wrapped is not None and _is_forgotten(wrapped, below, known):
        return "its work stands in a function that nobody calls"
    return _turned_away(step, below, new, known)


def _constant(constant: str, step: str, rest: str, below: Sequence[str], known: set[str]) -> str:
    holds = (constant in TRUE) is not step.startswith("unless")
    leaves = LEAVES.fullmatch(rest) is not None or (not rest and bool(below) and LEAVES.fullmatch(below[0]) is not None)
    if holds:
        return "it leaves before its work" if leaves and not (below and bare(below[0]) in known and not rest) else ""
    return "its work stands where nothing comes to it" if not _only(below, known) else ""


def _only(below: Sequence[str], known: set[str]) -> bool:
    """Something else is done, too."""
    return any(bare(each) not in known and LITTLE.fullmatch(each) is None for each in below)


def _is_forgotten(wrapped: re.Match[str], below: Sequence[str], known: set[str]) -> bool:
    name = wrapped["name"] or wrapped["own"]
    if _only(below, known):
        return False
    return name is None or not any(re.search(rf"(?<!\w){name}\b", each) for each in below)


def _turned_away(step: str, below: Sequence[str], new: Function, known: set[str]) -> str:
    """It leaves if it is given what it works with."""
    behind, guard = BEHIND.fullmatch(step), GUARD.fullmatch(step)
    asked, rest = "", list(below)
    if behind is not None:
        if behind["asked"].strip() in TRUE and behind["how"] == "if":
            return "it leaves before its work"
        asked = behind["asked"].strip() if behind["how"] == "if" else ""
    elif guard is not None:
        leaves = guard["leaves"] or (rest.pop(0) if rest else "")
        plain = re.fullmatch(r"return\s*(?:nil|null|None|undefined)?\s*;?\s*\}?", leaves) is not None
        asked = guard["asked"].strip() if plain else ""
    one = GIVEN.fullmatch(asked) if asked else None
    if one is None or asked.startswith("!"):
        return ""
    name = one["one"]
    given = re.findall(r"\w+", new.head.partition("(")[2].rpartition(")")[0])
    works = [each for each in rest if bare(each) in known]
    used = re.compile(rf"(?<![\w.])\$?{name}(?:\.|->|\s*[,)])")
    plain = name in given and bool(works) and used.search(works[0]) is not None
    return f"it leaves before its work where there is {name}" if plain else ""


def _work(steps: Sequence[str]) -> list[str]:
    return [each for each in steps if LITTLE.fullmatch(each) is None]


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (dead,)
