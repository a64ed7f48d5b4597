"""golangci-lint, its two formats in one form.

Rules:

- The first format is read as the second (see `golangci_first`). A rule of exclusions for all files of Go is one without
  a path.
- Formatters count as linters. An old name is what it stood for. A linter that golangci-lint has given up is
  not missed where one runs that it names as the successor, nor one that the module's own version of Go has no need of.
- A rule of exclusions takes nothing away that another one left out for as many linters, nor in files of tests alone
  where those were not looked at. Nor does an exception for linters of which the base ran neither them nor what they
  succeed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import Worse, absent, flag, no_more, ranked, words
from ralph.guardrails.config.node import Key, Node, Settings, canonical, names
from ralph.guardrails.config.rows import Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.golangci_checks import OF_STATICCHECK, idle_linters
from ralph.guardrails.config.tools.golangci_first import (
    DEFAULT_PRESETS,
    for_all_files,
    left_out,
    says_second,
    settings_of,
)
from ralph.guardrails.config.tools.golangci_paths import no_more_folders
from ralph.guardrails.config.tools.golangci_settings import ROWS as SETTINGS_ROWS
from ralph.guardrails.config.tools.golangci_versions import is_newer
from ralph.system.patterns import later

EXCLUDE, REMOVED = "cfg.golangci.exclude", "cfg.golangci.linter-removed"
DEFAULT = names("errcheck govet ineffassign staticcheck unused")
STANDS_FOR = {
    "gas": names("gosec"),
    "megacheck": names("staticcheck gosimple unused"),
    "vet": names("govet"),
    "vetshadow": names("govet"),
    "gomnd": names("mnd"),
    "goerr113": names("err113"),
    "logrlint": names("loggercheck"),
}
"""Old names."""
SUCCESSORS = {
    "golint": names("revive stylecheck"),
    "maligned": names("govet"),
    "scopelint": names("exportloopref copyloopvar"),
    "exportloopref": names("copyloopvar"),
    "deadcode": names("unused"),
    "structcheck": names("unused"),
    "varcheck": names("unused"),
    "tenv": names("usetesting"),
    "exhaustivestruct": names("exhaustruct"),
    "interfacer": names("govet unused staticcheck"),
    "wsl": names("wsl_v5"),
    "gomodguard": names("gomodguard_v2"),
}
"""Linters that do nothing any more, and those of which one must run."""
STRICTER = {"gofmt": names("gofumpt")}
"""Linters that still work, and those that find all that they find."""
MERGED = {"gosimple": names("staticcheck"), "stylecheck": names("staticcheck")}
"""In the second format."""
NEEDLESS = {"exportloopref": (1, 22), "scopelint": (1, 22), "typecheck": ()}
"""Linters that find nothing from this version of Go on; what compiles a file is none, and cannot be switched off."""
UNKNOWN = names("exportloopref scopelint execinquery ifshort nosnakecase")
"""Linters that the second format does not know, and for which no other one stands."""
GO = ("run", "go")
IN_MODULE = later(r"(?m)^go[ \t]+(\d+)\.(\d+)")
CALL = later(
    r"(?i)golangci[-_]lint[^\n#]*[\s)}\"']run\b|uses:[ \t]*golangci/|\bid:[ \t]*golangci|golangci-lint-(?:full|fmt)"
)
NOTE = later(r"(?m)(?:^|(?<=\s))#.*$")
SWITCHED_OFF = later(r"(?:--disable|-D)[= ]([\w,]+)")
OF_LINTER = later(
    r"linters\.settings\.(\w+)\.(?:excludes|exclude-functions|disable|disabled-(?:checks|tags)|ignore-sigs)$"
)
TESTS = "tests"
"""Stands among the rules of exclusions where no file of tests is looked at."""
OF_TESTS = later(r"\(?(?:\.\*)?(?:_test\\?\.go|\(\.\+\)_test\\?\.go)\$?\)?")


def _is_second(node: Node) -> bool:
    """By its version, or by what only it has."""
    if node.at("version") is not None:
        return says_second(node)
    return any(
        node.at(*key) is not None for key in (("formatters",), ("linters", "exclusions"), ("linters", "default"))
    )


def _with_language(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
    """The version of Go, from `go.mod` where the configuration does not say it."""
    path = posixpath.join(directory, "go.mod")
    if GO in settings or (found := IN_MODULE.search(side.text(path) or "")) is None:
        return settings
    return {**settings, GO: Node(f"{found[1]}.{found[2]}", path)}


def _second(node: Node) -> Node:
    """The configuration in the second format, with its presets named even where there are none."""
    linters = node.at("linters") or node.with_value({})
    exclusions = linters.at("exclusions") or node.with_value({})
    said = dict(exclusions.mapping)
    for name, items in left_out(node, by_default=not _is_second(node)).items():
        said[name] = node.with_value([*words(said.get(name)), *items])
    if (tests := node.at("run", "tests")) is not None and tests.value is False:
        said["rules"] = node.with_value([*words(said.get("rules")), tests.with_value(TESTS)])
    exclusions = exclusions.with_value(said)
    told = linters.with_value(settings_of(node))
    linters = linters.with_value({**linters.mapping, "exclusions": exclusions, "settings": told})
    return node.with_value({**node.mapping, "linters": linters})


def _no_more_rules(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    """That no file of tests is looked at is another setting's matter."""
    old = words(before)
    unseen = any(item.value == TESTS for item in old)
    for worse in no_more()(before, after, paths):
        item = worse.node
        if item is None or item.value == TESTS or any(_holds(wide, item) for wide in old):
            continue
        path = item.at("path")
        if not (unseen and path is not None and OF_TESTS.fullmatch(canonical(path))):
            yield worse


def _holds(wide: Node, item: Node) -> bool:
    """The same rule, for all the linters that this one names."""
    if not item.mapping or not wide.mapping:
        return False
    one, other = (
        {key: canonical(value) for key, value in for_all_files(rule.mapping).items() if key != "linters"}
        for rule in (item, wide)
    )
    if one != other or "linters" not in wide.mapping:
        return one == other
    had, has = ({canonical(name) for name in words(rule.mapping.get("linters"))} for rule in (wide, item))
    return bool(has) and has <= had


def _linters(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    """What runs is the default set or everything or nothing, with `enable` added and `disable` taken away."""
    old, new = enabled(before), enabled(after)
    for name in sorted(old - new):
        if ("all" in new and name not in _names(after, "disable")) or _succeeded(name, new, after):
            continue
        node = next((item for item in words(after.get(("linters", "disable"))) if canonical(item) == name), None)
        node = node or after.get(("linters", "default")) or after.get(("linters", "disable-all"))
        old_node = next((item for item in words(before.get(("linters", "enable"))) if canonical(item) == name), None)
        yield Loss(rule=REMOVED, key=f"linters {name}", text=f"loses {name}", node=node, old=old_node)
    for name in sorted(_names(after, "disable") - _names(before, "disable")) if "all" in old and "all" in new else ():
        node = next(item for item in words(after.get(("linters", "disable"))) if canonical(item) == name)
        yield Loss(rule=REMOVED, key=f"linters {name}", text=f"loses {name}", node=node, old=None)


def heirs(name: str) -> tuple[str, ...]:
    """What finds now what a linter of this name found."""
    return (*STANDS_FOR.get(name, ()), *SUCCESSORS.get(name, ()), *MERGED.get(name, ()))


def _succeeded(name: str, new: set[str], after: Settings) -> bool:
    second = ("version",) in after and canonical(after[("version",)]) == "2"
    if name in _names(after, "disable"):
        return False
    if (name in NEEDLESS and _version(after) >= NEEDLESS[name]) or (second and name in UNKNOWN):
        return True
    successors = (*SUCCESSORS.get(name, ()), *STRICTER.get(name, ()), *(MERGED.get(name, ()) if second else ()))
    return any(each in new for each in successors)


def _is_off(loss: Loss, text: str) -> bool:
    """Each call in a text switches off the linter that the configuration now switches off, or is of a version that does
    not have it."""
    name = loss.key.removeprefix("linters ")
    if loss.rule != REMOVED or name == loss.key or loss.node is None or canonical(loss.node) != name:
        return False
    if is_newer(name, text):
        return True
    text = NOTE.sub("", text.replace("\\\n", " "))
    calls = len(CALL.findall(text))
    off = sum(name in match[1].split(",") for match in SWITCHED_OFF.finditer(text))
    return 0 < calls <= off


def _excuses(loss: Loss, before: Settings) -> frozenset[str]:
    """What nothing may have run, so that an exception takes nothing away: the linters that it is for, none of which the
    base ran, with those of which one is the successor."""
    if is_unclear(before):
        return frozenset()
    if loss.key == OF_STATICCHECK:
        return idle_linters(loss, before, _ran_in_first(before))
    if (found := OF_LINTER.match(loss.key)) is not None:
        given = [found[1]]
    elif loss.rule == EXCLUDE and loss.node is not None and loss.node.mapping:
        given = [canonical(name) for name in words(loss.node.mapping.get("linters"))]
    else:
        return frozenset()
    new = {name for word in given for name in STANDS_FOR.get(word, (word,))}
    older = {old for old, heirs in (*SUCCESSORS.items(), *STRICTER.items(), *MERGED.items()) if new & set(heirs)}
    ran, off = enabled(before), _names(before, "disable")
    if any(name in ran or ("all" in ran and name not in off) for name in new | older):
        return frozenset()
    return frozenset(new | older)


def _ran_in_first(settings: Settings) -> frozenset[str]:
    """What the first format runs by itself is more by a linter that the second has in another one."""
    ran = enabled(settings)
    usual = "staticcheck" in ran and "staticcheck" not in _names(settings, "enable")
    return frozenset(ran | {"gosimple"} if usual and "gosimple" not in _names(settings, "disable") else ran)


def _version(settings: Settings) -> tuple[int, ...]:
    """The parts of the version of Go; none where nothing says it."""
    parts = canonical(settings[GO]).removeprefix("go").split(".") if GO in settings else []
    return tuple(int(part) for part in parts) if all(part.isdigit() for part in parts) else ()


def _names(settings: Settings, key: str, table: str = "linters") -> set[str]:
    given = (canonical(item) for item in words(settings.get((table, key))))
    return {name for word in given for name in STANDS_FOR.get(word, (word,))}


def is_unclear(settings: Settings) -> bool:
    """Linters run that the configuration does not name."""
    default = settings.get(("linters", "default"))
    named = any(("linters", key) in settings for key in ("presets", "fast"))
    return named or (default is not None and canonical(default) == "fast")


def runs(linter: str, settings: Settings) -> bool:
    """Unless what it finds is left out."""
    known = enabled(settings)
    return linter in known or ("all" in known and linter not in _names(settings, "disable"))


def enabled(settings: Settings) -> set[str]:
    """What runs; `all` for everything but what is disabled."""

    def on(key: str) -> bool:
        return ("linters", key) in settings and settings[("linters", key)].value is True

    default = settings.get(("linters", "default"))
    base = {"none": set(), "all": {"all"}, "fast": set()}.get(
        canonical(default) if default else "standard", set(DEFAULT)
    )
    if on("disable-all"):
        base = set()
    if on("enable-all"):
        base = {"all"}
    return (base | _names(settings, "enable") | _names(settings, "enable", "formatters")) - _names(settings, "disable")


GOLANGCI = Tool(
    name="golangci-lint",
    by_invitation=True,
    places=tuple(Place(f".golangci.{end}", shape=_second) for end in ("yml", "yaml", "toml", "json")),
    rows=(
        *SETTINGS_ROWS,
        Row("linters.exclusions.rules", _no_more_rules, EXCLUDE),
        Row("linters.exclusions.generated", ranked("lax strict disable", "strict"), "cfg.exclude-minor"),
        Row("linters.exclusions.presets", no_more(DEFAULT_PRESETS), EXCLUDE),
        Row("linters.exclusions.paths", no_more_folders, EXCLUDE),
        Row("issues.new", flag(good=False), "cfg.golangci.new-only"),
        Row("issues.new-from-rev", absent(), "cfg.golangci.new-only"),
        Row("issues.new-from-merge-base", absent(), "cfg.golangci.new-only"),
        Row("issues.new-from-patch", absent(), "cfg.golangci.new-only"),
        Row("linters.exclusions.paths-except", absent(), EXCLUDE),
        Row("linters.fast", flag(good=False), REMOVED),
        Row("linters.settings.errcheck.ignore", absent(), EXCLUDE),
    ),
    suffixes=(".go",),
    refine=_with_language,
    judge=_linters,
    unasked=_excuses,
    switched_off=_is_off,
)
