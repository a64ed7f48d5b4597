"""XML as MSBuild, Maven and the PHP tools use it: elements are keys, equal elements a list, attributes `@name`.

Entities are refused (defusedxml). Namespaces are dropped. An element that only holds text is that text; text beside
attributes or elements is its key "#text".
"""

from __future__ import annotations

from typing import Any
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from defusedxml.common import DefusedXmlException
from defusedxml.sax import parseString

from ralph.guardrails.config.node import Node
from ralph.guardrails.config.readers.errors import Unreadable
from ralph.system.patterns import later

OUTSIDE = later(r"<!DOCTYPE[^\[\]<>]*>")
"""A type of documents that is described elsewhere: nothing is fetched, and nothing here hangs on it."""


def read(text: str, path: str) -> Node:
    handler = _Builder(path)
    text = OUTSIDE.sub(lambda match: "\n" * match[0].count("\n"), text, count=1)
    try:
        parseString(text.encode("utf-8", "replace"), handler)
    except (SAXException, DefusedXmlException, ValueError) as error:
        raise Unreadable(" ".join(str(error).split())) from error
    return Node(handler.open[0], path, 1, 1)


class _Builder(ContentHandler):
    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.open: list[dict[str, Node]] = [{}]
        self.texts: list[str] = [""]
        self.places: list[tuple[int, int]] = []
        self.locator: Locator | None = None

    def setDocumentLocator(self, locator: Locator) -> None:
        self.locator = locator

    def startElement(self, _name: str, attrs: AttributesImpl | Any) -> None:
        line, column = self._place()
        self.places.append((line, column))
        self.open.append({f"@{key}": Node(value, self.path, line, column) for key, value in attrs.items()})
        self.texts.append("")

    def characters(self, content: str) -> None:
        self.texts[-1] += content

    def endElement(self, name: str) -> None:
        keys, text, (line, column) = self.open.pop(), self.texts.pop().strip(), self.places.pop()
        if keys and text:
            keys["#text"] = Node(text, self.path, line, column)
        node = Node(keys or text, self.path, line, column)
        parent, name = self.open[-1], name.rsplit(":", 1)[-1]
        if name not in parent:
            parent[name] = node
        elif isinstance(parent[name].value, list):
            parent[name].items.append(node)
        else:
            parent[name] = parent[name].with_value([parent[name], node])

    def _place(self) -> tuple[int, int]:
        if self.locator is None:
            return 0, 0
        return self.locator.getLineNumber() or 0, (self.locator.getColumnNumber() or 0) + 1
