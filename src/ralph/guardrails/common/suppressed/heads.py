"""What files say of how strictly they are looked at, as a table: by their ending (class G01)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ralph.guardrails.common.suppressed.silenced import SILENCED
from ralph.record import record
from ralph.system.patterns import later


class Asked(NamedTuple):
    """What the head of a file has a tool look for, and what it has it not look for."""

    on: frozenset[bytes]
    off: frozenset[bytes] = frozenset()


NOTHING: frozenset[bytes] = frozenset()
Asks = Callable[[bytes], Asked]
Says = Callable[[bytes, bytes], bool]

_PYRIGHT = later(rb"(?m)^[ \t]*#[ \t]*(?:based)?pyright:([^\n]*)")
_STRICT_PYRIGHT = later(rb"""typeCheckingMode["']?\s*[:=]\s*["']strict|(?m:^)\s*["']?strict["']?\s*[:=]\s*\[""")
_OFF = later(rb"(?i)=\s*(?:false|none|information|no|off|0)\s*$")
_MYPY = later(rb"(?m)^# mypy:([^\n]*)")
_TIGHTENS = (b"disallow-", b"warn-", b"check-", b"strict-", b"extra-checks", b"no-implicit-")
_HASKELL = later(rb"\{-#\s*OPTIONS_GHC\b([^#]*)#-\}")
_OLD_DART = later(rb"(?m)^//[ \t]*@dart[ \t]*=[ \t]*2\.(?:\d|1[01])\b")
_LUAU = later(rb"(?m)^--!(strict|nonstrict|nocheck)\b")
_TAG = later(rb"<script\b[^>]*>")
_TYPED = later(rb"""<script\b[^>]*\blang[ \t]*=[ \t]*["']?tsx?\b|@ts-check\b""")


@record
class Head:
    words: re.Pattern[bytes]
    """Stands in the changed lines wherever something may be lost."""
    asks: Asks
    rule: str = SILENCED
    settings: re.Pattern[str] | None = None
    """The files of the project that may say the same for all of its files."""
    says: Says = lambda asked, text: False
    tool: bytes | None = None
    """What a project that does without it names no longer."""
    run_by: re.Pattern[bytes] | None = None
    """What a package names that looks at such files: what others read in them is no check."""


def _has(name: bytes, form: re.Pattern[bytes]) -> Asks:
    return lambda data: Asked(frozenset({name}) if form.search(data) else NOTHING)


def _holds(form: re.Pattern[bytes]) -> Says:
    return lambda asked, text: form.search(text) is not None


def _pyright(data: bytes) -> Asked:
    """The rules it names, and its level; what is milder than before is told by `python.suppressed.checkers`."""
    items = [item.strip() for said in _PYRIGHT.finditer(data) for item in said[1].split(b",")]
    named = {item.partition(b"=")[0].strip() for item in items if item[:6] == b"report" and not _OFF.search(item)}
    level = {b"strict"} if {b"strict", b"basic", b"standard"}.intersection(items) else set()
    return Asked(frozenset(named | level))


def _pyright_settings(asked: bytes, text: bytes) -> bool:
    named = rb"\b%s[\"']?\s*[:=]\s*(?:true|[\"'](?:error|warning))" % re.escape(asked)
    return bool(_STRICT_PYRIGHT.search(text) or re.search(named, text))


def _mypy(data: bytes) -> Asked:
    items = (item.strip() for said in _MYPY.finditer(data) for item in said[1].split(b","))
    names = (item.partition(b"=")[0].strip().lower().replace(b"_", b"-") for item in items if not _OFF.search(item))
    return Asked(frozenset(name for name in names if name.startswith(_TIGHTENS)))


def _mypy_settings(asked: bytes, text: bytes) -> bool:
    value = rb"(?:false|no|off|0)" if asked.startswith(b"no-") else rb"(?:true|yes|on|1)"
    name = asked.removeprefix(b"no-").replace(b"-", b"[-_]")
    return bool(re.search(rb"(?im)^\s*(?:strict\s*=\s*(?:true|yes|on|1)|%s\s*=\s*%s)\b" % (name, value), text))


def _haskell(data: bytes) -> Asked:
    flags = {flag for said in _HASKELL.finditer(data) for flag in said[1].replace(b",", b" ").split()}
    off = {flag for flag in flags if flag == b"-w" or flag.startswith((b"-Wno-", b"-Wwarn", b"-fno-warn-"))}
    return Asked(frozenset(flag for flag in flags - off if flag.startswith(b"-W")), frozenset(off))


def _dart(data: bytes) -> Asked:
    return Asked(NOTHING, frozenset({b"a version before null safety"}) if _OLD_DART.search(data) else NOTHING)


def _luau(data: bytes) -> Asked:
    modes = frozenset(_LUAU.findall(data))
    return Asked(modes & {b"strict"}, modes & {b"nocheck"})


def _component(data: bytes) -> Asked:
    """One without a script has nothing that could be checked."""
    return Asked(frozenset({b"types"}) if _TYPED.search(data) or not _TAG.search(data) else NOTHING)


_PYTHON = (
    Head(
        words=later(rb"pyright:"),
        asks=_pyright,
        rule="py.pyright-file",
        settings=later(r"(?:^|/)(?:pyproject\.toml|pyrightconfig\.json)$"),
        says=_pyright_settings,
        tool=b"pyright",
    ),
    Head(
        words=later(rb"# mypy:"),
        asks=_mypy,
        rule="py.mypy-file",
        settings=later(r"(?:^|/)(?:pyproject\.toml|\.?mypy\.ini|setup\.cfg)$"),
        says=_mypy_settings,
        tool=b"mypy",
    ),
    Head(
        words=later(rb"pyre-strict"),
        asks=_has(b"strict types", later(rb"(?m)^[ \t]*#[ \t]*pyre-strict\b")),
        rule="py.checker-file",
        settings=later(r"(?:^|/)\.pyre_configuration(?:\.local)?$"),
        says=_holds(later(rb'"strict"\s*:\s*true')),
        tool=b"pyre",
    ),
)
_PHP = (
    Head(
        words=later(rb"(?i)strict_types"),
        asks=_has(
            b"strict types", later(rb"(?im)^[ \t]*(?:<\?php[ \t]+)?declare[ \t]*\([^)\n]*\bstrict_types[ \t]*=[ \t]*1")
        ),
    ),
)
_CSHARP = (
    Head(
        words=later(rb"#nullable"),
        asks=_has(b"nullable", later(rb"(?m)^[ \t]*#nullable[ \t]+enable(?:[ \t]+warnings)?[ \t]*(?://[^\n]*)?\r?$")),
        rule="csharp.nullable-disable",
        settings=later(r"(?:^|/)(?:[^/]+\.csproj|Directory\.Build\.(?:props|targets))$"),
        says=_holds(later(rb"<Nullable>\s*(?:enable|warnings)")),
    ),
)
_COMPONENT = (
    Head(
        words=later(rb"<script\b"),
        asks=_component,
        rule="js.ts-check-removed",
        run_by=later(rb"\b(?:vue-tsc|svelte-check|vti)\b"),
    ),
)
_STRICT_PLUGIN = (
    Head(
        words=later(rb"@ts-strict\b"),
        asks=_has(b"strict types", later(rb"(?m)^[ \t]*//[ \t]*@ts-strict(?![\w-])")),
        rule="js.ts-check-removed",
        settings=later(r"(?:^|/)tsconfig(?:\.\w+)?\.json$"),
        says=_holds(later(rb'(?m)^[^\n/]*"strict"\s*:\s*true')),
        tool=b"typescript-strict-plugin",
    ),
)
_DART = (Head(words=later(rb"@dart"), asks=_dart),)
_LUA = (
    Head(
        words=later(rb"--!"),
        asks=_luau,
        settings=later(r"(?:^|/)\.luaurc$"),
        says=_holds(later(rb'"languageMode"\s*:\s*"strict"')),
    ),
)
_GHC = (
    Head(
        words=later(rb"OPTIONS_GHC"),
        asks=_haskell,
        settings=later(r"(?:\.cabal|(?:^|/)(?:package\.yaml|cabal\.project))$"),
        says=lambda asked, text: asked in text,
    ),
)
_BASIC = (
    Head(
        words=later(rb"(?i)option[ \t]+strict"),
        asks=_has(b"strict types", later(rb"(?im)^[ \t]*option[ \t]+strict(?:[ \t]+on)?[ \t]*(?:'[^\n]*)?\r?$")),
        settings=later(r"(?:^|/)(?:[^/]+\.vbproj|Directory\.Build\.(?:props|targets))$"),
        says=_holds(later(rb"(?i)<OptionStrict>\s*on")),
    ),
)

HEADS: Mapping[str, tuple[Head, ...]] = {
    **dict.fromkeys((".py", ".pyi"), _PYTHON),
    **dict.fromkeys((".php", ".phtml"), _PHP),
    **dict.fromkeys((".ts", ".tsx", ".mts", ".cts"), _STRICT_PLUGIN),
    **dict.fromkeys((".vue", ".svelte"), _COMPONENT),
    **dict.fromkeys((".luau", ".lua"), _LUA),
    ".cs": _CSHARP,
    ".dart": _DART,
    ".hs": _GHC,
    ".vb": _BASIC,
}
