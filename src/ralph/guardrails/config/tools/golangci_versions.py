"""Linters that the base's golangci-lint did not have yet: to leave one of them out takes nothing away.

Rule: every text of the base that calls golangci-lint says which version it is, and each of these is older than the
first one with the linter. A version that is not a number (`latest`) may be any. A linter that took over the work of one
that is no longer there stands in no table: the older one may have run.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.node import names
from ralph.system.patterns import later

Version = tuple[int, int]

CAME = {
    (1, 47): "asasalint",
    (1, 48): "usestdlibvars",
    (1, 49): "interfacebloat loggercheck reassign",
    (1, 50): "dupword testableexamples",
    (1, 51): "ginkgolinter gocheckcompilerdirectives musttag",
    (1, 53): "gosmopolitan mirror tagalign zerologlint",
    (1, 55): "gochecksumtype inamedparam perfsprint protogetter sloglint testifylint",
    (1, 56): "spancheck",
    (1, 57): "intrange",
    (1, 58): "canonicalheader fatcontext",
    (1, 62): "iface recvcheck",
    (1, 63): "exptostd nilnesserr",
    (2, 1): "funcorder",
    (2, 2): "arangolint embeddedstructfieldcheck noinlineerr wsl_v5",
    (2, 5): "godoclint iotamixing unqueryvet",
    (2, 6): "modernize",
    (2, 12): "clickhouselint gomodguard_v2",
}
FIRST: dict[str, Version] = {name: version for version, given in CAME.items() for name in names(given)}
BY_ACTION = later(r"(?i)uses:[ \t]*[\"']?golangci/golangci-lint-action\b")
BY_HOOK = later(r"(?i)\brepo:[ \t]*[\"']?https://github\.com/golangci/golangci-lint\b")
BY_COMMAND = later(r"(?i)golangci[-_]lint[\"']?[^\n#]*[\s)}\"']run\b")
STEP = later(r"^[ \t]*-[ \t]+")
SAID = later(
    r"^[ \t-]*(?:version|rev)[ \t]*:[ \t]*[\"']?(?:v?(?P<major>\d+)\.(?P<minor>\d+)(?:\.\d+)?[\"']?[ \t]*(?:#.*)?$)?"
)
INSTALLED = later(
    r"(?i)golangci-lint(?:/v2)?(?:/cmd/golangci-lint)?[@:]v?(\d+)\.(\d+)\.\d+(?![\w.])"
    r"|golangci-lint[^\n]*/install\.sh\b[^\n]*\sv(\d+)\.(\d+)\.\d+(?![\w.])"
)
INSTALLS = later(r"(?i)golangci-lint(?:/v2)?(?:/cmd/golangci-lint)?[@:]\w|golangci-lint[^\n]*/install\.sh\b")
WITHIN = 12
"""So many lines an item of a list may have before it says the version."""


def is_newer(linter: str, text: str) -> bool:
    """No golangci-lint that the text calls has the linter."""
    first = FIRST.get(linter)
    called = list(versions(text)) if first is not None else []
    return bool(called) and all(version is not None and first is not None and version < first for version in called)


def versions(text: str) -> Iterator[Version | None]:
    """What the text calls or installs; None for one that says no number."""
    lines = text.split("\n")
    installed = [_number(*found) for found in INSTALLED.findall(text)]
    yield from installed
    yield from [None] * (len(INSTALLS.findall(text)) - len(installed))
    for at, line in enumerate(lines):
        if BY_ACTION.search(line) or BY_HOOK.search(line):
            yield _said(lines, at)
        elif not installed and BY_COMMAND.search(line):
            yield None


def _said(lines: list[str], at: int) -> Version | None:
    """The version that an item of a list says, above its end."""
    for line in lines[at + 1 : at + 1 + WITHIN]:
        if STEP.match(line) and len(line) - len(line.lstrip()) <= len(lines[at]) - len(lines[at].lstrip()):
            return None
        if (found := SAID.match(line)) is not None:
            return (int(found["major"]), int(found["minor"])) if found["major"] else None
    return None


def _number(*parts: str) -> Version:
    major, minor = [part for part in parts if part]
    return int(major), int(minor)
