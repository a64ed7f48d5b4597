"""Configuration that is a program or a language of its own, read by its words: sbt, busted, luacheck, tflint.

A setting is a name with a value behind it, where no comment hides it; a list is all the texts that stand behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.filters import filtered, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import absent, flag, floor, no_less, no_more
from ralph.guardrails.config.lists import kept
from ralph.guardrails.config.node import Key, Node
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.system.patterns import later

IGNORED, NOT_RUN, EXCLUDED = "cfg.check.failures-ignored", "cfg.test.not-run", "cfg.test.excluded"
FILTERED, COLLECTION, MINOR = "cfg.test.filtered", "cfg.test.collection", "cfg.exclude-minor"
THRESHOLD, OMITTED, OFF = "cfg.coverage.threshold", "cfg.coverage.exclude", "cfg.coverage.off"
TEXT = later(r"\"([^\"\n]*)\"|'([^'\n]*)'")
Words = Sequence[tuple[str, re.Pattern[str]]]
"""Settings, each with an expression of which the group `value` is one value, `list` several texts; `name` tells several
settings of one kind apart."""

OF_SBT: Words = (
    ("werror", later(r"[\"'](?P<value>-Werror|-Xfatal-warnings)[\"']")),
    ("floor", later(r"\b(?P<name>coverageMinimum\w*)\s*:=\s*(?P<value>[\d.]+)")),
    ("halts", later(r"\bcoverageFailOnMinimum\s*:=\s*(?P<value>true|false)")),
    ("measured", later(r"\bcoverageEnabled\s*:=\s*(?P<value>true|false)")),
    ("unmeasured", later(r"\bcoverageExcluded(?:Packages|Files)\s*:=\s*(?P<list>[^\n]*)")),
    ("sieve", later(r"\bTests\.Filter\s*\((?P<value>[^\n]*)")),
    ("excluded", later(r"\bTests\.Exclude\s*\((?P<list>[^\n]*)")),
    ("tags", later(r"\bTests\.Argument\s*\([^\n]*?\"-l\"\s*,(?P<list>[^\n]*)")),
    ("chosen", later(r"\bTests\.Argument\s*\([^\n]*?\"-n\"\s*,(?P<list>[^\n]*)")),
    (
        "none",
        later(
            r"(?P<value>(?:\bTest\s*/\s*|\b)(?:test|definedTests|sources|unmanagedSources|testOptions)(?:\s+in\s+Test)?"
            r"\s*:=\s*(?:\{\s*\}|\(\)|Nil\b|Seq(?:\.empty\b|\(\s*\)))|\bTest\s*/\s*(?:test\s*/\s*)?skip\s*:=\s*true)"
        ),
    ),
    ("warts", later(r"\b(?:wartremoverErrors|wartremover\.Errors)\b[^\n]*?\+?\+?=\s*(?P<value>[^\n]*)")),
    ("but", later(r"\bWarts\.allBut\((?P<value>[^)\n]*)\)")),
    ("baseless", later(r"\b(?P<value>mimaPreviousArtifacts\s*:=\s*(?:Set\.empty|Set\(\)))")),
    ("compatible", later(r"\bmimaFailOnProblem\s*:=\s*(?P<value>true|false)")),
    ("tolerated", later(r"\bProblemFilters\.exclude\[(?P<value>[^\n]*)")),
    ("files", later(r"\bTest\s*/[^\n]*\bexcludeFilter\s*:?=\s*(?P<list>[^\n]*)")),
)
OF_BUSTED: Words = (
    ("tags", later(r"\[?[\"']?\bexclude[-_]tags[\"']?\]?\s*=\s*(?P<list>[^\n]*)")),
    ("chosen", later(r"(?<![-_\w])(?:\[?[\"'])?(?:tags|filter|name)(?:[\"']\]?)?\s*=\s*(?P<list>[\"'{][^\n]*)")),
    (
        "excluded",
        later(r"\[?[\"']?\b(?:filter-out|exclude-pattern|exclude-names-file)[\"']?\]?\s*=\s*(?P<list>[^\n]*)"),
    ),
    ("roots", later(r"\bROOT\s*=\s*(?P<list>[^\n]*)")),
    ("pattern", later(r"(?<![-\w])pattern\s*=\s*(?P<list>[^\n]*)")),
)
OF_LUACHECK: Words = (
    ("excluded", later(r"\bexclude_files\s*=\s*(?P<list>\{[^}]*\}|[^\n]*)")),
    ("ignored", later(r"\bignore\s*=\s*(?P<list>\{[^}]*\}|[^\n]*)")),
    ("only", later(r"(?m)^\s*only\s*=\s*(?P<list>\{[^}]*\}|[^\n]*)")),
    ("checks", later(r"(?m)^\s*(?P<name>global|unused|redefined|unused_args|unused_secondaries)\s*=\s*(?P<value>\w+)")),
)
OF_TFLINT: Words = (
    ("on", later(r"(?s)\b(?:rule|plugin)\s+\"(?P<name>[^\"]+)\"\s*\{[^{}]*?\benabled\s*=\s*(?P<value>true|false)")),
    ("force", later(r"\bforce\s*=\s*(?P<value>true|false)")),
    ("by_default", later(r"\bdisabled_by_default\s*=\s*(?P<value>true|false)")),
    ("modules", later(r"\bignore_module\s*=\s*(?P<list>\{[^}]*\})")),
    ("called", later(r"\bcall_module_type\s*=\s*\"(?P<value>none)\"")),
)


def _units(side: Side, names: Sequence[str], comment: re.Pattern[str], table: Words) -> Iterator[tuple[str, Unit]]:
    for path in [path for name in names for path in files_named(side, name)]:
        text = comment.sub(lambda match: match["text"] or "", side.text(path) or "")
        found: dict[Key, list[Node]] = {}
        for setting, form in table:
            for match in form.finditer(text):
                groups = match.groupdict()
                line = text.count("\n", 0, match.start()) + 1
                key = (setting, groups["name"]) if "name" in groups else (setting,)
                values = [groups["value"]] if "value" in groups else [a or b for a, b in TEXT.findall(groups["list"])]
                found.setdefault(key, []).extend(Node(value, path, line, 1) for value in values)
        settings = {
            key: nodes[0].with_value(nodes) if len(nodes) > 1 else nodes[0] for key, nodes in found.items() if nodes
        }
        yield path, Unit(settings, (path,))


def worded(
    name: str,
    places: Sequence[str],
    suffixes: tuple[str, ...],
    comment: str,
    table: Words,
    rows: Sequence[Row],
    *,
    shared: bool = False,
) -> Tool:
    form = later(rf"(?P<text>\"(?:\\.|[^\"\\\n])*\")|{comment}")

    def units(side: Side) -> Mapping[str, Unit]:
        return dict(_units(side, places, form, table))

    return Tool(
        name=name,
        places=tuple(Place(place) for place in places),
        rows=rows,
        suffixes=suffixes,
        units=units,
        units_are_files=True,
        shared=shared,
    )


SBT = worded(
    "sbt",
    ("build.sbt", "*.sbt"),
    (".scala",),
    r"//[^\n]*",
    OF_SBT,
    (
        Row("werror", no_less(), "cfg.jvm.check-off"),
        Row("floor.*", floor(), THRESHOLD),
        Row("halts", flag(good=True), IGNORED),
        Row("measured", flag(good=True, default=True), OFF),
        Row("unmeasured", no_more(), OMITTED),
        Row("sieve", no_more(), FILTERED),
        *(Row(key, no_more(), EXCLUDED) for key in ("excluded", "tags", "files")),
        Row("chosen", no_more(), FILTERED),
        Row("none", no_more(), NOT_RUN),
        Row("warts", kept(), "cfg.jvm.check-off"),
        Row("but", no_more(), "cfg.jvm.check-off"),
        Row("baseless", absent(), IGNORED),
        Row("compatible", flag(good=True, default=True), IGNORED),
        Row("tolerated", no_more(usual=".*"), IGNORED, MINOR),
    ),
)
BUSTED = worded(
    "busted",
    (".busted",),
    (".lua",),
    r"--[^\n]*",
    OF_BUSTED,
    (
        Row("tags", no_more_tests(), EXCLUDED),
        Row("excluded", no_more_tests(), EXCLUDED),
        Row("chosen", filtered(), FILTERED),
        Row("roots", no_fewer_tests(("spec",), folders=True), COLLECTION),
        Row("pattern", filtered(), COLLECTION),
    ),
)
LUACHECK = worded(
    "luacheck",
    (".luacheckrc",),
    (".lua",),
    r"--[^\n]*",
    OF_LUACHECK,
    (
        Row(
            "excluded",
            no_more(usual=r".*(?:luarocks|lua_modules|spec|tests?|vendor|build|generated).*"),
            IGNORED,
            MINOR,
        ),
        Row("ignored", no_more(), IGNORED),
        Row("only", filtered(), IGNORED),
        Row("checks.*", flag(good=True, default=True), IGNORED),
    ),
)
TFLINT = worded(
    "tflint",
    (".tflint.hcl",),
    (".tf",),
    r"(?:\#|//)[^\n]*",
    OF_TFLINT,
    (
        Row("on.*", flag(good=True, default=True), IGNORED),
        Row("force", flag(good=False), IGNORED),
        Row("by_default", flag(good=False), IGNORED),
        Row("modules", no_more(), IGNORED),
        Row("called", absent(), IGNORED),
    ),
)
BY_WORDS: tuple[Tool, ...] = (SBT, BUSTED, LUACHECK, TFLINT)
