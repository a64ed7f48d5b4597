"""Comments that silence tools in other people's code that is kept in the project (policy set v2, classes G01, G11).

A new release of a library brings the comments that its authors wrote for their tools. They are for a person where the
base shows that the file is none of the project's own:

- it lies in a folder for such code (`FOLDERS`), the base had this library there, and beside the base's copy stands
  which version or whose code it is: a list of what is kept in the folder, or a licence in the library's own folder;
- or the folder had files at the base, and the base's configuration of the tool that the comment silences leaves the
  file out;
- or, of a file in such a folder or among `deps` and the like, what it says at its top on both sides: a licence of
  somebody of whom neither the project's licence nor its other files know, and now a release that it did not say before.

A folder that is new under such a name has nothing of that, and what came from elsewhere in the project is its own.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ralph.guardrails.in_place import BlobsInPlace
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.record import replace
from ralph.system.patterns import later

if TYPE_CHECKING:
    from ralph.guardrails.python.suppressed.left_out import LeftOut

RULE = "comment.of-others"
FOLDERS = (
    r"_?vendor|_?vendored|vendored_packages|third[_-]?party|3rd[_-]?party|node_modules|bower_components|Godeps"
    r"|site-packages|ext(?:ern(?:al)?s?)?|deps|contrib|subprojects|submodules|libs"
)
CERTAIN = later(
    r"^(?P<folder>(?:.*/)?(?:_?vendor|_?vendored|vendored_packages|third[_-]?party|3rd[_-]?party|node_modules"
    r"|bower_components|Godeps|site-packages))/(?P<name>[^/]+)(?P<rest>/.*)?$"
)
PERHAPS = later(rf"^(?:.*/)?(?:{FOLDERS})/[^/]+")
LIST = later(
    r"(?i)(?:vendor(?:ed)?|modules|versions|requirements[\w.-]*|pinned)\.(?:txt|lock|toml|json|ya?ml|in)|manifest\.json"
    r"|\.package-lock\.json|\.yarn-integrity"
)
LICENCE = later(r"(?i)(?:un)?licen[cs]e[\w.-]*|copying[\w.-]*|copyright")
SOME_FILES = 60
TOP = 60
"""So many lines may say whose code it is."""
HOLDER = later(
    r"(?im)copyright(?:\s*(?:\(c\)|©))?[\s\d,–-]*(?:by\s+)?(?!holder|owner|notice|law|and\b)(?P<name>[A-Za-z][^\n<(\d]{3,60})"
)
TERMS = later(r"(?i)permission is hereby granted|licensed under the|redistribution and use|SPDX-License-Identifier")
RELEASE = later(r"\d+(?:\.\d+)+|\b[0-9a-f]{40}\b")
SILENCES = later(
    r"py\.(?:noqa(?:-range|-file)?|type-ignore(?:-file)?|mypy-file|pyright-file|checker(?:-file)?|pylint(?:-file)?|nosec"
    r"|linter|no-cover)|js\.(?:ts-(?:ignore|nocheck|expect-error)|eslint-disable(?:-line)?|eslint-inline-config"
    r"|biome-ignore(?:-file)?|oxlint-disable(?:-line)?|deno-lint-ignore(?:-file)?|tslint-disable(?:-line)?"
    r"|stylelint-disable(?:-line)?|flow-suppression|lint-suppression|suppression-unclosed|coverage-ignore)"
    r"|comment\.(?:nosonar|nosemgrep|codeql|noinspection|scanner|coverage|unclosed)"
    r"|go\.(?:nolint-unexplained|lint-ignore|revive|nosec|checker-ignore|coverage-ignore)|rust\.(?:allow|allow-crate)"
    r"|jvm\.(?:suppress(?:-file)?|nopmd|cpd-off|checkstyle-off|ktlint-disable)"
    r"|csharp\.(?:pragma-disable|resharper-disable|stylecop-off)|ruby\.(?:rubocop-disable|reek|lint-disable|nocov)"
    r"|cpp\.(?:nolint|cppcheck-suppress|coverity|scanner|pragma-ignored|attribute-suppress|coverage-off)"
    r"|php\.(?:phpstan-ignore|psalm-suppress|phpcs-ignore|scanner|coverage-ignore)|shell\.shellcheck-disable"
)


class _Place(NamedTuple):
    folder: str
    library: str
    """The library's own folder, or its only file."""


def of_others(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits, with a milder rule for those in other people's code."""
    judge = _Judge(change)
    for hit in hits:
        may_be = SILENCES.fullmatch(hit.rule) is not None and PERHAPS.match(hit.path) is not None
        yield replace(hit, rule=RULE) if may_be and judge.is_of_others(hit.path, hit.rule) else hit


class _Judge:
    def __init__(self, change: Change) -> None:
        self._change = change
        self._listed = cache(lambda place: _is_listed(place, change))
        self._came_from_outside = cache(lambda path, place: _came_from_outside(path, place, change))
        self._says_so = cache(lambda path: _says_so(path, change))

    def is_of_others(self, path: str, rule: str) -> bool:
        place = _place(path)
        kept = place is not None and (self._listed(place) or self._is_left_out(path, rule, place))
        if kept and place is not None and not self._came_from_outside(path, place):
            return True
        return self._says_so(path)

    def _is_left_out(self, path: str, rule: str, place: _Place) -> bool:
        """The folder had files, and the base's configuration of the tool said that it does not look at this one."""
        inside = any(known.startswith(f"{place.folder}/") for known in self._change.blobs.paths_before())
        return inside and self._left_out.holds(rule, path)

    @cached_property
    def _left_out(self) -> LeftOut:
        from ralph.guardrails.python.suppressed.left_out import (
            LeftOut,  # reads configuration, and few files lie in such a folder
        )

        return LeftOut(self._change)


def _place(path: str) -> _Place | None:
    found = CERTAIN.match(path)
    if found is None:
        return None
    return _Place(found["folder"], f"{found['folder']}/{found['name']}")


def _is_listed(place: _Place, change: Change) -> bool:
    """The base had the library, and says beside it what it is."""
    inside = [path for path in change.blobs.paths_before() if path.startswith(f"{place.folder}/")]
    library = [path for path in inside if path == place.library or path.startswith(f"{place.library}/")]
    own = any(LICENCE.fullmatch(posixpath.basename(path)) for path in library if path != place.library)
    listed = (path for path in inside if path.count("/") == place.folder.count("/") + 1)
    name = posixpath.basename(place.library).partition(".")[0]
    lists = [path for path in listed if LIST.fullmatch(posixpath.basename(path))]
    return bool(library) and (own or any(_names(change.blobs.before(path), name) for path in lists))


def _names(data: bytes | None, name: str) -> bool:
    plain = re.sub(r"[-_.]+", "[-_.]+", re.escape(name).replace(r"\-", "-"))
    return re.search(rf"(?i)(?<![\w]){plain}(?![\w])", (data or b"").decode("utf-8", "replace")) is not None


def _came_from_outside(path: str, place: _Place, change: Change) -> bool:
    """A file of the base that is gone from another place had most of these lines."""
    if isinstance(change.blobs, BlobsInPlace) and path in change.blobs.origins:
        return not change.blobs.origins[path].startswith(f"{place.folder}/")
    if path in change.blobs.paths_before():
        return False
    lines = set(_lines(change.blobs.after(path)))
    gone = (
        file.path
        for file in change.files
        if file.status == "D" and not file.path.startswith(f"{place.folder}/") and file.path[-3:] == path[-3:]
    )
    return any(len(lines & set(_lines(change.blobs.before(was)))) * 2 > len(lines) for was in gone)


def _lines(data: bytes | None) -> Iterator[bytes]:
    return (line.strip() for line in (data or b"").split(b"\n") if line.strip())


def _says_so(path: str, change: Change) -> bool:
    """Its top, on both sides, is a licence of somebody else, and the later one tells of another release."""
    before, after = (_top(side(path)) for side in (change.blobs.before, change.blobs.after))
    holders = _holders(before)
    if not holders or not TERMS.search(before) or not TERMS.search(after) or not holders & _holders(after):
        return False
    if set(RELEASE.findall(after)) <= set(RELEASE.findall(before)):
        return False
    licences = [name for name in change.blobs.paths_before() if "/" not in name and LICENCE.fullmatch(name)]
    said = [(change.blobs.before(name) or b"").decode("utf-8", "replace").lower() for name in licences]
    said += [_top(change.blobs.before(name)).lower() for name in _others(change)]
    return bool(licences) and not any(holder in " ".join(text.split()) for text in said for holder in holders)


def _others(change: Change) -> list[str]:
    """Some source files of the project's own."""
    own = (path for path in sorted(change.blobs.paths_before()) if PERHAPS.match(path) is None)
    return list(islice((path for path in own if language_of(path) is not None), SOME_FILES))


def _top(data: bytes | None) -> str:
    return "\n".join((data or b"").decode("utf-8", "replace").split("\n")[:TOP])


def _holders(top: str) -> set[str]:
    return {" ".join(found["name"].lower().split()).rstrip(".,") for found in HOLDER.finditer(top)}
