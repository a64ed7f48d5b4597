"""Where in a change something stands: what kind of file, which added lines, in code or in a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache

from ralph.guardrails.config.patterns import is_output
from ralph.guardrails.hiding.releases import is_release
from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.languages import language_of, wants_first_line
from ralph.guardrails.model import MODE_GITLINK, MODE_SYMLINK, Blobs, Change, FileChange, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded
from ralph.system.patterns import later

TRANSLATION = later(
    r"(?i)(?:^|[/_.-])(?:locales?|i18n|l10n|lang(?:uages?)?|translations?|messages|strings|intl)(?:[/_.-]|$)|\.(?:po"
    r"|pot|arb|xlf|resx)$"
)
CONFIGURATION = later(
    r"(?i)\.(?:json[5c]?|ya?ml|toml|ini|cfg|conf|properties|env|xml|csproj|gradle|mk|tf|sql|graphql|proto)$"
    r"|(?:^|/)(?:dockerfile|makefile|justfile|jenkinsfile|codeowners|\.[^/]*)$"
)
ABOUT_TEXT = later(
    r"(?i)unicode|utf|zero.?width|zwsp|zwn?j|bidi|rtl|invisible|homoglyph|confusab|emoji|i18n|l10n|locale|escap"
    r"|saniti[sz]"
    r"|normali[sz]|white.?space|control|ansi|terminal|charset|glyph|grapheme|hidden|trojan|newline|line.?(?:end"
    r"|break)|encod"
)


class Kind(Enum):
    SOURCE = "source"
    CONFIGURATION = "configuration"
    PROSE = "prose"
    TRANSLATION = "translation"


class Part(Enum):
    CODE = "code"
    STRING = "string"
    COMMENT = "comment"


def kind_of(path: str, first_line: bytes = b"") -> Kind:
    if language_of(path, first_line) is not None and not TRANSLATION.search(path):
        return Kind.SOURCE
    if language_of(path, first_line) is not None:
        return Kind.SOURCE
    if TRANSLATION.search(path):
        return Kind.TRANSLATION
    return Kind.CONFIGURATION if CONFIGURATION.search(path) else Kind.PROSE


def is_test(path: str) -> bool:
    return TEST_PLACE.search(path) is not None


def is_foreign(path: str) -> bool:
    """Build output, generated or other people's code, samples."""
    return (
        is_output(path.rpartition("/")[0])
        or re.search(r"\.min\.\w+$|[.-]bundle\.\w+$|\.lock$|-lock\.\w+$", path) is not None
    )


def plain_files(change: Change) -> Iterator[FileChange]:
    """Files with lines that the change added, but for a release that nobody wrote here."""
    for file in change.files:
        if (
            file.new_mode[:3] == "100"
            and file.hunks
            and file.old_mode != MODE_GITLINK
            and file.new_mode != MODE_SYMLINK
            and not is_release(file.path, change)
        ):
            yield file


def language(file: FileChange, blobs: Blobs) -> str | None:
    if wants_first_line(file.path):
        return language_of(file.path, (blobs.after(file.path) or b"").partition(b"\n")[0])
    return language_of(file.path)


class Reader:
    """Answers what a place in a file is a part of; parses the file when it is first asked."""

    def __init__(self, change: Change) -> None:
        self._blobs = change.blobs
        self._source = cache(self._parsed)

    def part(self, file: FileChange, line: int, column: int) -> Part:
        """`column` counts bytes from 0. What cannot be read is code."""
        source = self._source(file)
        if source is None:
            return Part.CODE
        point = (line - 1, column)
        node = source.tree.root_node.descendant_for_point_range(point, point)
        while node is not None:
            if "comment" in node.type:
                return Part.COMMENT
            if node.is_error:
                return Part.CODE
            if any(
                word in node.type for word in ("string", "char", "heredoc", "jsx_text", "rune", "template_substitution")
            ):
                return Part.CODE if "substitution" in node.type or "interpolation" in node.type else Part.STRING
            if "interpolation" in node.type or "regex" in node.type:
                return Part.STRING if "regex" in node.type else Part.CODE
            node = node.parent
        return Part.CODE

    def around(self, file: FileChange, line: int) -> str:
        """The line with some lines above it: what the code there is about."""
        content = (self._blobs.after(file.path) or b"").split(b"\n")
        return b"\n".join(content[max(0, line - 12) : line]).decode("utf-8", "replace")

    def whole(self, file: FileChange) -> str:
        return (self._blobs.after(file.path) or b"").decode("utf-8", "replace")

    def _parsed(self, file: FileChange) -> Source | None:
        named = language(file, self._blobs)
        data = self._blobs.after(file.path)
        if named is None or named == "vue" or data is None:
            return None
        try:
            return Source(file.path, named, decoded(named, data))
        except UnreadableError:
            return None


def hit(rule: str, file: FileChange, line: int, column: int, text: bytes, detail: str, key: str = "") -> Hit:
    snippet = text.decode("utf-8", "replace").strip()
    return Hit(
        rule=rule,
        path=file.path,
        line=line,
        column=column,
        key=key or f"{detail} {' '.join(snippet.split())}",
        snippet=snippet,
        detail=detail,
    )


def without_moved(hits: Iterable[Hit], removed: Iterable[str]) -> Iterator[Hit]:
    """The hits, without those whose keys the change took away elsewhere, as often as it did."""
    left = Counter(removed)
    for each in hits:
        if left[each.key]:
            left[each.key] -= 1
        else:
            yield each
