"""C#: which failure NUnit's constraints want, and what they ask of it (see `inventory`).

Rules: `Assert.That(f, Throws.ArgumentException.With.Message.EqualTo("no"))` wants the failure that
`Assert.Throws<ArgumentException>(f)` does, and asks of its message what others ask of that of its answer. So it is with
`Throws.TypeOf<E>()`, with other members (`.With.Property("Code")`, `.InnerException`), and with what is behind `And`.
What is behind `Not` and `Or` excludes little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import tree_sitter

from ralph.guardrails.csharp.failures import BROAD
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.system.patterns import later

KIND = later(r"(?:<|typeof\()\s*(?:\w+\.)*(\w+)\s*[>)]")
NAMED = later(r"\"(\w+)\"|nameof\((?:\w+\.)*(\w+)\)")
TYPES = frozenset({"TypeOf", "InstanceOf", "ExactTypeOf"})
JOINTS = frozenset({"With", "And", "Exception"})
LOOSE = frozenset({"Not", "Or", "No"})
RELATIONS = {
    "EqualTo": ("==", Grade.EXACT),
    "SameAs": ("==", Grade.EXACT),
    **dict.fromkeys(("StartsWith", "StartWith", "StartingWith"), ("starts with", Grade.SHAPE)),
    **dict.fromkeys(("EndsWith", "EndWith", "EndingWith"), ("ends with", Grade.SHAPE)),
    **dict.fromkeys(("Contains", "Contain", "ContainsSubstring", "Member"), ("holds", Grade.SHAPE)),
}


class Link(NamedTuple):
    name: str
    written: str
    given: Sequence[tree_sitter.Node] | None
    """None for what is not called."""


def thrown(action: tree_sitter.Node, constraint: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    """What `Throws` with all that is behind it says; `Throws.Nothing` is none of it."""
    links = _links(constraint)
    first = next((link for link in links[1:] if link.name != "Exception"), None)
    kind = _kind(first) if first is not None else ""
    asked = writing.of(action)
    yield Said(asked, "raises", kind, Grade.EXISTS if not kind or kind in BROAD else Grade.CLOSE)
    of, path, loose = f"Throws<{kind}>({asked})", "", False
    for link in links[1:]:
        if link.name in LOOSE:
            loose = True
        elif link.name in JOINTS:
            path = path if link.name == "And" else ""
        elif said := _kind(link):
            if path:
                yield Said(of + path, "type", said, Grade.SHAPE)
        elif link.given is None:
            path = f"{path if path == '.InnerException' else ''}.{link.name}"
        elif link.name == "Property" and link.given:
            match = NAMED.fullmatch(text_of(link.given[0]))
            path = f".{match[1] or match[2] if match is not None else writing.of(link.given[0])}"
        elif link.name in RELATIONS and link.given and not loose:
            relation, grade = RELATIONS[link.name]
            yield Said(of + path, relation, writing.of(link.given[0]), grade, writing.is_constant(link.given[0]))
        else:
            told = " ".join(map(writing.of, link.given))
            yield Said(of + path, f"not {link.name}" if loose else link.name, told, Grade.EXISTS)


def _kind(link: Link) -> str:
    """`ArgumentException`, `TypeOf<E>()`, `InstanceOf(typeof(E))`."""
    if link.name in TYPES and link.given is not None:
        found = KIND.search(link.written)
        return found[1] if found is not None else ""
    own = link.given is None and link.name.endswith("Exception") and link.name not in ("Exception", "InnerException")
    return link.name if own else ""


def _links(node: tree_sitter.Node) -> list[Link]:
    """From the first one on: `Throws`, `ArgumentException`, `With`, `Message`, `EqualTo("no")`."""
    found: list[Link] = []
    at: tree_sitter.Node | None = node
    while at is not None:
        given: list[tree_sitter.Node] | None = None
        if at.type == "invocation_expression":
            listed, inner = at.child_by_field_name("arguments"), at.child_by_field_name("function")
            given = [each.named_children[-1] for each in listed.named_children if each.named_children] if listed else []
            written, at = text_of(at)[len(text_of(inner)) - len(_last(inner)) :] if inner else "", inner
        else:
            written = _last(at)
        if at is None:
            break
        found.append(Link(_last(at).partition("<")[0], written, given))
        at = at.child_by_field_name("expression") if at.type == "member_access_expression" else None
    return found[::-1]


def _last(node: tree_sitter.Node) -> str:
    """The last name of a chain, with its types."""
    name = node.child_by_field_name("name") if node.type == "member_access_expression" else None
    return text_of(name or node)
