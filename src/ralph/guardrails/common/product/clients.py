"""Product code that knows the client of a test framework (policy set v2, class G07): all languages.

Rules:

- Test clients call themselves what nobody else does: by a name (`testclient`, `testserver`, the agents of several
  frameworks), or by an address of the first network that is kept for documents (192.0.2.1, httptest's). A condition
  that compares with it, or that asks a constant of it, blocks: tests get another answer than everybody else.
- A list of hosts may name a test server, which only lets it in: that is for a person. So is a host that is kept for
  documents, which test clients ask for when they are not told another one, where the host of a request is compared.
- Who names the other networks kept for documents, too, sorts out what never comes from outside. Tests, their support
  and the clients themselves may know what they send.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.inventory.readers import is_support, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in, is_in_part
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.guardrails.tokens import masked
from ralph.system.patterns import later

RULES = {
    "python": ("py.detects-tests", "py.test-mode"),
    **dict.fromkeys(("javascript", "typescript", "tsx"), ("js.test-detected", "js.test-mode")),
    **dict.fromkeys(
        ("go", "rust", "java", "kotlin", "csharp", "ruby", "php"), ("code.detects-tests", "code.test-mode")
    ),
}
LARGEST, LONGEST = 400_000, 1_000
"""Of a file, and of a line of it that a person wrote."""
WORTH = later(
    rb"(?i)testclient|testserver|192\.0\.2\.|192,[ ]?0,[ ]?2,|rails testing|test\.host|lightmyrequest|browserkit"
    rb"|superagent|paste\.testing|mockhttpservlet|werkzeug/|example\.(?:com|org)"
)
CLIENT = (
    r"testclient|testserver(?::80)?|https?://testserver/?|Rails Testing|test\.host|lightMyRequest|Symfony BrowserKit"
    r"|node-superagent[^\"'`\n]*|paste\.testing|werkzeug/[^\"'`\n]*|[\w.]*MockHttpServletRequest"
    r"|192\.0\.2\.(?:1(?::1234)?|0/24)?"
)
NAMED = later(rf"(?i)[\"'`](?P<what>{CLIENT})[\"'`]|(?P<bytes>\b192,[ ]?0,[ ]?2,[ ]?\d+\b)")
PLACEHOLDER = later(r"[\"'`](?P<what>(?:www\.)?example\.(?:com|org))[\"'`]")
HOST = later(r"(?i)\b(?:req|request|r|ctx|c|env|headers?)\b[\w.()\[\]\"']*\bhost|http_host|server_name")
DOCUMENTED = later(r"(?<![\d.])(?:198\.51\.100|203\.0\.113)\.|\b(?:198,[ ]?51,[ ]?100|203,[ ]?0,[ ]?113),")
COMPARES = later(
    r"[!=]==?(?!>)|\b(?:not\s+)?in\b|\bcase\b|\bwhen\b|\bis\b"
    r"|(?i:\b(?:\w*equals?\w*|starts_?with|ends_?with|has_?prefix|start_with|equal_?fold|str_starts_with|contains?\w*"
    r"|includes?|include|has|match\w*|eql|index_?of|in_array|strings\.\w+|search|test)\b\??!?\s*\()"
)
BRANCHES = later(r"\b(?:if|elif|elsif|unless|when|case|return|while|switch|match|and|or)\b|&&|\|\||\?")
CONSTANT = later(
    r"\bvar\s+(?P<typed>\w+)\s+[\w.\[\]*]+\s*=(?!=)|(?<![\w.])(?P<name>[A-Za-z_]\w*)\s*(?::\s*[^=\n]+?)?\s*:?=(?![=~>])"
)
LISTS_HOSTS = later(r"(?i)host|origin|domain|server_?names?|\burls?\b")
CLIENTS = later(r"(?i)test|mock|fake|stub|fixture|/sandbox/|client\.\w+$")
"""In the name of a file: it is one of those clients, or of what makes them."""


def known_clients(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status in "AMR" and not file.binary and is_in(WORTH, file.added_text) and _is_product(file, change):
            spoken = language(file, change) or ""
            old = {key for _, key, _ in _found(file.path, spoken, change.blobs.before(file.path))}
            for rule, key, row in _found(file.path, spoken, change.blobs.after(file.path)):
                if key not in old:
                    yield hit_at(rule, file.path, row + 1, key)


def _is_product(file: FileChange, change: Change) -> bool:
    spoken = language(file, change)
    if spoken not in RULES or is_support(file.path) or is_sample(file.path):
        return False
    reader = reader_of(spoken)
    if reader is not None and reader.is_test_file(file.path):
        return False
    return CLIENTS.search(file.path.rpartition("/")[2]) is None or "192" in file.added_text.decode("utf-8", "replace")


def _found(path: str, spoken: str, data: bytes | None) -> Iterator[tuple[str, str, int]]:
    """Rule, line and row of each place that knows a client."""
    if data is None or len(data) > LARGEST or not is_in(WORTH, data):
        return
    source = read_source(path, spoken, data)
    if source is None:
        return
    written = source.data.decode("utf-8", "replace")
    if not (is_in_part(NAMED, written) or (is_in_part(PLACEHOLDER, written) and is_in_part(HOST, written))):
        return
    text = masked(source, keep_strings=True)
    lines, documented = text.split("\n"), DOCUMENTED.search(text) is not None
    block, review = RULES[spoken]
    for match in NAMED.finditer(text):
        row = text.count("\n", 0, match.start())
        line = lines[row]
        if len(line) > LONGEST or (documented and "192" in match[0]) or _is_in_text(source, match):
            continue
        if COMPARES.search(line.replace(match[0], "")) and BRANCHES.search(line) and _is_asked(line, match):
            yield (review if LISTS_HOSTS.search(line) and "in" in line.split() else block), line.strip(), row
        elif (name := _named(lines, row)) and _asks(text, name, row):
            yield (review if LISTS_HOSTS.search(name) else block), line.strip(), row
    for match in PLACEHOLDER.finditer(text):
        row = text.count("\n", 0, match.start())
        if (
            len(lines[row]) <= LONGEST
            and HOST.search(lines[row])
            and COMPARES.search(lines[row])
            and not _is_in_text(source, match)
        ):
            yield review, lines[row].strip(), row


def _is_in_text(source: Source, match: re.Match[str]) -> bool:
    """It stands inside a longer text."""
    node = source.tree.root_node.descendant_for_byte_range(match.start(), match.end() - 1)
    above = node
    while above is not None and above.end_byte - above.start_byte < len(match[0]) + 8:
        above = above.parent
    return above is not None and "string" in above.type and "concat" not in above.type


def _is_asked(line: str, match: re.Match[str]) -> bool:
    """The comparison is about it: it is not what is given where something else holds."""
    given = re.search(rf"(?:return|=(?!=)|=>|\?|:)\s*{re.escape(match[0])}\s*[;,)]*\s*$", line)
    return given is None or re.search(rf"[=!]==?\s*{re.escape(match[0])}|\bcase\b|\bwhen\b", line) is not None


def _named(lines: list[str], row: int) -> str:
    """The constant that holds it, on this line or on one of those above that are open."""
    for above in range(row, max(row - 6, -1), -1):
        found = CONSTANT.search(lines[above])
        if found is not None:
            name = found["typed"] or found["name"]
            return name if above == row or lines[above].rstrip().endswith(("(", "[", "{", "=", ",")) else ""
    return ""


def _asks(text: str, name: str, row: int) -> bool:
    """A condition or an answer hangs on the constant."""
    form = re.compile(rf"(?<![\w.\"']){re.escape(name)}\b")
    for number, line in enumerate(text.split("\n")):
        if (
            number != row
            and form.search(line)
            and COMPARES.search(line)
            and not re.search(rf"\b{name}\s*:?=(?!=)", line)
        ):
            return True
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (known_clients,)
