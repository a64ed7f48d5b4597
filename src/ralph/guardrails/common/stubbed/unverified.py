"""What failed its verification, and is used all the same (policy set v2, class G19): Python, Go, others with `catch`.

Rules, for a function of the product whose base called what verifies something by a signature, a digest or a key:

- It blocks where the handler of that failure gives back what was verified, keeps it for later, or goes on to where it
  is given back.
- A handler that fails, gives back something else (what was kept from before), or says in its answer that nothing was
  verified (`False`), is honest; so is one that asks whether it may, by anything but what it kept.
- What the base did in the same way is nothing new.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.common.stubbed.verifying import NOTHING, PROOF, SAYS_SO, VERIFIES, WITH
from ralph.guardrails.inventory.readers import is_support, language
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

RULE = "code.failure-dropped"
WORTH = later(rb"(?i)verif|authenticat|signature|digest|checksum|integrity")
HANDLES = later(rb"\bexcept\b|\bcatch\b|err\w* != nil")
CATCHING = frozenset({"javascript", "typescript", "tsx", "java", "kotlin", "csharp", "php"})
LANGUAGES = CATCHING | {"python", "go"}
_BLOCK = r"(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*"
CATCH = later(rf"\btry\s*\{{(?P<tried>{_BLOCK})\}}\s*catch\b[^{{]*\{{(?P<handler>{_BLOCK})\}}")
GO = later(rf"(?P<tried>[^\n]*\([^\n]*)(?:;|\n)\s*(?:if\s+)?err\w* != nil \{{(?P<handler>{_BLOCK})\}}")
FAILS = later(r"\b(?:throw|panic|raise)\b|\breturn\b[^\n;]*\berr\w*\b|\bfmt\.Errorf\(|\berrors\.New\(")
LEAVES = later(r"\b(?:return|continue|break)\b")
GIVES = later(r"\breturn\b(?P<value>[^\n;]*)")
KEEPS = later(r"(?P<name>[A-Za-z_$]\w*)\s*(?::=|\?\?=|\|\|=|=)(?!=)(?P<value>[^\n;=]*)")
ASKS = later(r"\bif\b\s*\(?(?P<about>[^\n{]*)")
NAME = later(r"[A-Za-z_$]\w*")


def unverified(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        if spoken not in LANGUAGES or file.status != "M" or file.binary or is_support(file.path):
            continue
        if is_in(HANDLES, file.added_text) and is_in(WORTH, change.blobs.after(file.path) or b""):
            yield from _of_file(file, spoken or "", change)


def _of_file(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    before = {name: body for _, name, _, body in functions_of(change.blobs.before(file.path) or b"")}
    for number, name, head, body in functions_of(change.blobs.after(file.path) or b""):
        old = before.get(name, "")
        if old == body or not VERIFIES.search(old) or not VERIFIES.search(body):
            continue
        used = next(_used(head, body, spoken), "")
        if used and not any(_used(head, old, spoken)):
            detail = f"{name} uses {used} although it was not verified"
            yield hit_at(RULE, file.path, number + 1, detail, head.strip(), key=detail)


def _used(head: str, body: str, spoken: str) -> Iterator[str]:
    if spoken == "python":
        from ralph.guardrails.python.product.unverified import used

        yield from used(head, body)
        return
    for match in (GO if spoken == "go" else CATCH).finditer(body):
        call = VERIFIES.search(match["tried"])
        handler = match["handler"]
        if call is None or FAILS.search(handler) or not PROOF.search(match[0][: match[0].find(handler)]):
            continue
        words = (each.strip() for each in call["given"].split(","))
        names = {each for each in words if NAME.fullmatch(each) and not WITH.search(each)} - NOTHING
        for given in GIVES.finditer(handler):
            found = names & _names(given["value"])
            if found and not ASKS.search(handler) and not SAYS_SO.search(given["value"]):
                yield min(found)
        assigned = [(each["name"], bool(names & _names(each["value"]))) for each in KEEPS.finditer(handler)]
        kept, noted = ({name for name, keeps in assigned if keeps is which} for which in (True, False))
        later_on = kept if LEAVES.search(handler) else kept | names
        yield from _given_later(later_on, noted, body[match.end() :])


def _given_later(kept: set[str], noted: set[str], rest: str) -> Iterator[str]:
    for given in GIVES.finditer(rest) if kept else ():
        found = _names(given["value"])
        above = list(ASKS.finditer(rest, 0, given.start()))
        asked = _names(above[-1]["about"]) if above and "}" not in rest[above[-1].end() : given.start()] else set[str]()
        if kept & found and not noted & found and asked <= kept and not SAYS_SO.search(given["value"]):
            yield min(kept & found)


def _names(text: str) -> set[str]:
    return set(NAME.findall(text)) - NOTHING


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unverified,)
