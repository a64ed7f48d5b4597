"""What build files of C and C++ ask of the compiler: each flag, the target it is for, and the condition it is under.

Rules: a comment asks for nothing; nor does a variable that nothing reads, a function that nothing calls, or an included
file that nothing names. A condition about the compiler or the platform is none: flags are spelled by it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from ralph.record import record
from ralph.system.patterns import later

HASH, JSON = "hash", "json"
NAMES: Mapping[str, str] = {
    "CMakeLists.txt": "cmake",
    "CMakePresets.json": JSON,
    "CMakeUserPresets.json": JSON,
    "*.cmake": "cmake",
    "Makefile": "make",
    "GNUmakefile": "make",
    "makefile": "make",
    "Makefile.in": "make",
    "Makefile.am": "make",
    "*.mk": "make",
    "meson.build": "meson",
    "meson_options.txt": "meson",
    "meson.options": "meson",
    "configure.ac": HASH,
    "configure.in": HASH,
    "BUILD": HASH,
    "BUILD.bazel": HASH,
    "*.bzl": HASH,
    ".bazelrc": HASH,
}
"""The names of build files, and how each is written."""
FLAG = later(
    r"(?<![\w/.-])(?P<flag>-W(?![lap],)[A-Za-z][\w=+-]*|-w(?=[\s\"';,)\]]|$)|-pedantic(?:-errors)?(?![\w-])"
    r"|-fsanitize=[\w,-]+|-fno-sanitize=[\w,-]+|[/-](?:WX-?|W[0-4]|wd\d{4,5})(?!\w)|/w(?=[\s\"';,)\]]|$))"
    r"|(?P<asked>\b(?:CMAKE_)?COMPILE_WARNING_AS_ERROR\b\W+(?:(?:type\W+)?(?:CACHE\W+)?BOOL\W+)?(?:value\W+)?(?P<value>\$\{\w+\}|\w+))"
    r"|(?P<feature>(?<![\w-])-?treat_warnings_as_errors\b)"
    r"|\b(?P<meson>werror|warning_level)[\"']?\s*[=:]\s*[\"']?(?P<said>\w+)",
    re.MULTILINE,
)
AS_ERROR = "warnings as errors"
"""As build systems say it for every compiler."""
SAME = {
    "-WX": "/WX",
    "-WX-": "/WX-",
    "/w": "-w",
    "/W0": "-w",
    "-W0": "-w",
    **{f"/W{level}": f"-W{level}" for level in range(1, 5)},
}
TRUE = frozenset(("on", "true", "yes", "1", "y"))
TAKES_AWAY = later(
    r"(?is)^\s*string\s*\(\s*(?:REGEX\s+)?REPLACE\s+(?:\"[^\"]*\"|\S+)|^\s*list\s*\(\s*(?:REMOVE_ITEM|FILTER)\b.*"
    r"|\$[({](?:filter-out|subst|patsubst)\s[^,()]*|\$[({]\w+:[^)}\n=]*="
)
"""Where flags are named to take them out."""
COMPILES = later(
    r"(?:\$[({](?:CC|CXX|COMPILE)[)}.]|(?<![\w-])(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|emcc|nvcc)(?:-\d+)?\s)[^;&|]*$"
)
OF_FLAGS = later(
    r"(?i)\w*(?:FLAGS|OPT|WARN|STRICT|copt|project_arguments|compile_options|compile_args|c_args|cpp_args)\w*"
)
"""Where `-w` is the compiler's, and not one of `grep` or `docker`."""
PROBES = later(
    r"(?i)^\s*(?:check_\w+_(?:flag|compiles)|message|find_package|if|elseif|else|endif|while|foreach|cmake_policy)\b"
)
"""What only asks whether a flag is known, or speaks of it."""
OF_COMPILER = later(
    r"(?i)MSVC|COMPILER|GNU|CLANG|GCC|MINGW|WIN32|WINDOWS|APPLE|DARWIN|UNIX|LINUX|ANDROID|EMSCRIPTEN|HAS_|HAVE_|SUPPORTS|VERSION"
    r"|get_id|host_machine|has_argument|\bOS\b|PLATFORM|ARCH|UNAME|\$\(CC\)|\$\(CXX\)|BUILD_TYPE|COMPILE_LANG|CONFIG:|PROJECT_IS_TOP|CMAKE_SOURCE_DIR"
)
NEVER = later(r"(?i)\(?\s*(?:FALSE|OFF|0|NO|\$<0:|\(?0,1\)?|\"0\" \"1\")\s*\)?")
CALL = later(r"(?m)^[ \t]*(\w+)[ \t]*\(")
TARGETED = later(
    r"(?i)(?:target_compile_options|target_compile_definitions|set_target_properties|set_property|target_link_options)"
)
DEFINES = later(r"(?im)^\s*(?:add_library|add_executable)\s*\(\s*([\w.:+${}-]+)([^)]*)")
OPTION = later(
    r"(?im)\boption\s*\(\s*['\"]?(\w*(?:WERROR|WARN\w*|PEDANTIC|SANITI\w*|STRICT\w*|\wSAN)\w*)['\"]?\b[^)]*?\b(ON|OFF|TRUE|FALSE)\s*[,)]"
    r"|(?i:\"(\w*(?:WERROR|WARN\w*|PEDANTIC|SANITI\w*|STRICT\w*|\wSAN)\w*)\"\s*:\s*(?:\{[^{}]*\"value\"\s*:\s*)?\"?(ON|OFF|TRUE|FALSE)\b)"
)
ASSIGNED = later(r"^[ \t]*(?:override\s+|export\s+)?([A-Za-z_][\w.]*)[ \t]*(?:[:+?]|::)?=")
USUAL = later(
    r"(?i)CMAKE_\w+|\w*(?:FLAGS|OPTIONS|OPTS)\w*|CC|CXX|CPP|LD|copts|cxxopts|build|test|default_options|AM_\w+|werror|warning_level"
)
"""Variables that tools read by themselves."""
THIRD_PARTY = later(
    r"(?i)third[_-]?party|3rd[_-]?party|vendor|extern|submodules|/deps/|(?:^|[\s/])(?:deps|contrib)/|_deps\b|googletest|_SOURCE_DIR\}"
)


@record
class Asked:
    """One flag of a build file."""

    flag: str
    path: str
    line: int
    target: str
    """The one target it is for; empty for all of the file."""
    condition: str
    """What it hangs on; empty for nothing."""


def kind_of(path: str) -> str:
    name = posixpath.basename(path)
    return NAMES.get(name) or NAMES.get(f"*{posixpath.splitext(name)[1]}", "")


def without_comments(text: str, kind: str) -> str:
    if kind == JSON:
        return text
    if kind == "cmake":
        text = re.sub(r"#\[(=*)\[.*?\]\1\]", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.DOTALL)
    text = re.sub(r"(?m)(?<![\\$\w\"'{(])#.*$|^[ \t]*dnl\b.*$", "", text)
    return re.sub(r"\\\n", "  ", text) if kind in ("make", HASH) else text


def asked(path: str, text: str, others: str) -> Iterator[Asked]:
    """The flags of a file, whose comments are gone; `others`: the texts of all build files."""
    kind = kind_of(path)
    statements = _of_cmake(text) if kind == "cmake" else _of_lines(text, kind)
    for line, statement, condition in statements:
        if not FLAG.search(statement) or (PROBES.match(statement) and kind == "cmake"):
            continue
        if NEVER.fullmatch(condition) or _is_unread(statement, kind, others):
            continue
        target = _target(statement, kind)
        gone = [match.span() for match in TAKES_AWAY.finditer(statement)]
        for match in FLAG.finditer(statement):
            flag, hangs = _said(match)
            taken = any(first <= match.start() < last for first, last in gone)
            if not _is_for_compiler(flag, statement, match.start(), kind):
                continue
            if flag and taken and not flag.startswith(("-Werror", "/WX")):
                continue
            around = _generator(statement, match.start()) if kind == "cmake" else ""
            if flag and around != "FALSE":
                own = " ".join(filter(None, (condition, hangs, around)))
                where = line + statement.count("\n", 0, match.start())
                yield Asked(f"-{flag}" if taken else flag, path, where, target, own)


def _said(match: re.Match[str]) -> tuple[str, str]:
    """The flag in one spelling, and the variable that decides about it."""
    if match["feature"]:
        return (AS_ERROR if not match["feature"].startswith("-") else "-Wno-error", "")
    if match["asked"]:
        value = match["value"]
        return (AS_ERROR, "" if value.lower() in TRUE else value) if value.lower() in TRUE or "$" in value else ("", "")
    if match["meson"]:
        value = match["said"].lower()
        if match["meson"] == "werror":
            return (AS_ERROR if value in TRUE else "", "")
        return (f"level={value}", "") if value in ("1", "2", "3", "everything") else ("", "")
    flag = match["flag"].removesuffix("=")
    return SAME.get(flag, flag), ""


def _is_for_compiler(flag: str, statement: str, place: int, kind: str) -> bool:
    if kind in ("cmake", JSON):
        return True
    if kind == "make" and not (ASSIGNED.match(statement) or _target(statement, kind)):
        return COMPILES.search(statement[:place]) is not None
    return flag != "-w" or OF_FLAGS.search(statement) is not None or COMPILES.search(statement[:place]) is not None


def _generator(statement: str, place: int) -> str:
    """The generator expressions of CMake around a flag, without those that are about the compiler."""
    open_: list[int] = []
    for match in re.finditer(r"\$<|>", statement[:place]):
        open_ = open_[:-1] if match[0] == ">" else [*open_, match.start()]
    around = [statement[start:place] for start in open_]
    if any(re.match(r"(?i)\$<(?:0|\$<BOOL:(?:0|OFF|FALSE|NO)?>):", each) for each in around):
        return "FALSE"
    return " ".join(each for each in around if not OF_COMPILER.search(each) and re.search(r"\$\{|BOOL", each))


def _is_unread(statement: str, kind: str, others: str) -> bool:
    """A variable that nothing reads."""
    if kind == "cmake":
        match = re.match(r"(?i)\s*(?:set\s*\(|(?:list|string)\s*\(\s*APPEND)\s*(\w+)", statement)
    elif kind == "make":
        match = ASSIGNED.match(statement)
    else:
        return False
    name = match[1] if match else ""
    return bool(name) and not USUAL.fullmatch(name) and len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", others)) < 2


def _target(statement: str, kind: str) -> str:
    if kind == "cmake":
        if statement.lower().startswith("set_source_files_properties") and THIRD_PARTY.search(statement):
            return "(others)"
        match = re.match(r"\s*(\w+)\s*\(\s*(?:TARGET\s+)?([^\s)]+)", statement)
        return match[2] if match and TARGETED.fullmatch(match[1]) else ""
    if kind == "make":
        match = re.match(r"([^\s:=#]+)\s*:\s*\w+\s*[+:?]?=", statement)
        return match[1] if match else ""
    return ""


def _of_cmake(text: str) -> Iterator[tuple[int, str, str]]:
    """Each command with its line and what it hangs on; a function that nothing calls holds none."""
    open_: list[str] = []
    place = 0
    while match := CALL.search(text, place):
        end = _closing(text, match.end() - 1)
        statement, place = text[match.start(1) : end], end
        name, inner = match[1].lower(), text[match.end() : end - 1].strip()
        if name == "if":
            open_.append(inner)
        elif name in ("else", "elseif") and open_:
            open_[-1] = inner if name == "elseif" else f"NOT {open_[-1]}"
        elif name == "endif":
            open_ = open_[:-1]
        line = text.count("\n", 0, match.start(1)) + 1
        yield line, statement, _condition(open_)


def _closing(text: str, start: int) -> int:
    depth = 0
    for match in re.compile(r"\"(?:\\.|[^\"\\])*\"|[()]").finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


def _of_lines(text: str, kind: str) -> Iterator[tuple[int, str, str]]:
    open_: list[str] = []
    lines = text.split("\n") if kind != JSON else [text]
    for number, line in enumerate(lines, 1):
        word = (
            re.match(r"\s*(-?if(?:eq|neq|def|ndef)?|else|elif|endif)\b\s*(.*)", line)
            if kind in ("make", "meson")
            else None
        )
        if word and word[1].startswith("if"):
            open_.append(word[2] or word[1])
        elif word and word[1] in ("else", "elif") and open_:
            open_[-1] = word[2] or f"not {open_[-1]}"
        elif word and word[1] == "endif":
            open_ = open_[:-1]
        config = re.match(r"\s*\w+:(\w+)\s", line) if kind == HASH else None
        if word is None:
            yield number, line, _condition([*open_, *([config[1]] if config else [])])


def _condition(open_: list[str]) -> str:
    never = next((each for each in open_ if NEVER.fullmatch(each)), None)
    return never or " ".join(each for each in open_ if not OF_COMPILER.search(each))
