"""Addresses that a product no longer answers, and what tests asked of them (policy set v2, classes G04 and G05).

Rule: a route is what the product gives a handler by an address (`app.get("/links/:id", …)`, `@app.route("/links")`,
`@GetMapping("/links")`, `mux.HandleFunc("GET /links/{id}", …)`). One that no changed file of the product has now is
gone; a test asks for it by an address that it takes and that no route of the head takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from ralph.guardrails.inventory.model import Check, Test
from ralph.system.patterns import later

VERBS = "get|post|put|patch|delete|del|head|options|all|any|route|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"
ROUTE = later(
    rf"(?:\.(?:{VERBS}|HandleFunc|Handle|Map(?:Get|Post|Put|Patch|Delete))|@(?:Get|Post|Put|Patch|Delete|Request)Mapping"
    r"|\[Http(?:Get|Post|Put|Patch|Delete)|@(?:Get|Post|Put|Patch|Delete)|\b(?:path|re_path|url))"
    r"\(\s*(?:(?:value|path)\s*=\s*)?[\"'`](?:[A-Z]+ )?(/[^\"'`\s]*)[\"'`]"
)
PLACE = later(r"^(?::\w+\??(?:\([^)]*\))?|\{[^}]*\}|<[^>]*>|\*\w*)$")
"""A part of a route that stands for any."""
ADDRESS = later(r"[\"'`](?:https?://[^/\"'`]+)?(/[^\"'`\s]*)[\"'`]")
MADE = later(r"\$?\{[^{}]*\}")


class Routes:
    def __init__(self, products: Iterable[tuple[str, bytes, bytes]]) -> None:
        """`products`: the path of each changed file of the product, and its text on both sides."""
        self._products = list(products)

    @cached_property
    def _gone(self) -> frozenset[str]:
        return frozenset(_routes(old for _, old, _ in self._products)) - self._there

    @cached_property
    def _there(self) -> frozenset[str]:
        return frozenset(_routes(new for _, _, new in self._products))

    def are_asked_by(self, test: Test) -> bool:
        return bool(self._gone) and self._is_asked(test.facts().body)

    def is_asked(self, check: Check) -> bool:
        return bool(self._gone) and self._is_asked(check.subject)

    def _is_asked(self, text: str) -> bool:
        for address in ADDRESS.findall(text):
            plain = MADE.sub("x", address).partition("?")[0]
            taken = any(_takes(route, plain) for route in self._gone)
            if taken and not any(_takes(route, plain) for route in self._there):
                return True
        return False


def _routes(texts: Iterable[bytes]) -> Iterator[str]:
    for text in texts:
        yield from ROUTE.findall(text.decode("utf-8", "replace"))


def _takes(route: str, address: str) -> bool:
    parts, asked = route.strip("/").split("/"), address.strip("/").split("/")
    if len(parts) != len(asked):
        return False
    return all(PLACE.match(part) or part == other for part, other in zip(parts, asked, strict=True))
