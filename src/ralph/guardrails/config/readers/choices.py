"""Values of which the file says all that they may be: `fast ? 4 : 0`, `strict && {…}`, `!quick`.

A choice between tables is a table of choices. What is nothing in one case (`…(fast && {retry: 4})`) is a node without a
value there. What only running could tell is a case that is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import product

from ralph.guardrails.config.node import SPREAD, Node, Opaque, canonical
from ralph.guardrails.config.readers.in_ci import there, written

MOST = 8
LONGEST = 200
NOTHING = (None, False, "")


def truthy(node: Node) -> bool | None:
    """Whether JavaScript takes it for true; None if only running could tell."""
    if isinstance(node.value, Opaque):
        return None
    return isinstance(node.value, dict | list) or bool(node.value)


def cases(node: Node) -> tuple[tuple[Node, ...], bool]:
    """What it may be, and whether that is all."""
    if isinstance(node.value, Opaque):
        return node.value.may_be, node.value.is_all
    return (node,), True


def either(opaque: Node, choices: Sequence[Node], in_ci: Node | None = None, *, is_all: bool = True) -> Node:
    """One of the choices; `opaque` is how that is written."""
    if is_all and all(each is choices[0] for each in choices):
        return choices[0]
    tables = [each for each in choices if isinstance(each.value, dict)]
    if tables and all(isinstance(each.value, dict | Opaque) or _is_nothing(each) for each in choices):
        return opaque.with_value(_table(opaque, choices, in_ci, is_all=is_all))
    found: list[Node] = []
    for each in choices:
        known, all_known = cases(each)
        found += known
        is_all = is_all and all_known
    if is_all and len({canonical(each) for each in found}) == 1:
        return found[0]
    return opaque.with_value(Opaque(written(opaque), in_ci, tuple(found[:MOST]), is_all and len(found) <= MOST))


def question(opaque: Node, in_ci: Node | None = None) -> Node:
    """A question whose answer is yes or no."""
    return either(opaque, (opaque.with_value(value=True), opaque.with_value(value=False)), in_ci)


def possible(node: Node | None) -> tuple[list[Node | None], bool]:
    """What a setting may be, and whether that is all; None for a setting that is not said.

    A list with a part that is there or not is several lists; a part that cannot be read stays in them.
    """
    if node is None:
        return [None], True
    if isinstance(node.value, list) and any(isinstance(item.value, Opaque) for item in node.value):
        return [node.with_value(list(items)) for items in _lists(node.value)], True
    known, is_all = cases(node)
    return [None if each.value is None else each for each in known], is_all


def laid_over(value: Node, below: Node | None) -> Node:
    """A value that stands behind another one of the same name, which holds where it is nothing."""
    if below is None:
        return value
    if isinstance(value.value, dict) and isinstance(below.value, dict) and _hangs(value):
        return value.with_value(
            {**below.value, **{key: laid_over(each, below.value.get(key)) for key, each in value.value.items()}}
        )
    if not isinstance(value.value, Opaque) or not any(each.value is None for each in value.value.may_be):
        return value
    now = value.value.in_ci
    choices = [below if each.value is None else each for each in value.value.may_be]
    return either(value, choices, below if now is not None and now.value is None else now, is_all=value.value.is_all)


def _hangs(node: Node) -> bool:
    """Something in a table is nothing in some case."""
    if isinstance(node.value, Opaque):
        return any(each.value is None for each in node.value.may_be)
    return any(map(_hangs, node.mapping.values()))


def _is_nothing(node: Node) -> bool:
    return not isinstance(node.value, dict | list | Opaque) and node.value in NOTHING


def _table(opaque: Node, choices: Sequence[Node], in_ci: Node | None, *, is_all: bool) -> dict[str, Node]:
    """Each key with what it may be; a choice that cannot be read may have any others."""
    read = [each for each in choices if not isinstance(each.value, Opaque)]
    unread = [each for each in choices if isinstance(each.value, Opaque)] or ([] if is_all else [opaque])
    found: dict[str, Node] = {}
    for key in dict.fromkeys(key for each in read for key in each.mapping):
        values = [each.mapping.get(key) or each.with_value(None) for each in read]
        there_now = in_ci.mapping.get(key) or in_ci.with_value(None) if in_ci is not None else None
        place = next(value for each in read if (value := each.mapping.get(key)) is not None)
        text = f"{written(opaque)} {SPREAD} {_short(' : '.join(canonical(value) for value in values))}"
        found[key] = either(place.with_value(Opaque(text)), values, there_now, is_all=is_all and not unread)
    return found | {f"{SPREAD}{written(each)}": each for each in unread}


def _short(text: str) -> str:
    """Two long texts that differ still do. Choices among choices would double theirs each time."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… {blake2b(text.encode(), digest_size=8).hexdigest()}"


def _lists(items: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    choices = [list(_parts(item)) for item in items]
    if len([each for each in choices if len(each) > 1]) > MOST // 2:
        choices = [[(there(item),)] for item in items]
    for chosen in product(*choices):
        yield tuple(part for parts in chosen for part in parts)


def _parts(item: Node) -> Iterator[tuple[Node, ...]]:
    """What stands in a list in the place of an item: several, if it is spread, or none."""
    known, is_all = cases(item)
    for each in known:
        nothing = isinstance(item.value, Opaque) and _is_nothing(each)
        yield () if nothing else tuple(each.value) if isinstance(each.value, list) else (each,)
    if not is_all:
        yield (item,)
