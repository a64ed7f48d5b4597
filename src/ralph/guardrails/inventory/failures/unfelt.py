"""New tests that cannot fail, as nobody hears of their assertions (policy set v2, class G05).

Rule: a test that comes with the change, all of whose assertions stand where a failure is dropped without anything being
done about it (`except AssertionError: pass`, `suppress(AssertionError)`, `catch {}`, `.catch(() => {})`, `rescue nil`,
`Promise.allSettled`), is as good as empty: it blocks. One that fails in another way (a `raise`, `fail()`), that asserts
elsewhere too, or whose handler does something with the error, is none: somebody may hear of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.model import SWALLOWED, Grade, Test
from ralph.guardrails.model import FileChange, Hit
from ralph.guardrails.prefilter import is_in, is_in_part
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

DROPS = later(rb"\bexcept\b|\brescue\b|\bsuppress\(|\bcatch\b\s*[({]|\ballSettled\(")
MAY_DROP = later(
    r"\bexcept\b|\brescue\b|\bsuppress\(|\ballSettled\(|\.catch\(\s*(?:\(\w*\)|\w+)\s*=>\s*\{\s*[}/]|\bcatch\s*(?:\([^()]*\)\s*)?\{\s*"
    r"(?:[}/]|break|continue|return|await|print|puts|sleep|[\w.]*(?:[cC]onsole|[lL]og|LOG|warn|System|sleep))"
)
"""A handler that may do nothing about a failure: what it does first is nothing, or tells somebody."""
_TELLS = r"(?:console|log\w*|LOG\w*|_?logg\w+|warnings|Console|System\.(?:out|err))\.\w+|print(?:ln)?|puts"
_GIVEN = r"\((?:[^()\n]|\([^()\n]*\))*\)"
_IDLE = rf"(?:pass|\.\.\.|continue|break|return(?: None| nil)?|(?:await )?(?:{_TELLS}|(?:\w+\.)?sleep){_GIVEN})"
_ANY = r"(?:AssertionError|Exception|failureException|Failed)\b"
IDLE = later(
    rf"(?m)^(?P<at> *)except\*?(?: [^\n]*{_ANY}[^\n]*)?:(?:\n(?P=at) +{_IDLE}$)+(?!\n(?P=at) )"
    rf"|\bsuppress\([^\n]*{_ANY}"
    rf"|\bcatch(?:\([^()]*\))?\{{(?:{_IDLE};?)*\}}"
    r"|\.catch\((?:\(\w*\)|\w+)=>\{\}\)"
    r"|Promise\.allSettled\("
    r"|\brescue(?: ?[A-Z][\w:, ]*?)?(?: ?=> ?\w+)?[; ]*(?:nil[; ]*)?(?:end\b|\Z)|\brescue nil\b"
)
"""A handler of failures that does nothing about them, in the form of a test's body."""
FAILS = later(
    r"\b(?:raise|throw|flunk|panic)\b|\b(?:[Ff]ail(?:Now)?|unreachable|exit)\(|\breject\b|\bassert (?:False|0)\b"
    r"|\bexpect\((?:true|false)\)|\b(?:assert\w*|ok|(?:Is)?True)\([Ff]alse\b"
)
"""Another way for it to fail."""


def may_drop(file: FileChange) -> bool:
    """A new file may hold a test that drops its own failure."""
    return is_in(DROPS, file.added_text) and any(DROPS.search(line) for _, line in file.added())


def unfelt(added: Iterable[Test]) -> Iterator[Hit]:
    for test in added:
        if test.kind == "test" and is_in_part(MAY_DROP, test.text) and _is_unfelt(test):
            check = next(check for check in test.facts().checks if check.why == SWALLOWED)
            detail = f"{test.name}: of `{cut(check.subject, 80)}` it asserts nothing, as {SWALLOWED}"
            yield Hit(
                rule="test.emptied",
                path=test.path,
                line=check.line,
                column=check.column,
                key=detail,
                snippet=check.snippet or test.snippet,
                detail=detail,
            )


def _is_unfelt(test: Test) -> bool:
    facts = test.facts()
    if any(check.grade is not Grade.NOTHING for check in facts.checks) or facts.told or facts.awaited:
        return False
    swallowed = any(check.why == SWALLOWED for check in facts.checks)
    return swallowed and IDLE.search(facts.body) is not None and not FAILS.search(facts.body)
