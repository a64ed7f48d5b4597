"""What type tests demand: expect-type (Vitest's `expectTypeOf`), tsd and TSTyche (test inventory, class G05).

A type that is to be another one exactly is EXACT, one that it is to fit is CLOSE, a kind of type is SHAPE. `any`,
`unknown` and `{}` fit whatever the code gives, so to ask for one of them is to ask for nothing much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.javascript.checks.chain import Chain, Link
from ralph.guardrails.javascript.checks.truth import Said
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.system.patterns import later

NOTHING, EXISTS, SHAPE, CLOSE, EXACT = Grade
SAME, FITS, KIND, DIFFERS = "is type", "fits type", "type", "is not type"
EQUAL = frozenset({"toEqualTypeOf", "toBe"})
EXTENDS = frozenset({"toMatchTypeOf", "toExtend", "toMatchObjectType", "toBeAssignableTo", "toBeAssignableWith"})
NAMED = {
    f"toBe{name}": name.lower()
    for name in ("String", "Number", "Boolean", "Void", "Null", "Undefined", "Never", "Symbol", "BigInt")
}
WIDE = {"toBeAny": "any", "toBeUnknown": "unknown"}
KINDS = frozenset({"toBeFunction", "toBeObject", "toBeArray", "toBeNullable", "toBeConstructibleWith"})
FUNCTIONS: dict[tuple[str, ...], tuple[str, Grade]] = {
    ("assertType",): (FITS, CLOSE),
    ("expectType",): (SAME, EXACT),
    ("expectAssignable",): (FITS, CLOSE),
    ("expectNever",): (SAME, EXACT),
    ("expectError",): ("fails to compile", CLOSE),
    ("expectDeprecated",): ("is deprecated", CLOSE),
    ("expectNotType",): (DIFFERS, EXISTS),
    ("expectNotAssignable",): (DIFFERS, EXISTS),
    ("expectNotDeprecated",): ("is not deprecated", CLOSE),
}
"""By the functions of tsd, and Vitest's own."""
MOST_GIVEN = 1
"""A function of such a name that is given more is the project's own."""
ANYTHING = frozenset({"any", "unknown", "{}", "object", "Record<string,any>", "Record<string,unknown>"})
PARTS = (
    (later(r"Awaited<(.+)>"), r"\1.resolves"),
    (later(r"ReturnType<(.+)>"), r"\1.returns"),
    (later(r"Parameters<(.+)>"), r"\1.parameters"),
    (later(r"typeof([\w$.]+)"), r"\1"),
)
"""Types that are parts of others, as `expectTypeOf` names the same parts."""


def is_about_type(chain: Chain) -> bool:
    """TSTyche's `expect(load).type.toBe<Config>()`."""
    return bool(chain.links) and chain.links[0].name == "type" and chain.links[0].arguments is None


class Types:
    def __init__(self, code: Code, writing: Writing) -> None:
        self._code, self._writing = code, writing

    def function(self, call: tree_sitter.Node, path: tuple[str, ...]) -> Said:
        relation, grade = FUNCTIONS[path]
        given = arguments(call)
        wanted = "never" if path == ("expectNever",) else self._asked(call)
        return self._said(given[0] if given else None, "", relation, grade, wanted)

    def chain(self, chain: Chain) -> Iterator[Said]:
        """`expectTypeOf(load).returns.resolves.toEqualTypeOf<Config>()`."""
        given = arguments(chain.start)
        subject = given[0] if given else None
        member = "" if given else _part(self._asked(chain.start))
        negated, said = False, False
        for link in chain.links:
            found = self._matcher(link, negated)
            if found is not None:
                said = True
                yield self._said(subject, member, *found)
            elif link.name == "not":
                negated = not negated
            elif link.name == "toHaveProperty" and len(link.arguments or ()) == 1:
                said = True
                yield self._said(subject, member, "lacks" if negated else "has", SHAPE, self._written(link.arguments))
                member += f".{self._written(link.arguments)}"
            elif link.name not in ("branded", "type"):
                member += f".{link.name}{self._of_link(link)}"
        if not said:
            yield Said(subject, "nothing", NOTHING, why="no matcher is called")

    def _matcher(self, link: Link, negated: bool) -> tuple[str, Grade, str] | None:
        wanted = NAMED.get(link.name) or WIDE.get(link.name)
        if link.arguments is None and wanted is None and link.name not in KINDS:
            return None
        if link.name in EQUAL or wanted:
            wanted = wanted or self._of_link(link) or self._written(link.arguments)
            return (DIFFERS, EXISTS, wanted) if negated else (SAME, EXACT, wanted)
        if link.name in EXTENDS:
            wanted = self._of_link(link) or self._written(link.arguments)
            return (DIFFERS, EXISTS, wanted) if negated else (FITS, CLOSE, wanted)
        if link.name == "toBeCallableWith":
            return (DIFFERS if negated else "takes", CLOSE, self._written(link.arguments))
        if link.name in KINDS:
            return (DIFFERS, EXISTS, link.name) if negated else (KIND, SHAPE, link.name)
        return None

    def _said(self, subject: tree_sitter.Node | None, member: str, relation: str, grade: Grade, wanted: str) -> Said:
        whole = f"{self._writing.of(subject)}{member}"
        if relation in (SAME, FITS) and _part(wanted) == whole:
            return Said(subject, relation, NOTHING, wanted=wanted, member=member, why="both sides are the same")
        if relation == FITS and wanted in ANYTHING:
            return Said(subject, relation, NOTHING, wanted=wanted, member=member, why="everything matches")
        if relation == SAME and wanted in ANYTHING:
            return Said(subject, KIND, EXISTS, wanted=wanted, member=member)
        return Said(subject, relation, grade, wanted=wanted, member=member)

    def _of_link(self, link: Link) -> str:
        """The types that a member is given, or the number of a parameter."""
        return self._asked(link.node) or (self._written(link.arguments) if link.name.endswith("arameter") else "")

    def _asked(self, call: tree_sitter.Node) -> str:
        listed = call.child_by_field_name("type_arguments")
        return re.sub(r"\s+", "", self._code.text(listed).strip()[1:-1]) if listed is not None else ""

    def _written(self, given: Sequence[tree_sitter.Node] | None) -> str:
        return ", ".join(self._writing.of(each) for each in given or ())


def _part(text: str) -> str:
    """`ReturnType<typeof load>` is `load.returns`."""
    for pattern, part in PARTS:
        if match := pattern.fullmatch(text):
            inner, _, rest = match.expand(part).partition(match[1])
            return f"{inner}{_part(match[1])}{rest}"
    return text
