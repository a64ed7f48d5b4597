"""Scripts that start tests or linters by their API, and no longer fail for what these find (policy set v2, class G10).

    stream.on("test:fail", () => { process.exitCode = 1; });  // gone: `run()` of Node sets no status of its own

Rule: what such an API finds is a value or an event, and the script has to make a status of it. One that did, and that
has nothing left by which it could fail (a status, an exit, an error that is thrown or passed on), succeeds whatever is
found; so does one of Node's runner that looks at neither failures nor the summary any more. A script that hands the
result to others by an export may leave it to them, and a test of a runner is none of these.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.javascript.runner.by_api import HOLDS_TESTS
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import prefilter
from ralph.system.patterns import later

LANGUAGES = ("javascript", "typescript")
WORDS = prefilter((r"\bprocess\b|\bexit\w*\b|\bthrow\b|\breject\b|test:(?:fail|summary)",))
_NODE = (
    rb"\brun\b[^\n;]{0,200}\bfrom\s*[\"']node:test[\"']"
    rb"|\{[^{}\n]*\brun\b[^{}\n]*\}\s*=\s*(?:await\s+)?(?:require|import)\(\s*[\"']node:test[\"']"
)
APIS = later(
    _NODE
    + rb"|\bnew\s+(?:Mocha|ESLint|Jasmine)\s*\(|\brunCLI\s*\(|\bcypress\s*\.\s*run\s*\(|\bstylelint\s*\.\s*lint\s*\("
    rb"|\bnew\s+(?:karma\s*\.\s*)?Server\s*\([^;]*\bkarma\b|\brunTests\s*\("
)
NODE = later(_NODE)
FAILS = later(
    rb"\bexitCode\s*(?:\|\||\?\?)?=(?!=|\s*0\s*[;,\n)}])|\bexit\s*\((?!\s*0?\s*\))|\bexit\s*[,)]|\bthrow\b|\breject\s*\(|\bassert\b[.\w]*\("
    rb"|\.catch\s*\(|\bexecSync\b|\bexecFileSync\b"
)
OWN = later(rb"[\"'](\.{1,2}/[^\"'\n]+)[\"']")
"""A module of the project that may look at it."""
LOOKS = later(rb"test:(?:fail|summary)")
NOTE = later(rb"(?m)^[ \t]*(?://|\*|/\*)[^\n]*$")
HANDS_ON = later(rb"(?m)^\s*export\b|\bexports\b")


def unheard_runs(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or file.binary or language_of(file.path) not in LANGUAGES:
            continue
        if not WORDS.matches(file.changed_text) or is_sample(file.path):
            continue
        old, new = (NOTE.sub(b"", read(file.path) or b"") for read in (change.blobs.before, change.blobs.after))
        if (
            not APIS.search(old)
            or not APIS.search(new)
            or HOLDS_TESTS.search(new)
            or (HANDS_ON.search(new) and not HANDS_ON.search(old))
        ):
            continue
        fails_no_more = FAILS.search(old) and not FAILS.search(new)
        unseen = NODE.search(new) and LOOKS.search(old) and not LOOKS.search(new)
        if fails_no_more or (unseen and set(OWN.findall(new)) <= set(OWN.findall(old))):
            line, text = _place(file)
            yield hit_at("check.result-lost", file.path, line, "nothing fails for what the run finds", text)


def _place(file: FileChange) -> tuple[int, str]:
    """Where the script failed, or what stands in its place."""
    for hunk in file.hunks:
        gone = next((line for line in hunk.removed if FAILS.search(line) or LOOKS.search(line)), None)
        if gone is not None:
            return max(hunk.new_start, 1), gone.decode("utf-8", "replace").strip()
    return 1, ""
