"""Go: what `go test ./...` on a usual machine does not build (see `inventory`).

Rules: the go command leaves out some folders and files by their names. A name or a build constraint that asks for
another system, for a tag, or for a version of Go that neither is there nor named in `go.mod` leaves its file out.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.source import Source
from ralph.system.patterns import later

LEFT_OUT = later(r"(?:^|/)(?:testdata|vendor|[_.][^/]*)/|(?:^|/)[_.][^/]*$")
SYSTEMS = (
    "aix android darwin dragonfly freebsd hurd illumos ios js nacl netbsd openbsd plan9 solaris wasip1 windows zos"
    " 386 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm"
)
ELSEWHERE = later(rf"_({'|'.join(SYSTEMS.split())})(?:_\w+)?_test\.go$")
CONSTRAINT = later(rb"\A(?:[ \t\r]*(?://[^\n]*)?\n)*?//go:build ([^\n]+)\n")
USUAL = frozenset({"linux", "unix", "amd64", "cgo", "gc"})
VERSION = later(r"go1\.(\d+)")
DECLARED = later(rb"(?m)^(?:go[ \t]+|toolchain[ \t]+go)1\.(\d+)")
NEWEST = 32
"""Go 1.32 comes in 2029: what asks for a later one is not built before that."""


def why_not_built(source: Source, paths: Paths | None = None) -> str:
    """Why `go test ./...` on a usual machine leaves the file out."""
    if LEFT_OUT.search(source.path):
        return "the go command leaves its folder or file out"
    if match := ELSEWHERE.search(source.path):
        return f"its file is built for {match[1]} only"
    constraint = CONSTRAINT.match(source.data)
    texts = [constraint[1].decode("utf-8", "replace").partition("//")[0].strip()] if constraint else _old_lines(source)
    newest = _newest(source.path, paths) if texts else NEWEST
    unmet = next((text for text in texts if not _met(text, newest)), None)
    return f"its file is built with `{unmet}` only" if unmet is not None else ""


def met_with(constraint: str, tags: Collection[str]) -> bool:
    """Whether a build constraint holds where tags are given."""
    return _met(re.sub(r"[\w.]+", lambda word: "linux" if word[0] in tags else word[0], constraint), NEWEST)


def _newest(path: str, paths: Paths | None) -> int:
    """The latest version of Go that may run the tests: a `go.mod` around the file may know of a later one."""
    found, folder = NEWEST, posixpath.dirname(path)
    while paths is not None:
        said = DECLARED.findall(paths.read(posixpath.join(folder, "go.mod")) or b"")
        found = max((found, *map(int, said)))
        if not folder:
            break
        folder = posixpath.dirname(folder)
    return found


def _old_lines(source: Source) -> list[str]:
    """`// +build a,b c` means `a && b || c`; several lines must all hold."""
    head = source.data.partition(b"package ")[0].decode("utf-8", "replace")
    lines = re.findall(r"^//\s*\+build[ \t]+(\S[^\n]*)$", head, re.MULTILINE)
    return [" || ".join(option.replace(",", " && ") for option in line.split()) for line in lines]


def _met(constraint: str, newest: int) -> bool:
    """Whether a build constraint holds on a usual machine without tags. One that cannot be read does not."""
    if "(" in constraint:
        inner = re.search(r"(!?)\(([^()]*)\)", constraint)
        if inner is None:
            return False
        value = _met(inner[2], newest) != bool(inner[1])
        known = "linux" if value else "ignore"
        return _met(constraint[: inner.start()] + known + constraint[inner.end() :], newest)
    return any(all(_tag(part.strip(), newest) for part in option.split("&&")) for option in constraint.split("||"))


def _tag(word: str, newest: int) -> bool:
    name = word.lstrip("! ")
    version = VERSION.fullmatch(name)
    there = version is not None and int(version[1]) <= newest
    return (name in USUAL or there) != word.startswith("!")
