"""Values that hang on whether the code runs in CI: what they are there, also as a part of a text or of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.node import Node, Opaque


def there(node: Node) -> Node:
    """The value in CI where that is known, else the value itself."""
    if isinstance(node.value, Opaque) and node.value.in_ci is not None:
        return there(node.value.in_ci)
    if isinstance(node.value, list) and any(isinstance(item.value, Opaque) for item in node.value):
        return node.with_value([each for item in node.value for each in _items(item)])
    return node


def _items(item: Node) -> Iterator[Node]:
    """An item, or the items of a list that is spread."""
    found = there(item)
    if found is not item and isinstance(found.value, list):
        yield from found.value
    else:
        yield found


def hangs_on_it(node: Node | None) -> bool:
    return node is not None and there(node) is not node and not _is_unread(there(node))


def _is_unread(node: Node) -> bool:
    return any(isinstance(each.value, Opaque) for each in (node, *node.items))


def joined(opaque: Node, parts: Sequence[Node]) -> Node:
    """A text made of parts: read if they all are, and in CI if they are there."""
    for known, in_ci in ((parts, False), ([there(part) for part in parts], True)):
        if all(isinstance(part.value, str | int | float) for part in known):
            text = opaque.with_value("".join(part.text for part in known))
            return opaque.with_value(Opaque(written(opaque), text)) if in_ci else text
    return opaque


def written(opaque: Node) -> str:
    return opaque.value.text if isinstance(opaque.value, Opaque) else opaque.text
