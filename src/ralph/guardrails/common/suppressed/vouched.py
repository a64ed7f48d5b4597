"""Functions that vouch for a type whatever they are given, which a type checker believes (policy set v2, class G01).

    def is_order(value: object) -> TypeGuard[Order]:      function isOrder(value: unknown): value is Order {
        return True                                          return true;
                                                          }

Rule: a function of the product whose result says what its argument is (`TypeGuard` and `TypeIs`, `value is Order` and
`asserts value is Order`, a contract of Kotlin), and that looks at nothing: it says yes, or does nothing where it would
have to throw. In a file of the base it blocks, where it is new or looked at something before; in a new file it is for a
person. One that vouches for the type that its parameter has already says nothing, nor does one for any type; a method
that says it of its own object (`this is Leaf`) may know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

SILENCED, ESCAPED = "code.type-silenced", "code.type-escaped"
_OUT = r"(?P<type>[^\s{}=;](?:[^\n{}=;]{0,200}[^\s{}=;])?)"
_GIVEN = r"(?P<given>[^()\n]{0,300}(?:\n[^()\n]{0,300}){0,8})"
_PYTHON = (
    rf"\bdef[ \t]+(?P<name>\w+)(?:\[[^\]\n]*\])?\({_GIVEN}\)[ \t]*->[ \t]*[\"']?(?:\w+\.)*(?:TypeGuard|TypeIs)"
    r"\[(?P<type>[^\n:]{1,200})\][\"']?[ \t]*:(?:[ \t]*\#[^\n]*)?\s*"
    r"(?:[rR]?\"\"\"[^\"]*\"\"\"\s*|'''[^']*'''\s*)?"
    r"return[ \t]+(?:True|1|bool\(1\)|not False)[ \t]*(?:\#[^\n]*)?(?:\n|$)"
)
_SCRIPT = (
    rf"\b(?P<name>\w+)(?:[ \t]*[=:](?:[ \t]*async)?[ \t]*)?(?:<[^<>\n]*>)?\({_GIVEN}\)"
    rf"[ \t]*:[ \t]*(?P<asserts>asserts[ \t]+)?(?!this\b)\w+(?:[ \t]+is[ \t]+{_OUT})?[ \t]*(?:=>[ \t]*)?"
    r"(?P<body>\{\s*(?:return[ \t]+(?:true|!0|!!1);?|return;?)?\s*\}|(?:true|!0)(?=[ \t]*[;,\n)]))"
)
_KOTLIN = (
    rf"\bfun[ \t]+(?:<[^<>\n]*>[ \t]*)?(?:\w+\??\.)?(?P<name>\w+)\({_GIVEN}\)[ \t]*(?::[ \t]*Boolean[ \t]*)?"
    r"\{\s*contract[ \t]*\{\s*returns\((?:true)?\)[ \t]+implies[ \t]*\((?P<type>[^()\n]*(?:\([^()\n]*\))?)\)\s*\}"
    r"\s*(?:return[ \t]+true\s*)?\}"
)
FORMS = {
    (".py", ".pyi"): (re.compile(rb"TypeGuard|TypeIs"), later(_PYTHON)),
    (".ts", ".tsx", ".mts", ".cts"): (re.compile(rb"\bis\b|\basserts\b"), later(_SCRIPT)),
    (".kt", ".kts"): (re.compile(rb"\bcontract\b"), later(_KOTLIN)),
}
WORDS = later(
    rb"TypeGuard|TypeIs|\)[ \t]*:[ \t]*(?:asserts\b|\w+[ \t]+is\b)|\bimplies\b|\breturn[ \t]+(?:True|true|!0)\b"
)
ANYTHING = frozenset(("object", "Any", "any", "unknown", "never"))
LONGEST = 300_000


def vouched(change: Change) -> Iterator[Hit]:
    for file in change.files:
        form = next((form for ends, form in FORMS.items() if file.path.endswith(ends)), None)
        if form is None or file.status == "D" or not is_in(WORDS, file.added_text) or is_support(file.path):
            continue
        if file.path.endswith((".d.ts", ".pyi")):
            continue
        data = change.blobs.after(file.path) or b""
        if not form[0].search(data) or len(data) > LONGEST:
            continue
        old = (change.blobs.before(file.path) or b"").decode("utf-8", "replace")
        known = {name for name, _, _ in _vouching(form[1], old)}
        for name, line, text in _vouching(form[1], data.decode("utf-8", "replace")):
            if name not in known:
                rule = SILENCED if old else ESCAPED
                yield hit_at(rule, file.path, line, f"{name} vouches for a type and looks at nothing", text, key=name)


def _vouching(form: re.Pattern[str], text: str) -> Iterator[tuple[str, int, str]]:
    """The name, the line and its text."""
    for match in form.finditer(text):
        found = match.groupdict()
        vouches, body = (found["type"] or "").strip(), found.get("body")
        if body is not None and not _looks_at_nothing(body, asserts=found["asserts"] is not None, vouches=vouches):
            continue
        if vouches in ANYTHING or re.search(rf":\s*{re.escape(vouches)}\s*(?:[,=]|$)", found["given"].strip()):
            continue
        line = text.count("\n", 0, match.start()) + 1
        yield found["name"], line, text[match.start() :].split("\n", 1)[0].strip()


def _looks_at_nothing(body: str, *, asserts: bool, vouches: str) -> bool:
    """What asserts would have to throw; what answers says yes."""
    says_yes = re.search(r"true|!", body) is not None
    return not says_yes if asserts else says_yes and bool(vouches)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (vouched,)
