"""Product code that asks whether it is being tested (policy set v2, class G07): Go, Rust, Java, Kotlin, C#, Ruby.

Rules: what gives a constant or a certain failure, or leaves, where it finds a test framework around it answers the
tests and nobody else: it blocks. Any other such question is for a person. Tests and their support may ask.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_support, reader_of
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.guardrails.tokens import masked
from ralph.system.patterns import later

_JVM = r'"[^"\n]*\b(?:org\.junit|junit|testng|kotest|surefire|mockito)\b[^"\n]*"'
ASKS = {
    "go": r'\btesting\.Testing\(\)|\bflag\.Lookup\(\s*"test\.|\bruntime\.Caller\w*\([^\n]*_test\b'
    r'|\bos\.Args\[0\]\s*,\s*"[^"\n]*\.?test\b',
    "rust": r"\bcfg!\(\s*(?:not\(\s*)?test\b",
    "java": _JVM,
    "kotlin": _JVM,
    "csharp": r'(?i:"[^"\n]*(?:xunit|nunit|mstest|testhost|vstest|\.testplatform)[^"\n]*")',
    "ruby": r"defined\?\s*\(?\s*(?:::)?(?:RSpec|Minitest|MiniTest|Test::Unit)\b"
    r"|\bcaller(?:_locations)?\b[^\n]*_(?:spec|test)\b"
    r"|\$(?:0|PROGRAM_NAME)\b[^\n]*\b(?:rspec|minitest)"
    r"|\bRails\.env\.test\?|\bENV(?:\.fetch\(|\[)\s*[\"'](?:RAILS|RACK|APP)_ENV[\"'][^\n]*[\"']test[\"']",
}
FORMS = {language: later(form) for language, form in ASKS.items()}
WORDS = (
    r"testing\.testing|test\.v|args\[0\]",
    r"cfg!\(",
    r"\bcaller",
    r"junit|testng|kotest|surefire|xunit|nunit|mstest|testhost|vstest|testplatform",
    r"defined\?|\$0|program_name|env\.test\?|_env\b",
)
ANSWER = later(r"\breturn\b[ \t]*(?:-?\d|[\"':]|true\b|false\b|nil\b|null\b|None\b|Ok\(|Some\(|\[|new\b)")
FAILURE = later(r"\breturn\b[^\n;{}]*(?:\b[eE]rr[A-Z]\w*|\berrors\.New\(|\bfmt\.Errorf\(|\bErr\()")
"""A certain failure: honest where it keeps a function for tests out of production, which asks the other way round."""
BRANCH = later(r"if\w*|unless\w*|conditional\w*|ternary\w*|for\w*|foreach\w*|enhanced_for\w*")
ENDS = later(r"(?:func(?:tion)?|method|class|constructor)_\w*(?:declaration|item|definition)|method|class|source_file")
NEAR = 3
"""So many branches around the question belong to it."""


def asks(source: Source) -> Iterator[Hit]:
    """Questions about the test framework in code that is no test."""
    reader, form = reader_of(source.language), FORMS.get(source.language)
    if form is None or is_support(source.path) or (reader is not None and reader.is_test_file(source.path)):
        return
    if not form.search(source.data.decode("latin-1")):
        return
    text = masked(source, keep_strings=True)
    for match in form.finditer(text):
        negated = text[: match.start()].rstrip().endswith("!") or "not(" in match[0]
        node = source.tree.root_node.descendant_for_byte_range(match.start(), match.end() - 1)
        above, branches, answered = node, 0, False
        while above is not None and branches < NEAR and not ENDS.fullmatch(above.type):
            if BRANCH.fullmatch(above.type) and above.is_named:
                branches += 1
                written = source.text(above)
                answered = answered or ANSWER.search(written) is not None
                answered = answered or (branches == 1 and not negated and FAILURE.search(written) is not None)
            above = above.parent
        if node is not None:
            yield source.hit("code.detects-tests" if answered else "code.test-mode", node, match[0])
