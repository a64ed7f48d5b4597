"""What runs a test in the place of its runner, and runs a failing one again (policy set v2, class G14): all languages.

A module that is prepended to `Minitest::Test`, and whose `run` goes on until the result has passed, makes each test of
the project pass that passes once in five times. It wraps no test, and no test names it (of that see `rerun`).

Rules, for a function beside tests that a runner calls for each test, by its name and by the class around it
(`TestCase.run`, `runTest`, `RunAsync`, `pytest_runtest_protocol`):

- It blocks where it comes to have a loop that ends, or runs nothing more, once the test has passed: it asks the result
  for a success, or leaves behind a test that raised nothing, and goes on after a failure.
- A loop that ends with the first *failure* looks for tests that fail at times: it is stricter, and none. Nor is a loop
  that asks nothing of the result, or one over something else.
- A module of Ruby counts if a file of the change, or a helper of all tests, puts it into a class of tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import is_beside_tests, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

_RUBY = r"\s*class\s+(?:[\w:]+\s*<\s*)?(?:\w+::)*\w*Test(?:Case)?\b|\s*module\s+(?:Minitest|RSpec|Test)\b"
_NODE = r".*\bclass\b.*\bextends\b.*(?:Runner|Environment)\b"
_JVM = r".*\bclass\b.*(?:Runner|Extension|Listener|Interceptor|Rule)\b"
HOOKS: Mapping[str, tuple[str, str]] = {
    "python": (r"run|debug|__call__|_callTestMethod", r"\s*class\s+\w+\(.*Test(?:Case|Suite)?\b"),
    "ruby": (r"run|run_test|run_one_method", _RUBY),
    "php": (r"run|runBare|runTest", r".*\bclass\b.*\bextends\b.*Test(?:Case)?\b"),
    "csharp": (r"(?:Execute|Run|RunTest|RunTestMethod|InvokeTestMethod|RunTestCase)(?:Async)?", r".*\bclass\b.*Test"),
    **dict.fromkeys(("javascript", "typescript"), (r"run(?:Task|Test|Tests)?|tryTask", _NODE)),
    **dict.fromkeys(("java", "kotlin"), (r"run(?:Child|Leaf)?|intercept\w*", _JVM)),
}
"""The names of what a runner calls for each test, and the line of the class around it."""
BY_NAME = later(r"pytest_(?:runtest_(?:protocol|call)|pyfunc_call)")
"""It is called by its name alone, wherever it stands."""
NAMES = {spoken: later(names) for spoken, (names, _) in HOOKS.items()}
AROUND = {spoken: later(head) for spoken, (_, head) in HOOKS.items()}
PUT_IN = r"\bTest(?:Case)?\b\S*\s*[.(]\s*(?:prepend|include|extend|send)\b[^\n]*\b{}\b"
MODULE = later(r"\s*module\s+(?:\w+::)*(\w+)")
HELPER = later(r"(?:^|/)(?:test|spec)_helper\.rb$|(?:^|/)(?:test|spec)/support/[^/]+\.rb$")
MOST_HELPERS = 40
WORTH = later(rb"(?i)\b(?:times|upto|while|until|for|loop|repeat|retry|do)\b")
LOOP = later(r"\b(?:while|until|for|loop|do|repeat)\b|\.(?:times|upto|step)\b|\bretry\b")
_GOOD = (
    r"(?:\bpassed\b|\bwas_?successful\b|\bhas_?succeeded\b|\bis_?success\w*|\bsuccess(?:ful)?\?|==\s*[\w.:]*(?:Success|Passed|\.passed)\b"
    r"|(?:failure|failures|error|errors|exception)\??\.(?:empty\?|isEmpty|is_empty|none\?|nil\?)"
    r"|\b(?:failed|failures|errors|failureCount)(?:\.(?:length|size|count))?(?:\(\))?\s*===?\s*(?:0|null|nil)\b"
    r"|\bnot\s+\w+\.(?:failures|errors)\b)"
)
_NOT = r"(?:!(?!=)|\bnot\s|==\s*false|\bunless\b)"
GOOD = later(f"(?i){_GOOD}")
ENDS = later(
    # `break if result.passed?`, `if result.wasSuccessful(): return result`
    rf"(?im)^[^\n]*\b(?:break|return)\b[^\n]*\bif\b(?![^\n]*{_NOT})[^\n]*{_GOOD}"
    rf"|^[^\n]*\bif\b(?![^\n]*{_NOT})[^\n]*{_GOOD}[^\n]*\s*(?:\{{\s*)?[^\n]*\b(?:break|return)\b"
    # `until result.passed?`, `while not result.passed`
    rf"|\buntil\b[^\n]*{_GOOD}|\bwhile\b[^\n]*(?:!(?!=)|\bnot\s)[^\n]*{_GOOD}"
    # `result = klass.new(name).run unless result.passed?`
    rf"|^(?![^\n]*\b(?:break|return|raise|fail|throw|exit|next)\b)[^\n]*\S[^\n]*\bunless\b[^\n]*{_GOOD}"
)
_BLOCK = r"(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*"
TRIED = later(
    rf"(?m)\b(?:for|while|do|repeat)\b[^\n]*\s*\{{\s*(?:do|try)\s*\{{(?P<tried>{_BLOCK})\}}\s*catch\b[^{{}}]*\{{(?P<then>{_BLOCK})"
)
TRIED_BY_DEPTH = later(
    r"(?m)^(?P<deep>[ ]*)(?:for|while)\b[^\n]*:\n(?P=deep)[ ]+try:\n(?P<tried>(?:(?P=deep)[ ]{3}[^\n]*\n|\n)*?)"
    r"(?P=deep)[ ]+except\b[^\n]*\n(?P<then>(?P=deep)[ ]{3}[^\n]*(?:\n(?P=deep)[ ]{3}[^\n]*)*)"
)
RESCUED = later(r"\brescue\b[^\n]*\n[\s\S]*\bretry\b")
LEAVES = later(r"\b(?:return|break)\b")
THROWS = later(r"\s*(?:throw|raise)\b")
NOTE = later(r"(?m)(?<!:)//[^\n]*|(?:^|(?<=\s))#(?![\[{])[^\n]*")
LONGEST = 200_000
MOST_LINES = 80


def rerun_by_runners(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language_of(file.path)
        if spoken is None or spoken not in HOOKS or file.status not in "AM" or file.binary:
            continue
        if not is_in(WORTH, file.added_text):
            continue
        if is_beside_tests(file.path, reader_of(spoken)) or re.search(r"(?:^|[/._])\w*Tests?[/.]", file.path):
            yield from _repeating(file, change, spoken)


def _repeating(file: FileChange, change: Change, spoken: str) -> Iterator[Hit]:
    before, after = ((side(file.path) or b"")[:LONGEST] for side in (change.blobs.before, change.blobs.after))
    added, known = file.added_numbers, set[str]()
    for _, name, _, body in functions_of(before) if before else ():
        known |= {name} if _tries_again(body, spoken) else set()
    lines = after.decode("utf-8", "replace").split("\n")
    for number, name, head, body in functions_of(after):
        touched = not added.isdisjoint(range(number + 1, number + body.count("\n") + 3))
        if not touched or name in known or body.count("\n") > MOST_LINES:
            continue
        if _is_called(name, lines, number, spoken, change) and _tries_again(body, spoken):
            detail = f"{name} stands in the place of the runner's, and runs a test again until it passes"
            yield hit_at("test.retried", file.path, number + 1, detail, head.strip(), key=name)


def _is_called(name: str, lines: Sequence[str], number: int, spoken: str, change: Change) -> bool:
    """The runner calls it for each test."""
    if spoken == "python" and BY_NAME.fullmatch(name):
        return True
    if not NAMES[spoken].fullmatch(name):
        return False
    deep = depth(lines[number])
    around = (line for line in reversed(lines[:number]) if line.strip() and depth(line) < deep)
    head = next((line for line in around if line.strip() != "{"), "")
    if AROUND[spoken].match(head):
        return True
    module = MODULE.match(head) if spoken == "ruby" else None
    return module is not None and _is_put_in(module[1], change)


def _is_put_in(module: str, change: Change) -> bool:
    form = re.compile(PUT_IN.format(re.escape(module)))
    paths = [file.path for file in change.files if file.path.endswith(".rb") and file.status != "D"]
    paths += islice((path for path in sorted(change.blobs.paths_after()) if HELPER.search(path)), MOST_HELPERS)
    texts = (change.blobs.after(path) or b"" for path in paths)
    return any(form.search(text.decode("utf-8", "replace")) for text in texts if module.encode() in text)


def _tries_again(body: str, spoken: str) -> bool:
    code = NOTE.sub("", body)
    if not LOOP.search(code):
        return False
    if GOOD.search(code) and ENDS.search(code):
        return True
    if spoken == "ruby":
        return RESCUED.search(code) is not None
    form = TRIED_BY_DEPTH if spoken == "python" else TRIED
    return any(LEAVES.search(match["tried"]) and not THROWS.match(match["then"]) for match in form.finditer(code))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (rerun_by_runners,)
