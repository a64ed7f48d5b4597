"""All hits in one side of one file, and what stands where they could not be seen.

A grammar never fails: what it cannot read becomes ERROR nodes. Detectors look there as well as they can. A word of
theirs that stands in such a node, on a line that the change touched and that has no hit, is a hit itself
(`scan.unreadable-syntax`). Its key is the line, so that what the base could not be read at either is nothing new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import tree_sitter

from ralph.guardrails.model import Hit
from ralph.guardrails.prefilter import Prefilter
from ralph.guardrails.registry import family
from ralph.guardrails.source import Source, remembered
from ralph.guardrails.templates import comment_rows
from ralph.guardrails.texts import UnreadableError, decoded, in_git_lines, one_line_end

MOST_ASKED = 100
"""So many words in places that the grammar could not read are looked at, each in its surroundings. In what has more of
them, the others count as unread: no line may take for ever."""


def side_hits(path: str, language: str, data: bytes, words: Prefilter, touched: Callable[[int], bool]) -> list[Hit]:
    """Raises UnreadableError for bytes that are no readable text and for a detector that fails on them."""
    text = decoded(language, data)
    normal = one_line_end(language, text)
    worth = family(language).worth
    if worth and not worth(normal):
        return []
    if text != normal:
        touched = _everywhere  # git counts lines in another way than the tools do
    try:
        hits = [hit for source in _sources(path, language, normal) for hit in _hits(source, words, touched)]
    except Exception as error:  # whatever a detector dies of, the file was not judged
        raise UnreadableError(f"looking at it failed ({type(error).__name__}: {error})") from error
    return [in_git_lines(hit, text, normal) for hit in hits]


def _everywhere(line: int) -> bool:
    return True


def _sources(path: str, language: str, data: bytes) -> list[Source]:
    """The file itself, or the scripts inside a component."""
    if language != "vue":
        return [Source(path, language, data)]
    from ralph.guardrails.javascript.syntax.components import scripts_of

    return scripts_of(path, data)


def _hits(source: Source, words: Prefilter, touched: Callable[[int], bool]) -> list[Hit]:
    hits = _detected(source.path, source.language, source.data, source.first_line)
    return [*hits, *_unread(source, words, {hit.line for hit in hits}, touched)]


@remembered(1024)
def _detected(path: str, language: str, data: bytes, first_line: int) -> tuple[Hit, ...]:
    """By content, because a change in which files moved is looked at twice."""
    source = Source(path, language, data, first_line)
    return tuple(hit for detector in family(language).detectors for hit in detector(source))


def _unread(source: Source, words: Prefilter, seen: set[int], touched: Callable[[int], bool]) -> Iterator[Hit]:
    root = source.tree.root_node
    if not root.has_error:
        return
    rows = {row for node in _errors(root) for row in range(node.start_point.row, node.end_point.row + 1)}
    rows -= comment_rows(source.path, source.language, source.lines)
    start = asked = 0
    for row, line in enumerate(source.lines):
        number = source.first_line + row
        if row in rows and number not in seen and touched(number) and words.matches(line):
            for first, last in words.spans(line):
                node = root.descendant_for_byte_range(start + first, start + last)
                asked += 1
                if node is not None and (asked > MOST_ASKED or _in_error(node)):
                    yield source.hit("scan.unreadable-syntax", node, key=_without_style(line))
                    break
        start += len(line) + 1


def _without_style(line: bytes) -> str:
    """A line whose quotes a formatter changed is no other line."""
    return line.decode("utf-8", "replace").replace('"', "'")


def _errors(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The outermost places where the grammar gave up."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error:
            yield node
        elif node.has_error:
            waiting += node.children


def _in_error(node: tree_sitter.Node) -> bool:
    """True if the grammar gave up on this place.

    A comment or a whole construct somewhere inside an ERROR is read as ever. A string is not: it may begin and end at
    quotes that mean something else.
    """
    read = False
    above: tree_sitter.Node | None = node
    while above is not None and not above.is_error:
        if "string" in above.type:
            break
        read = read or "comment" in above.type or (above.child_count > 0 and not above.has_error)
        above = above.parent
    while above is not None and not above.is_error:
        above = above.parent
    return above is not None and not read
