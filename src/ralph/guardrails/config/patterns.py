"""What a list of excluded paths takes away: product code, or only tests, build output and what does not exist.

A pattern is read generously, as a glob, as a directory and as a regular expression, because tools differ: what it
might exclude counts as excluded. One that is plainly a regular expression and cannot be matched here counts too.
Product code is a tracked source file that is neither a test nor generated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from functools import cache, lru_cache
from typing import NamedTuple

from ralph.guardrails.config.node import names
from ralph.guardrails.languages import language_of
from ralph.system.globs import matches_any
from ralph.system.patterns import later

BUILD_OUTPUT = frozenset(
    names(
        "dist build out output coverage node_modules .next .nuxt .output vendor third_party generated _generated "
        "__generated__ gen target __pycache__ .venv venv .git .tox .nox .mypy_cache .ruff_cache htmlcov "
        "_build site storybook-static .turbo .cache bin obj site-packages .eggs public .yarn"
    )
)
TRACKED_OUTPUT = frozenset(names("vendor third_party generated _generated __generated__ gen node_modules .yarn"))
"""Of these also the tracked files are not the project's own."""
TEST_FOLDERS = frozenset(
    names("test tests __tests__ spec specs e2e fixtures __mocks__ mocks testdata examples example docs benchmarks")
)
SAMPLE_FOLDERS = frozenset(names("fixtures __fixtures__ testdata test-data node_modules vendor third_party"))
"""What lies in these is data for tests or other people's: its configuration governs nothing here."""
RUN_FOLDERS = frozenset(names("test tests __tests__ spec specs e2e"))
PROSE_FOLDERS = frozenset(names("docs doc examples example benchmarks bench"))
_TEST_NAME = later(
    r"(^|[/*])(test_[^/]*|[^/]*_test\.\w+|[^/]*[._](test|tests|spec|bench|e2e)s?\.[^/]+|conftest\.py)$", re.IGNORECASE
)
_MADE_NAME = later(
    r"(^|[/*])([^/]*\.(d|config|min|generated|gen|stories)\.[^/]+|[^/]*_pb2(_grpc)?\.pyi?|[^/]*\.pb\.\w+|_version\.py)$|(^|/)\.[^/]*$"
)


ALL_SOURCES = later(r"(?:\./|\*\*/)?(?:src|lib|source|app)/\*\*(?:/\*(?:\.\S+)?)?")
"""What the sources are kept in, whatever is in it today."""
HIDDEN = later(r"(?:\./|\*\*/)?\.[A-Za-z][\w-]*(?:/\w[\w.-]*)*(?:/|(?:/\*{1,2}){1,2})?")
"""A place below a hidden folder, as tools make it for what is theirs. Where the tree has code there, that counts."""
COSTLY = r"\)[*+{]"
"""A repeated group can take for ever to match: a pattern with one counts as matching what it likes."""
ONLY_REGEX = later(r"\.\*|\.\+|\\[\w.]|^\^|\(\?")
"""No glob has these."""
FROM_ROOT = later(r"^(?:\^|\\A)/?")
"""Where a regular expression begins that is asked about the whole path, which for some tools begins with a slash."""
MAX_GROUPS = 6
MAX_REPEATS, MAX_STARS, MAX_LENGTH = 3, 8, 400


class Weight(Enum):
    PRODUCT = "takes away product code"
    UNKNOWN = "matches nothing in the tree"
    MINOR = "takes away tests, build output or generated files"


def weigh(pattern: str, paths: Iterable[str]) -> Weight:
    if not re.search(r"\w", pattern) or re.search(COSTLY, pattern):
        return Weight.PRODUCT
    seen = hit = False
    for path in paths:
        seen = True
        if covers(pattern, path):
            if is_product(path):
                return Weight.PRODUCT
            hit = True
    if _conventional(pattern) or (hit and not ALL_SOURCES.fullmatch(pattern)) or (seen and _is_hidden(pattern)):
        return Weight.MINOR
    return Weight.UNKNOWN


def _is_hidden(pattern: str) -> bool:
    """Below a hidden folder, and no ending of files."""
    return HIDDEN.fullmatch(pattern) is not None and language_of(f"a{pattern}") is None


@lru_cache(maxsize=65_536)
def is_product(path: str) -> bool:
    folders = set(path.lower().split("/")[:-1])
    if folders & TRACKED_OUTPUT or folders & TEST_FOLDERS or _TEST_NAME.search(path) or _MADE_NAME.search(path):
        return False
    return language_of(path) is not None


@lru_cache(maxsize=65_536)
def is_test(path: str) -> bool:
    """True for a source file that by its name or folder holds tests."""
    folders = set(path.lower().split("/")[:-1])
    return (
        language_of(path) is not None and bool(folders & RUN_FOLDERS or _TEST_NAME.search(path)) and not is_sample(path)
    )


def is_output(pattern: str) -> bool:
    """True for a path or pattern of build output, other people's code, samples or documentation."""
    folders = {word.lower() for word in re.split(r"[^\w.-]+", pattern.replace("\\.", ".")) if word}
    return bool(folders & (BUILD_OUTPUT | SAMPLE_FOLDERS | PROSE_FOLDERS))


def is_sample(path: str) -> bool:
    return "{{" in path or not SAMPLE_FOLDERS.isdisjoint(path.lower().split("/")[:-1])


def covers(pattern: str, path: str, *, regex: bool = True) -> bool:
    """True if the pattern, in any of the usual languages of patterns, holds for the path."""
    reading = _read(pattern)
    if reading.certain is not None:
        # Too costly to match counts, as an exclusion, for everything, and as an inclusion for nothing.
        return reading.certain or regex
    if matches_any(path, reading.globs):
        return True
    if not regex:
        return False
    return matches_any(path, reading.wider) or bool(reading.regex and reading.regex.search(path))


def lies_in(name: str, wide: str) -> bool:
    """True if an excluded path or glob was excluded by a wider one: one with folders means them where they are."""
    inner = name.removeprefix("./").rstrip("/*")
    if not covers(wide, inner, regex=False):
        return False
    plain = wide.removeprefix("./").rstrip("/*")
    if "/" not in plain or plain.startswith(("/", "**/", "*/", "<rootDir>")):
        return True
    return matches_any(inner, tuple(form for glob in written_out(spelled_out(plain)) for form in (glob, f"{glob}/**")))


class _Reading(NamedTuple):
    certain: bool | None
    globs: tuple[str, ...] = ()
    wider: tuple[str, ...] = ()
    """With what a class of characters or a group that says what is not there may stand for."""
    regex: re.Pattern[str] | None = None


@cache
def _read(pattern: str) -> _Reading:
    plain = pattern.replace("<rootDir>/", "").replace("/$", "/").replace("\\/", "/").strip()
    plain = FROM_ROOT.sub("^", plain).removeprefix("./").removeprefix("/")
    plain = re.sub(r"(\*\*/)+", "**/", plain)
    if not plain or plain in (".", "*", "**"):
        return _Reading(certain=True)
    if plain.count("*") > MAX_STARS or len(plain) > MAX_LENGTH:
        return _Reading(certain=False)
    regex = _regex(plain)
    if regex is None and "**" not in plain and ONLY_REGEX.search(plain):
        return _Reading(certain=False)
    spelled = spelled_out(plain)
    globs = dict.fromkeys((*_globs(plain), *(_globs(spelled) if spelled != plain else ())))
    generous = re.sub(r"\[[^\[\]/]+\]", "?", re.sub(r"!\([^()]*\)", "*", spelled))
    return _Reading(None, tuple(globs), _globs(generous) if generous != spelled else (), regex)


def spelled_out(pattern: str) -> str:
    """Groups and short classes as braces: `@(a|b)`, `?(x)`, `[jt]s`."""
    pattern = re.sub(r"\[(\w{1,4})\]", lambda found: "{" + ",".join(found[1]) + "}", pattern)
    for _ in range(MAX_GROUPS):
        made = re.sub(
            r"([?+@*])\(([^()]*)\)",
            lambda found: "{" + ",".join([*found[2].split("|"), *([""] if found[1] in "?*" else [])]) + "}",
            pattern,
        )
        if made == pattern:
            break
        pattern = made
    return pattern


def _globs(pattern: str) -> tuple[str, ...]:
    """The glob with its braces written out, anywhere in the tree, as itself and as a directory."""
    anywhere = [f"**/{glob.removeprefix('**/')}" for glob in written_out(pattern)]
    return tuple(form for glob in anywhere for form in (glob, f"{glob.rstrip('/')}/**"))


def written_out(pattern: str, limit: int = 64) -> list[str]:
    """The patterns that one with braces stands for."""
    match = re.search(r"\{([^{}]*)\}", pattern)
    if not match or limit < 2:
        return [pattern]
    choices = match[1].split(",")
    return [
        done
        for choice in choices[:limit]
        for done in written_out(pattern[: match.start()] + choice + pattern[match.end() :], limit // len(choices))
    ]


def _regex(pattern: str) -> re.Pattern[str] | None:
    """As a regular expression, if it can be one and is not plainly a glob."""
    if "**" in pattern or pattern.startswith("*") or re.search(COSTLY, pattern):
        return None
    if len(re.findall(r"[*+{]", pattern)) > MAX_REPEATS:
        return None
    try:
        return re.compile(re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", pattern))
    except re.error:
        return None


def _conventional(pattern: str) -> bool:
    if _TEST_NAME.search(pattern) or _MADE_NAME.search(pattern.rstrip("/*") or pattern):
        return True
    words = {word.lower() for word in re.split(r"[^\w.-]+", pattern.replace("\\.", ".")) if word}
    return bool(words & (BUILD_OUTPUT | TEST_FOLDERS))
