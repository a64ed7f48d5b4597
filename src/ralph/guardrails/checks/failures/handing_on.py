"""Scripts that run what they are given, and lose its failure (policy set v2, class G10).

    ./ci/timed.sh npm test          # "$@"; echo "took $SECONDS s"
    script-shell=./tools/npm-shell  # /bin/sh "$@"; date

Rules, for a script of the shell that checks are handed to, or that npm, make or just take for their shell:

- What it runs for its caller is judged as a check in its place: where its failure fails the script no more, and did
  before the change, it blocks. So does a new one that is given what the base ran without it.
- Where only running could tell, or the base ran no such check, a person looks.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from ralph.guardrails.checks.failures.judged import judged
from ralph.guardrails.checks.shell.outline import check_of
from ralph.guardrails.config.command_files.scripts import command_files, is_shell
from ralph.guardrails.config.command_files.shellwords import split_words
from ralph.guardrails.config.side import Side
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

GIVEN = rb"$@", rb"$*", rb"${@"
BY_SHELL = later(r"(?:/(?:usr/)?bin/(?:env +)?)?\b(?:ba|da|z|k)?sh +(?:-\w+ +)*[\"']?\$(?:[@*1-9]|\{[@*1-9]\})[\"']?")
ALONE = later(
    r"(?m)(^[ \t]*|[;&|({!][ \t]*|\b(?:then|do|else|if|exec|time|eval|nice|env|command|while|until)[ \t]+(?:--[ \t]+)?)"
    r"[\"']?\$(?:[@*]|\{[@*][^{}\n]*\})[\"']?"
)
RUN = ("npm", "test")
"""A check that stands for whatever is handed to the script."""
LOST, DOUBTFUL = frozenset({"lost", "not-run"}), frozenset({"lost-if", "lost-maybe"})
OF_PACKAGES = (".npmrc", "package.json", "pnpm-workspace.yaml", "justfile", "Justfile", ".justfile")
MOST_FILES = 400


def handing_on(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status not in "AM" or file.binary or language_of(file.path) not in (None, "shell"):
            continue
        if any(word in _data(file, change) for word in GIVEN):
            after = Side(change.blobs.after, change.blobs.paths_after())
            if is_shell(after, file.path):
                yield from _of_script(file, change, after)


def _data(file: FileChange, change: Change) -> bytes:
    return change.blobs.after(file.path) or b""


def _of_script(file: FileChange, change: Change, after: Side) -> Iterator[Hit]:
    now = _flaws(_data(file, change))
    was = _flaws(change.blobs.before(file.path) or b"")
    harm = now & (LOST | DOUBTFUL)
    if not harm or (file.status == "M" and harm <= was):
        return
    given = _handed(posixpath.basename(file.path), after)
    if given is None:
        return
    before = Side(change.blobs.before, change.blobs.paths_before())
    ran = file.status == "M" or not given or _ran(given, before)
    rule = "check.result-lost" if ran and harm & LOST else "check.result-doubtful"
    number, text = next(((at, line) for at, line in file.added() if any(word in line for word in GIVEN)), (1, b""))
    detail = f"what {file.path} is given fails, and it does not"
    yield hit_at(rule, file.path, number, detail, text.decode("utf-8", "replace").strip())


def _flaws(data: bytes) -> frozenset[str]:
    """What is wrong with how a script runs what it is given, wherever it does."""
    text = ALONE.sub(rf"\1{' '.join(RUN)}", BY_SHELL.sub(" ".join(RUN), data.decode("utf-8", "replace")))
    found = [frozenset(flaws) for check, flaws in judged(text) if check.words[:2] == RUN]
    return frozenset.intersection(*found) if found else frozenset()


def _handed(name: str, side: Side) -> Sequence[str] | None:
    """The check that some file hands to the script; no words, where it is the shell of a tool; None: neither."""
    word = re.escape(name)
    shell = re.compile(rf"\b(?:script-shell|scriptShell|SHELL|shell)\b[\"']?\s*[:?]?[:=].*(?<![\w.-]){word}(?![\w.-])")
    called = re.compile(rf"(?:^|[\s\"'/]){word}[\"']?[ \t]+(?P<rest>[^\n#;|&\"'`{{}}]+)")
    more = (path for path in side.paths if posixpath.basename(path) in OF_PACKAGES)
    for path in islice(dict.fromkeys((*command_files(side), *sorted(more))), MOST_FILES):
        text = side.text(path) or ""
        if name not in text:
            continue
        if shell.search(text):
            return ()
        for match in called.finditer(text):
            words = split_words(match["rest"].strip())
            while words and words[0].startswith("-"):
                words = words[1:]
            if words and check_of(words) is not None:
                return words
    return None


def _ran(words: Sequence[str], side: Side) -> bool:
    """The base has the same command somewhere."""
    said = " ".join(words[:2])
    return any(said in (side.text(path) or "") for path in islice(command_files(side), MOST_FILES))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (handing_on,)
