"""Whether a function gives its answer at once (policy set v2, class G05; see `unawaited`).

Rules: where the change made a function answer at once, an assertion has nothing to wait for any more, nor where it
always did. Where it gives a promise in the project, or the tests still wait for it, the assertion asks nothing now. C#
compiles no `await` of anything else. Of a function that nobody finds a person has to tell.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.loss import Kind, Loss
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change
from ralph.guardrails.nearest import nearest
from ralph.record import replace
from ralph.system.patterns import later

MOST_FILES = 200
"""So many files are looked through for a function."""
BODY = 600
"""So many characters of a function may say that it gives a promise."""
SCRIPTS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue")
SUFFIXES = {".cs": (".cs",), ".py": (".py",)}
CALLED = later(r"([A-Za-z_$][\w$]*)(?:<[^<>()]*>)?\(\)")
INSIDE = later(r"\([^()]+\)|\[[^\[\]]*\]")
SAYS_PROMISE = later(r"\bPromise\b|\.then\(|\bfetch\(|\bawait\b|Async\b|\basync\b|\bTask\b")
LATER = {
    ".cs": r"\b(?:Value)?Task(?:<[^;{{}}()]*>)?\s+(?:\w+\.)?{0}\s*[<(]",
    ".py": r"\basync\s+def\s+{0}\b",
    "": r"\basync\s+(?:function\s*\*?\s*)?{0}\b|\b{0}\s*(?::[^=\n]*)?[:=]\s*async\b"
    r"|\b{0}\s*(?:<[^<>\n]*>)?\([^()\n]*\)\s*:\s*Promise\b",
}
"""What defines a function that gives a promise, by the suffix."""
DEFINED = {
    ".cs": r"\b[\w>\]?]+\s+{0}\s*\([^()\n]*\)\s*(?:=>|\{{|$)",
    ".py": r"\bdef\s+{0}\b",
    "": r"\bfunction\s*\*?\s*{0}\b|\b(?:const|let|var)\s+{0}\s*=\s*(?:function\b|\([^()\n]*\)[^=\n]*=>|\w+\s*=>)"
    r"|^\s*(?:(?:public|private|protected|static|override)\s+)*{0}\s*(?:<[^<>\n]*>)?\([^()\n]*\)\s*(?::[^=\n]*)?\{{",
}


class Answering:
    def __init__(self, change: Change) -> None:
        self._change = change

    def judged(self, losses: Iterable[Loss]) -> Iterator[Loss]:
        """Without what is not waited for because there is nothing to wait for."""
        for loss in losses:
            if loss.kind is not Kind.UNAWAITED or loss.new is None:
                yield loss
                continue
            answers = self._at_once(loss.new.subject, loss.pair.new.path)
            if answers is None:
                yield replace(loss, kind=Kind.SOMEWHAT_WEAKER)
            elif not answers:
                yield loss

    def _at_once(self, subject: str, path: str) -> bool | None:
        """None if nobody can tell."""
        suffix = posixpath.splitext(path)[1]
        kind = suffix if suffix in SUFFIXES else ""
        names = "|".join(re.escape(name) for name in _called(subject))
        if not names:
            return None
        names = f"(?:{names})"
        promised, defined = (re.compile(form[kind].format(names), re.MULTILINE) for form in (LATER, DEFINED))
        texts = list(self._texts(path, SUFFIXES.get(suffix, SCRIPTS)))
        if any(promised.search(text) for text in texts):
            return False
        if self._was_promised(promised):
            return True
        found = [text[match.start() : match.end() + BODY] for text in texts for match in defined.finditer(text)]
        if found and kind != ".cs" and not any(map(SAYS_PROMISE.search, found)):
            return True
        still = re.search(rf"\bawait\s[\w.]*\b{names}\(", texts[0])
        return False if kind == ".cs" or still else None

    def _was_promised(self, promised: re.Pattern[str]) -> bool:
        sides = (self._change.blobs.before(file.path) for file in self._change.files)
        return any(data is not None and promised.search(data.decode("utf-8", "replace")) for data in sides)

    def _texts(self, path: str, suffixes: tuple[str, ...]) -> Iterator[str]:
        """The file of the test, then the product, what changed of it first."""
        product = (
            each
            for each in self._change.blobs.paths_after()
            if each.endswith(suffixes) and not is_support(each) and "node_modules/" not in each
        )
        for each in (path, *nearest(product, self._change, MOST_FILES)):
            yield (self._change.blobs.after(each) or b"").decode("utf-8", "replace")


def _called(subject: str) -> list[str]:
    """What is called for the answer itself, not for what is given to that."""
    text, shorter = "", subject
    while text != shorter:
        text, shorter = shorter, INSIDE.sub(lambda match: "()" if match[0][0] == "(" else "", shorter)
    return CALLED.findall(text)
