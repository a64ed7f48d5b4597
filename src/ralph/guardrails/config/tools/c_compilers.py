"""What build files of C and C++ tell the compiler about warnings: CMake, Make, Autotools, Meson, Bazel (class G12).

Rules:

- A file in which warnings were errors, in whatever words, and are no longer, allows them; unless another build file
  says so now. Where one of several such flags of a file is gone, a person looks.
- Kinds of warnings and sanitizers that a file no longer asks for are for a person, and so is a new flag that switches
  off one kind of warning; one that switches off all of them, or makes none of them an error, is not.
- `NDEBUG` for a program of tests takes all of its `assert()` away.
- What moves to another variable, target or file is the same flag. A file that is gone takes its flags with it.
- A makefile has other programs, too: there only lines count that are about a compiler of C or its flags.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from ralph.guardrails.config.node import Key, Node, Settings
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.system.patterns import later

ALLOWED, MUTED, WEAKER = "cfg.cpp.warnings-allowed", "cfg.cpp.warnings-muted", "cfg.test.weaker-run"
MAKE = ("Makefile", "makefile", "GNUmakefile", "*.mk", "*.mak", "Makefile.am", "Makefile.in", "configure.ac")
OTHERS = (
    *("CMakeLists.txt", "*.cmake", "CMakePresets.json", "meson.build", "meson.options", "meson_options.txt"),
    *("BUILD", "BUILD.bazel", ".bazelrc", "*.bzl"),
)
OF_OTHERS = later(r"(?i)(?:^|/)(?:third[_-]?party|vendor(?:ed)?|external|extern|deps|submodules|node_modules|_deps)/")
COMMENT = later(r"(?m)(?:^|(?<=\s))#.*$")
COMPILES = later(
    r"(?i)\b(?:\w*(?:C|CC|CXX|CPP)FLAGS\w*|\w*WARN\w*|\w*CFLAGS\w*|CCOPTS?|COPTS?)\b|\$[({]?(?:CC|CXX|CPP)\b"
    r"|(?<![\w-])(?:gcc|g\+\+|clang(?:\+\+)?|cc|c\+\+)(?:-\d+)?\s"
)
BEGINS = r"(?<![\w/:+-])"
ERRORS = later(
    rf"{BEGINS}(?:-Werror|-pedantic-errors)(?![\w=-])|{BEGINS}/WX(?![\w:-])"
    r"|\b(?:CMAKE_)?COMPILE_WARNING_AS_ERROR\b[\"\s:{a-z=,]*?(?i:[\"\s=:](?:ON|TRUE|YES|1))\b"
    r"|\bwerror\s*[=:,]\s*'?true\b"
    r"|\boption\s*\(\s*(?P<option>\w*(?:WERROR|WARN\w*_AS_ERR|WARN\w*ERROR)\w*)\s+(?:\"[^\"]*\"\s+)?(?i:ON|TRUE|YES|1)\b"
)
"""Warnings are errors."""
WIDE = later(rf"{BEGINS}(?:-W(?:all|extra|pedantic|conversion|shadow|everything)(?![\w=-])|/W[34](?!\w)|/Wall(?!\w))")
SANITIZED = later(rf"{BEGINS}(?:-fsanitize=[\w,]+|-fstack-protector(?:-\w+)?|-D_FORTIFY_SOURCE=[1-9])")
OFF = later(rf"{BEGINS}(?:-w(?![\w=-])|-Wno-error(?![\w=-])|/W0(?!\w)|/WX-)")
LESS = later(rf"{BEGINS}(?:-Wno-(?!error(?![\w=-]))[\w+=-]+|/wd\d+)")
SILENT = later(
    r"(?i:target_compile_(?:definitions|options)\s*\(\s*\w*tests?\w*\s)[^()]*?\b(?:D|(?<!-D))(?P<option>NDEBUG)\b"
    r"|(?i:\w*TEST\w*FLAGS\w*)\b[^\n]*-DNDEBUG\b"
)
"""No `assert()` of a test program does anything."""
KINDS: Mapping[str, re.Pattern[str]] = {
    "errors": ERRORS,
    "warnings": WIDE,
    "sanitizers": SANITIZED,
    "off": OFF,
    "less": LESS,
    "silent": SILENT,
}


def _units(side: Side) -> Mapping[str, Unit]:
    """One for the whole tree: its settings are the flags of each kind in each file."""
    settings: dict[Key, Node] = {}
    for path in dict.fromkeys(path for name in (*MAKE, *OTHERS) for path in files_named(side, name)):
        if not (is_sample(path) or OF_OTHERS.search(path)):
            found = list(_flags(side.text(path) or "", path))
            for kind in KINDS:
                flags = [node for name, node in found if name == kind]
                settings[kind, path] = Node(flags, path)
    return {"": Unit(settings, tuple(sorted({path for _, path in settings})))} if settings else {}


def _flags(text: str, path: str) -> Iterator[tuple[str, Node]]:
    said = COMMENT.sub(lambda match: " " * len(match[0]), text)
    if any(fnmatchcase(posixpath.basename(path), name) for name in MAKE):
        said = "".join(line if COMPILES.search(line) else re.sub(r"[^\n]", " ", line) for line in _lines(said))
    for kind, form in KINDS.items():
        for match in form.finditer(said):
            flag = match.groupdict().get("option") or match[0]
            yield kind, Node(flag, path, said.count("\n", 0, match.start()) + 1, 1)


def _lines(text: str) -> Iterator[str]:
    """Each with those that it goes on in."""
    yield from re.findall(r"(?:\\\n|[^\n])*(?:\n|$)", text)


def _judged(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    for kind, rule in (("errors", ALLOWED), ("warnings", MUTED), ("sanitizers", MUTED)):
        if not _moved(kind, before, after):
            yield from _lost(kind, rule, before, after)
    for kind, rule in (("off", ALLOWED), ("less", MUTED), ("silent", WEAKER)):
        yield from _gained(kind, rule, before, after)


def _moved(kind: str, before: Settings, after: Settings) -> bool:
    """Another file, or another place of the same file, says it now."""
    return any(
        len(node.items) > len(before[key].items) if key in before else bool(node.items)
        for key, node in after.items()
        if key[0] == kind
    )


def _lost(kind: str, rule: str, before: Settings, after: Settings) -> Iterator[Loss]:
    for key, was in before.items():
        now = after.get(key)
        if key[0] != kind or now is None or len(now.items) >= len(was.items):
            continue
        left = {node.text for node in now.items}
        lost = [node for node in was.items if node.text not in left]
        if lost:
            yield Loss(rule=rule, key=lost[0].text, text=f"{lost[0].text} is gone", node=None, old=lost[0])
        elif kind == "errors":
            flag = was.items[-1]
            yield Loss(rule=MUTED, key=flag.text, text=f"{flag.text} is said less often", node=None, old=flag)


def _gained(kind: str, rule: str, before: Settings, after: Settings) -> Iterator[Loss]:
    old = Counter(node.text for key, was in before.items() if key[0] == kind for node in was.items)
    for key, now in after.items():
        for node in now.items if key[0] == kind else ():
            if old[node.text] > 0:
                old[node.text] -= 1
            else:
                yield Loss(rule=rule, key=node.text, text=f"{node.text} is said", node=node, old=None)


C_COMPILERS = Tool(
    name="a compiler of C",
    places=tuple(Place(name) for name in (*MAKE, *OTHERS)),
    rows=(),
    suffixes=(".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hh", ".m", ".mm", ".cu"),
    units=_units,
    judge=_judged,
)
