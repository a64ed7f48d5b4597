"""Directives of type checkers: mypy, pyright, ty, pyrefly, zuban, Pyre, pytype.

Rules (spec: governance engine 1.4; policy set v2, class G01); those of mypy are measured again by
`tests/guardrails/python/test_real_tools.py`:

- mypy honours `# type: ignore` only at the start of a comment (or behind a type comment), in lower case, with
  nothing but codes in brackets or another comment behind it. Before all code it switches off the file.
- Other checkers honour more (behind another comment, with prose behind it, on a line of its own): a person looks.
- `# mypy: ...` counts only at the start of a line; each option that makes mypy milder counts by itself.
- `# pyright: ...` on a line of its own sets rules for the file; `basic` in the place of `strict` blocks.
- On a line of its own a directive with prose behind it is prose; what stands behind a colon is a reason, which Pyre
  writes itself. With prose before it one of pyright is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.model import Change, Hit
from ralph.guardrails.python.suppressed.directive import Note, Said, code_set
from ralph.record import replace
from ralph.system.patterns import later

_TAIL = r"(?:\s*\[(?P<codes>[^\]#]*)\])?\s*(?:#.*)?$"
_MYPY = later(r"(?:#\s*type:(?!\s*ignore\b)[^#]*)?#\s*type:\s*ignore" + _TAIL, re.DOTALL)
_OTHERS = later(r"#\s*type\s*:\s*ignore(?=\s|$|#|\[)(?:\s*\[(?P<codes>[^\]#]*)\])?")
_STRICT = later(rb"(?m)^[ \t]*#[ \t]*(?:based)?pyright:[^\n]*\bstrict[ \t]*(?:,|\r?$)")
_BARE = r"(?:\s*\[(?P<codes>[^\]]*)\])?(?P<prose>.*)"
_IGNORE = {
    "pyright": later(r"#[ \t]*(?:based)?pyright:[ \t]*ignore(?![\w-])" + _BARE),
    "ty": later(r"#\s*ty\s*:\s*ignore(?![\w-])" + _BARE),
    "pyrefly": later(r"#\s*pyrefly\s*:\s*ignore(?![\w-])" + _BARE),
    "zuban": later(r"#\s*zuban\s*:\s*ignore(?![\w-])" + _BARE),
    "pyre": later(r"#\s*pyre-(?:ignore|fixme)(?![\w-])(?:\s*\[(?P<codes>[^\]]*)\])?(?P<prose>(?!\s*:).*|)"),
    "pytype": later(r"#\s*pytype:\s*disable\s*=\s*(?P<codes>[\w,-]+)(?P<prose>)"),
}
_WHOLE_FILE = {
    "pyrefly file": later(r"#\s*pyrefly\s*:\s*ignore-errors\b"),
    "pyre file": later(r"#\s*pyre-(?:ignore-all-errors|unsafe)\b(?:\[(?P<codes>[^\]]*)\])?"),
    "pytype file": later(r"#\s*pytype:\s*skip-file\b(?P<codes>)"),
}
_WORDS = later(r"#[^#\w]*\w+[^#\w]+\w")
_OPTION = later(r"""\s*([\w-]+)\s*(?:=\s*("[^"]*"|'[^']*'|\[[^\]]*\]|[^,]*))?\s*(?:,|$)""")
_TIGHTENS = ("disallow-", "warn-", "check-", "strict", "extra-checks")
_LOOSENS = ("ignore-", "allow-", "implicit-")
_PYRIGHT_RULE = later(r"\s*(\w+)\s*=\s*(false|none|information|warning)\s*")


def read(note: Note) -> Iterator[Said]:
    yield from _type_ignore(note)
    yield from _mypy_options(note)
    yield from _pyright_settings(note)
    for part in note.segments():
        for tool, form in _IGNORE.items():
            match = form.match(part)
            if match and not (note.alone and re.match(r"[^#]*[\w]", match["prose"])):
                # pyright hides what its own line has: alone, and told of by other words, it can only hide a part of
                # a call over several lines
                told = tool == "pyright" and note.alone and _WORDS.match(note.text[: -len(part)])
                rule = "py.type-ignore-elsewhere" if told else "py.checker"
                yield Said(rule, tool, code_set(match["codes"], r"[\w:-]+"))
    for name, form in _WHOLE_FILE.items():
        if note.alone and (match := form.match(note.text)):
            yield Said("py.checker-file", name, code_set(match.groupdict().get("codes")))


def _type_ignore(note: Note) -> Iterator[Said]:
    match = _MYPY.match(note.text)
    if match and not note.alone:
        yield Said("py.type-ignore", "type: ignore", code_set(match["codes"]))
    elif match and note.top:
        yield Said("py.type-ignore-file", "type: ignore file", code_set(match["codes"]))
    else:
        others = next((found for part in note.segments() if (found := _OTHERS.match(part))), None)
        if others and (not note.alone or match):
            yield Said("py.type-ignore-elsewhere", "type: ignore", code_set(others["codes"]))


def _mypy_options(note: Note) -> Iterator[Said]:
    """`# mypy: a, b=c`: one thing said, with all that it makes milder."""
    if note.comment.column != 1 or not note.text.startswith("# mypy:"):
        return
    milder: set[str] = set()
    for match in _OPTION.finditer(note.text[len("# mypy:") :]):
        milder |= _milder(match[1].lower().replace("_", "-"), (match[2] or "true").strip())
    if "ignore-errors" in milder:
        yield Said("py.mypy-file", "mypy ignore-errors")
    elif milder:
        yield Said("py.mypy-file", "mypy", frozenset(milder))


def _milder(option: str, value: str) -> frozenset[str]:
    on = value.lower() not in ("false", "no", "off", "0")
    if option == "disable-error-code":
        return frozenset(re.findall(r"[\w-]+", value))
    if option in ("always-true", "always-false"):
        return frozenset({f"{option}={value}"})
    if option == "follow-imports":
        return frozenset({option}) if value in ("skip", "silent") else frozenset()
    if option.startswith("no-"):
        option, on = option[3:], not on
    worse = on if option.startswith(_LOOSENS) else not on and option.startswith(_TIGHTENS)
    return frozenset({option}) if worse else frozenset()


def _pyright_settings(note: Note) -> Iterator[Said]:
    if not note.alone or not (match := re.match(r"#[ \t]*(?:based)?pyright:(.*)", note.text)):
        return
    items = match[1].split(",")
    off = frozenset(found[1] for item in items if (found := _PYRIGHT_RULE.fullmatch(item)))
    if off:
        yield Said("py.pyright-file", "pyright", off)
    if any(item.strip() in ("basic", "standard") for item in items):
        yield Said("py.pyright-level", "pyright level")


def without_strictness(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    """A file whose comment asked pyright to be strict, and no longer does, is checked for less."""
    for hit in hits:
        sides = (change.blobs.before, change.blobs.after) if hit.rule == "py.pyright-level" else ()
        strict = [_STRICT.search(read(hit.path) or b"") is not None for read in sides]
        was_strict = strict == [True, False]
        yield replace(hit, rule="py.pyright-file", detail="pyright was strict here") if was_strict else hit
