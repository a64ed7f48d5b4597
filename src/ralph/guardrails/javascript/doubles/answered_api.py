"""End-to-end tests whose browser answers for the project's own server (policy set v2, class G06).

Rule: a file that holds no tests and that all tests of a browser share (a fixture, a set-up file) now answers requests
itself (`page.route(…)` with `fulfill`, `cy.intercept` with an answer), under an address for which the project's product
has a route. It blocks where the file was there and did not: what the server did before, nobody tests any more. A new
file is for a person. Other people's services may be answered for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.inventory.product_changes.routes import ROUTE
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.files import Sides
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.places import is_support
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.nearest import nearest
from ralph.system.patterns import later

WORDS = (r"\.\s*route\s*\(|\.\s*fulfill\b|intercept\s*\(",)
ANSWERS = later(rb"\.\s*fulfill\s*\(|\bintercept\s*\(")
PARTS = later(r"[A-Za-z][\w-]*")
OUTSIDE = later(r"^https?://(?!localhost|127\.|\$|\*)")
MOST_FILES = 300


def answered(change: Change, files: Sequence[Sides]) -> Iterator[Hit]:
    for sides in files:
        shared = is_test_file(sides.path) or is_support(sides.path)
        if not shared or len(sides.after.sources) != 1 or not ANSWERS.search(sides.after.sources[0].data):
            continue
        head = code(sides.after.sources[0])
        if any(case.kind == "test" for case in head.cases.all):
            continue
        known = {each for source in sides.before.sources for each, _ in _addresses(code(source))}
        for address, call in _addresses(head):
            route = "" if address in known else _route(address, change)
            if route:
                rule = "test.subject-faked" if sides.before.sources else "test.subject-faked-in-new-test"
                detail = f"{address} is answered here, and no longer by the product's {route}"
                yield sides.after.in_git_lines(head.source.hit(rule, call, f"route {address}", detail=detail))


def _addresses(read: Code) -> Iterator[tuple[str, tree_sitter.Node]]:
    for call in read.calls:
        function = unwrapped(call.child_by_field_name("function"))
        name = read.constants.member(function) if function is not None else None
        given = arguments(call)
        if name not in ("route", "intercept") or len(given) < 2:
            continue
        yield from (
            (read.text(node).strip("\"'`/"), call)
            for node in given[:-1]
            if node.type in ("string", "regex", "template_string")
        )


def _route(address: str, change: Change) -> str:
    """A route of the product that the address is for: it has all words of the address."""
    if OUTSIDE.search(address):
        return ""
    words = [
        word for word in PARTS.findall(address.replace("\\", "")) if word not in ("GET", "POST", "http", "localhost")
    ]
    paths = (path for path in change.blobs.paths_after() if language_of(path) and not is_test_file(path))
    for path in nearest(paths, change, MOST_FILES):
        data = change.blobs.after(path) or b""
        if not words or words[-1].encode() not in data:
            continue
        for route in map(str, ROUTE.findall(data.decode("utf-8", "replace"))):
            if all(re.search(rf"\b{re.escape(word)}\b", route) for word in words):
                return route
    return ""
