"""Go: words of test libraries that a failure goes through, and that no longer hand it on (policy set v2, class G05).

Rules, for the lines that a change adds to a file of tests:

- Gomega's `RegisterFailHandler` gets a function that does not fail (`Fail`, `Fatal`, `panic`, ...).
- A type of the tests around a `*testing.T` defines `Errorf`, `Fatalf`, `FailNow` or the like without calling one of
  them, and an assertion is handed one of it.
- gomock's controller is made with a type of the tests that has no `Cleanup`, and nobody calls `Finish`: what was to be
  called and was not is never told.
- An assertion is deferred itself (`defer assert.Equal(t, 0, p.InUse())`), which asks before the work, where a deferred
  function, or a plain statement, asked behind it.
- goleak's `IgnoreCurrent` is asked in the function that looks at the end: it then ignores all that leaked.
- Ginkgo is told to run no spec (`DryRun`), or some (`FocusStrings`, `SkipFiles`, `LabelFilter`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

WORTH = later(
    rb"RegisterFailHandler|func\s+\((?:\w+\s+)?\*?\w+\)\s+(?:Error|Fatal|Fail)|gomock\.NewController\(|\bdefer\s+\w+\.\w+\(\s*t\b"
    rb"|IgnoreCurrent|DryRun|(?:Focus|Skip)(?:Strings|Files)|LabelFilter"
)
HANDLER = later(r"RegisterFailHandler(?:WithT)?\(\s*(?:\w+,\s*)?(?P<given>func\b|[\w.]+)")
FAILS = later(r"\b(?:Fail(?:Now)?|Fatalf?|Errorf?|Abort\w*|panic)\(|\bos\.Exit\([1-9]")
METHOD = later(r"func\s+\((?:\w+\s+)?\*?(?P<type>\w+)\)\s+(?P<name>Errorf?|Fatalf?|FailNow|Fail)\(")
NOTES = later(r"\.\w+\s*=|append\(|\+\+|\+=|<-|\.Store\(|\.Add\(")
"""What notes that it was told, as the tests of test helpers have it."""
CONTROLLER = later(r"gomock\.NewController\(\s*&?(?P<type>\w+)\{")
DEFERRED = later(r"\s*defer\s+(?P<call>(?:assert|require|is)\.\w+\(\s*t\s*,.*\w\(.*\)\s*)$")
SETTINGS = later(
    r"\s*\w*[cC]onfig\w*\.(?P<name>DryRun|FocusStrings|FocusFiles|SkipStrings|SkipFiles|LabelFilter)\s*=\s*(?!\s|false\b|nil\b|\"\")"
)
CURRENT = later(r"goleak\.Verify\w+\([^\n]*IgnoreCurrent\(\)")


def unheard_words(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status in "AM" and file.path.endswith("_test.go") and WORTH.search(file.added_text):
            lines = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
            removed = [line.decode("utf-8", "replace") for line in file.removed()]
            for number in sorted(file.added_numbers):
                line = lines[number - 1] if number <= len(lines) else ""
                if (found := _found(line, number, lines, removed, file)) is not None:
                    yield hit_at(found[0], file.path, number, found[1], line.strip())


def _found(
    line: str, number: int, lines: Sequence[str], removed: Sequence[str], file: FileChange
) -> tuple[str, str] | None:
    """The rule, and what was found."""
    if (handler := HANDLER.search(line)) is not None and not _fails(handler["given"], number, lines):
        return "test.weakened", "what is called for a failed assertion does not fail"
    if (method := METHOD.match(line)) is not None and _is_silent(method["type"], number, lines):
        return "test.weakened", f"{method['type']}.{method['name']} tells nobody of a failure"
    made = CONTROLLER.search(line)
    if made is not None and not _has(made["type"], "Cleanup", lines) and ".Finish()" not in "\n".join(lines):
        return "test.weakened", f"{made['type']} has no Cleanup, and nobody asks whether all was called"
    if (deferred := DEFERRED.match(line)) is not None and _was_asked_later(deferred["call"].strip(), removed):
        return "test.weakened", "what a deferred call is given is worked out before the work"
    if CURRENT.search(line) and "func()" in "\n".join(lines[max(0, number - 3) : number]):
        return "test.weakened", "all that runs by then is ignored"
    if (setting := SETTINGS.match(line)) is not None:
        rule = "test.not-run" if setting["name"] == "DryRun" else "go.focus"
        return rule, f"{setting['name']} leaves specs out"
    return None


def _body(number: int, lines: Sequence[str]) -> str:
    """A function that begins in this line (from 1)."""
    start = lines[number - 1]
    depth = start.count("{") - start.count("}")
    body = [start.partition("{")[2]]
    for line in lines[number:] if depth > 0 else ():
        depth += line.count("{") - line.count("}")
        body.append(line)
        if depth <= 0:
            break
    return "\n".join(body)


def _fails(given: str, number: int, lines: Sequence[str]) -> bool:
    """Of a function that the project does not define here, its name tells."""
    if given == "func":
        return FAILS.search(_body(number, lines)) is not None
    own = next((at for at, line in enumerate(lines, 1) if line.startswith(f"func {given}(")), None)
    return own is None or FAILS.search(_body(own, lines)) is not None


def _is_silent(owner: str, number: int, lines: Sequence[str]) -> bool:
    """Around a `t` of its own, which it does not tell, and handed to an assertion."""
    text = "\n".join(lines)
    around = re.search(rf"type\s+{owner}\s+struct\s*\{{[^}}]*(?:testing\.(?:T|TB|B|F))\b", text)
    body = _body(number, lines)
    if around is None or FAILS.search(body) or NOTES.search(body):
        return False
    names = re.findall(rf"\b(\w+)\s*:?=\s*&?{owner}\{{", text)
    handed = "|".join([rf"&?{owner}\{{", *(rf"{name}\b" for name in names)])
    return (
        re.search(rf"\b(?:assert|require|is|qt|gomock|mock)\.\w+\(\s*(?:{handed})|\.New\(\s*(?:{handed})", text)
        is not None
    )


def _has(owner: str, method: str, lines: Sequence[str]) -> bool:
    """Or what it embeds has it."""
    text = "\n".join(lines)
    struct = re.search(rf"type\s+{owner}\s+struct\s*\{{(?P<fields>[^}}]*)\}}", text)
    embeds = (
        struct is None
        or re.search(r"(?m)(?:^|[{;])\s*\*?testing\.\w+\s*(?:$|[;}])", f"{struct['fields']}\n") is not None
    )
    return embeds or re.search(rf"(?m)^func\s+\((?:\w+\s+)?\*?{owner}\)\s+{method}\(", text) is not None


def _was_asked_later(call: str, removed: Sequence[str]) -> bool:
    text = "".join("\n".join(removed).split())
    return "".join(call.split()) in text and f"defer{''.join(call.split())}" not in text


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unheard_words,)
