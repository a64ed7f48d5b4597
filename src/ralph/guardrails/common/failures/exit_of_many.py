"""The end of a script that runs many checks, which forgets a failure (policy set v2, class G10): Python, JS, Ruby.

Rules, for a script that runs commands and is one of checks, by its name or by what it runs:

- It must fail where one of them fails. The smallest of all codes, one of them (the first, the last), or the one that
  was kept last in a loop is none of all; nor is the first promise that is done.
- `all` and `any` tell by where they stand, whatever they ask: a script that fails only where something holds of all
  its runs, or where nothing holds of any, passes with a failure.
- What the base ended with in the same way is nothing new.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.checks.programs.known import is_named, is_named_folder
from ralph.guardrails.checks.programs.tables import PROGRAMS
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.inventory.readers import language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.source import Source
from ralph.guardrails.texts import cut
from ralph.guardrails.tokens import masked
from ralph.system.patterns import later

RULE = "check.result-lost"
LARGEST = 60_000
SCRIPTS = frozenset(("python", "javascript", "typescript", "ruby"))
RUNS = later(
    rb"\bsubprocess\b|\bos\.system\(|\bpytest\.main\(|child_process|\bexeca\b|\bzx\b|Bun\.spawn|Deno\.Command"
    rb"|\bsystem[ (]|\bOpen3\b|\bsh[ (]"
)
ENDS = later(rb"\bexit(?:Code)?\b|SystemExit|\babort\b|_exit\b")
PYTHON_ENDS = later(rb"(?:\bexit|_exit|\bSystemExit|\bquit)[\s\\]*\(")
WORD = later(rb"[\"'` ]([a-z][\w-]*)(?=[\"'` ])")
STATUS = r"[\w.]*(?i:code|status|rc|result|ok|pass|fail|succe|exit|ret|run)\w*"
_BAD, _GOOD = r"(?:[1-9]\d*|true)", r"(?:0|false)"
_CALL = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_EVERY, _SOME = rf"{STATUS}(?:\.\w+{_CALL})*\.every{_CALL}", rf"{STATUS}(?:\.\w+{_CALL})*\.some{_CALL}"
JS = later(
    rf"Math\.min\(\s*\.\.\.\s*{STATUS}|{STATUS}\.at\(\s*(?:-1|0)\s*\)|{STATUS}\[\s*(?:0|{STATUS}\.length\s*-\s*1)\s*\]"
    rf"|{STATUS}\.(?:pop|shift)\(\)|\bPromise\.(?:any|race)\("
    rf"|(?<![!\w.]){_EVERY}\s*\?\s*{_BAD}\s*:\s*{_GOOD}|!\s*{_EVERY}\s*\?\s*{_GOOD}\s*:\s*{_BAD}"
    rf"|(?<![!\w.]){_SOME}\s*\?\s*{_GOOD}\s*:\s*{_BAD}|!\s*{_SOME}\s*\?\s*{_BAD}\s*:\s*{_GOOD}"
    rf"|(?:Number\(|\+)\s*(?:{_EVERY}|!\s*{_SOME})"
)
JS_EXIT = later(r"(?:process\.exit|Deno\.exit)\(|process\.exitCode\s*=(?!=)")
JS_IF = later(
    rf"\bif\s*\(\s*(?:{_EVERY}|!\s*{_SOME})\s*\)\s*\{{?\s*(?:process\.exit\([1-9]|process\.exitCode\s*=\s*[1-9]|throw\b)"
)
NAME = later(r"\s*(?P<name>[A-Za-z_$][\w$]*)\s*\)?;?\s*")
_ANY = rf"{STATUS}\.any\?(?:\s*{_CALL}|\s*\{{[^{{}}]*\}}|\s*\(&:\w+\))?"
RUBY = later(
    rf"\bexit!?[ (]\s*(?:{STATUS}\.(?:min|last|first)\b|{_ANY}\s*\)?\s*$"
    rf"|{STATUS}\.any\?[^\n?]*\?\s*0\s*:|{STATUS}\.all\?[^\n?]*\?\s*[1-9])"
    rf"|\b(?:abort|exit!?[ (]\s*(?:[1-9]|false))\b[^\n]*\b(?:unless\s+{STATUS}\.any\?|if\s+{STATUS}\.all\?)",
    re.MULTILINE,
)


def forgotten(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change) if file.status in "AMR" and not file.binary else None
        if spoken not in SCRIPTS or is_sample(file.path) or not _may(file, spoken):
            continue
        new = list(_found(file.path, spoken, change.blobs.after(file.path)))
        old = {about for about, _ in _found(file.path, spoken, change.blobs.before(file.path))} if new else set()
        for about, line in new:
            if about not in old:
                detail = f"`{about}` is what the script ends with: a failure among others is forgotten"
                yield hit_at(RULE, file.path, line, detail, about, key=about)


def _may(file: FileChange, spoken: str) -> bool:
    reader = reader_of(spoken)
    return reader is None or not reader.is_test_file(file.path)


def _found(path: str, spoken: str, data: bytes | None) -> Iterator[tuple[str, int]]:
    if data is None or len(data) > LARGEST:
        return
    ends = PYTHON_ENDS if spoken == "python" else ENDS
    if not (is_in(RUNS, data) and is_in(ends, data) and _checks(path, data)):
        return
    if spoken == "python":
        from ralph.guardrails.python.failures.exit_of_many import forgetful
        from ralph.guardrails.python.trees import parsed_module

        tree = parsed_module(data)
        yield from forgetful(tree) if tree is not None else ()
        return
    text = masked(Source(path, spoken, data), keep_strings=True)
    matches = RUBY.finditer(text) if spoken == "ruby" else _of_javascript(text)
    for match in matches:
        yield cut(" ".join(match[0].split()), 120), text.count("\n", 0, match.start()) + 1


def _checks(path: str, data: bytes) -> bool:
    """Its name says so, or it speaks of a program that checks."""
    if is_named(posixpath.basename(path)) or is_named_folder(path):
        return True
    return any(match[1].decode() in PROGRAMS for match in WORD.finditer(data))


def _of_javascript(text: str) -> Iterator[re.Match[str]]:
    for match in JS_EXIT.finditer(text):
        given = _to_end(text, match.end())
        found = JS.search(text, match.end(), match.end() + len(given))
        name = NAME.fullmatch(given)
        if found is None and name is not None:
            for made in re.finditer(rf"\b(?:const|let|var)\s+{re.escape(name['name'])}\s*=\s*", text):
                found = found or JS.search(text, made.end(), made.end() + len(_to_end(text, made.end())))
        if found is not None:
            yield found
    yield from JS_IF.finditer(text)


def _to_end(text: str, start: int) -> str:
    """What is written up to the end of the statement, or the bracket that closes it."""
    depth = 0
    for index in range(start, min(len(text), start + 400)):
        depth += (text[index] in "([{") - (text[index] in ")]}")
        if depth < 0 or (depth == 0 and text[index] == ";"):
            return text[start:index]
    return text[start : start + 400]


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (forgotten,)
