"""Directives of linters, scanners and formatters other than ruff: pylint, bandit, secret scanners, black, isort.

Rules (spec: governance engine 1.4; policy set v2, class G01), as the tools themselves were seen to read them:

- pylint takes `pylint:` anywhere in a comment. On a line of its own at the left edge a `disable` lasts to its
  `enable` or the end of the file.
- bandit takes `nosec` behind any comment mark, in lower case, whatever follows; only test ids narrow it.
- Formatting and import order are style: a person is shown them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.python.suppressed.directive import Note, Said, code_set
from ralph.system.patterns import later

_PYLINT = later(r"\bpylint:\s*(?P<text>[^;#\n]+)")
_PYLINT_OFF = later(r"(?<![\w,-])disable(?:-next|-msg)?\s*=\s*(?P<codes>[\w-]+(?:\s*,\s*[\w-]+)*)")
_PYLINT_FILE = later(r"(?<![\w,-])(?:skip-file|disable-all)\b")
_PYLINT_ON = later(r"(?<![\w,-])enable\s*=\s*(?P<codes>[\w-]+(?:\s*,\s*[\w-]+)*)")
_NOSEC = later(r"#\s*nosec:?(?P<tests>[^#]*)")
_OTHERS = (
    ("py.linter", "nopep8", later(r"#\s*nopep8\b", re.IGNORECASE)),
    ("py.linter", "fixit", later(r"#\s*lint-(?:ignore|fixme):?\s*(?P<codes>[\w,. ]*)")),
    ("py.linter", "skipcq", later(r"#\s*skipcq\b:?\s*(?P<codes>[\w,. -]*)", re.IGNORECASE)),
    ("py.linter", "no mutate", later(r"#\s*pragma:\s*no mutate\b")),
    ("py.secret", "secret", later(r"#.*?(?:trufflehog:ignore|\bggignore\b|pragma: ?whitelist\b.*secret)")),
    ("py.style", "fmt", later(r"#\s*fmt:\s*(?:off|skip)\b")),
    ("py.style", "isort", later(r"#\s*(?:ruff:\s*)?isort:\s*(?:skip(?:_file)?|off|dont-add-imports?)\b")),
    ("py.style", "yapf", later(r"#\s*(?:yapf:\s*disable|autopep8:\s*off|docformatter:\s*off)\b")),
    ("py.style", "codespell", later(r"#\s*codespell:ignore\b")),
)


def read(note: Note) -> Iterator[Said]:
    yield from _pylint(note)
    for part in note.segments():
        if match := _NOSEC.match(part):
            yield Said("py.nosec", "nosec", code_set(match["tests"], r"\bB\d{3}\b"))
        for rule, name, form in _OTHERS:
            if match := form.match(part):
                yield Said(rule, name, code_set(match.groupdict().get("codes")))


def pylint_on(note: Note) -> frozenset[str]:
    """What `# pylint: enable=..` switches on again."""
    text = _PYLINT.search(note.text)
    match = _PYLINT_ON.search(text["text"]) if text else None
    return (code_set(match["codes"]) or frozenset()) if match else frozenset()


def _pylint(note: Note) -> Iterator[Said]:
    found = _PYLINT.search(note.text)
    if found is None:
        return
    if _PYLINT_FILE.search(found["text"]):
        yield Said("py.pylint-file", "pylint file")
    for match in _PYLINT_OFF.finditer(found["text"]):
        names = code_set(match["codes"])
        yield Said("py.pylint", "pylint", None if names and "all" in names else names)
