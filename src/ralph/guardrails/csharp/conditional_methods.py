"""C#: helpers of tests that the compiler leaves out of the build which is tested (policy set v2, class G05).

    [Conditional("DEBUG")]
    public static void Balance(Ledger ledger, decimal wanted) => Assert.Equal(wanted, ledger.Balance);

Rule: calls of such a method are compiled only where the symbol is defined. A method of the base that asserts and comes
to hang on one blocks where nothing in the tree defines it, or where all tests are run as `Release` and it is `DEBUG`;
elsewhere it is for a person. `TRACE` is always defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.side import Side
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

LESS, PERHAPS = "test.assertion-removed", "test.somewhat-weaker"
WORTH = later(rb"\bConditional(?:Attribute)?\s*\(")
ATTRIBUTE = later(
    r"[\[,]\s*(?:\w+\.)*Conditional(?:Attribute)?\s*\(\s*(?:\"(?P<symbol>\w+)\"|nameof\((?P<named>\w+)\))\s*\)[^\]\n]*\]"
    r"(?P<rest>(?:\s*\[[^\]\n]*\])*\s*[^;{=]*?\b(?P<name>\w+)\s*(?:<[^<>()\n]*>)?\s*\()"
)
ASSERTS = later(r"\bAssert\b|\.Should\w*\(|\bVerify\w*\(|\bthrow\b|\bExpect\w*\(|\bFail\w*\(|\bCheck\w*\(")
ALWAYS = frozenset(("TRACE",))
DEBUG = "DEBUG"
RUNS = later(r"(?m)^[^#\n]*\b(?:dotnet\s+(?:vs)?test|vstest\.console|nunit3?-console|xunit\.console)\b[^\n]*")
RELEASE = later(
    r"(?i)(?:-c|--configuration|-configuration)[ =:]*[\"']?release\b|Configuration=release\b|[/\\]release[/\\]"
)
DEFINES = later(r"\.(?:csproj|vbproj|props|targets|cs|sh|ya?ml|ps1|json|cake|rsp)$|(?:^|/)Makefile$")
ASKED = later(r"(?m)^[ \t]*#[ \t]*(?:el)?if\b[^\n]*|\bConditional\w*\([^)\n]*\)")
"""Where a symbol is asked for, and not defined."""
LONGEST, NEAR = 300_000, 900


def conditional_methods(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "M" and file.path.endswith(".cs") and WORTH.search(file.added_text):
            reader = reader_of("csharp")
            if language(file, change) == "csharp" and is_beside_tests(file.path, reader):
                yield from _in_file(file, change)


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    old, new = (
        (read(file.path) or b"")[:LONGEST].decode("utf-8", "replace")
        for read in (change.blobs.before, change.blobs.after)
    )
    known = {match["name"] for match in ATTRIBUTE.finditer(old)}
    for match in ATTRIBUTE.finditer(new):
        name, symbol = match["name"], match["symbol"] or match["named"]
        was_there = re.search(rf"\b{re.escape(name)}\s*(?:<[^<>()\n]*>)?\s*\(", old) is not None
        if name in known or symbol in ALWAYS or not was_there:
            continue
        body = new[match.end() : match.end() + NEAR].partition("\n    [")[0]
        if ASSERTS.search(body):
            rule = LESS if _is_undefined(symbol, file.path, change) else PERHAPS
            line = new.count("\n", 0, match.start()) + 1
            detail = f"calls of {name} are left out where {symbol} is not defined"
            yield hit_at(rule, file.path, line, detail, new.split("\n")[line - 1].strip())


def _is_undefined(symbol: str, path: str, change: Change) -> bool:
    """Where the tests are built, as far as the tree says how they are."""
    side = Side(change.blobs.after, change.blobs.paths_after())
    if symbol == DEBUG:
        runs = [line for each in command_files(side) for line in RUNS.findall(side.text(each) or "")]
        return bool(runs) and all(RELEASE.search(line) for line in runs)
    word = re.compile(rf"(?<![\w\"]){re.escape(symbol)}\b(?!\")")
    for each in sorted(side.paths):
        text = (side.text(each) or "") if DEFINES.search(each) else ""
        if symbol in text and word.search(ASKED.sub("", text)):
            return False
    return True


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (conditional_methods,)
