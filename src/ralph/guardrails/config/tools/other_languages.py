"""Checkers and builds of rarer languages, whose configuration is read by its words: Perl, R, Haskell, OCaml, Clojure,
Scala's fixes, Erlang, Verilog; and Sphinx, whose configuration is Python.
"""

from __future__ import annotations

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.lattice import absent, ceiling, flag, no_less, no_more, ranked
from ralph.guardrails.config.lists import kept, only_wide
from ralph.guardrails.config.node import Key, Node, Settings, canonical, occurrences
from ralph.guardrails.config.rows import Row, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.by_words import Words, worded
from ralph.system.patterns import later

IGNORED, NOT_RUN, EXCLUDED = "cfg.check.failures-ignored", "cfg.test.not-run", "cfg.test.excluded"
MINOR, FILTERED = "cfg.exclude-minor", "cfg.test.filtered"
HASHES, SEMICOLONS, DASHES = r"\#[^\n]*", r";[^\n]*", r"(?m:^\s*--[^\n]*)"

OF_PERLCRITIC: Words = (
    ("severity", later(r"(?mi)^\s*severity\s*=\s*(?P<value>\w+)")),
    ("off", later(r"(?m)^\s*\[(?P<value>-[\w:]+)\]")),
    ("excluded", later(r"(?mi)^\s*exclude\s*=\s*(?P<value>[^\n]+)")),
)
OF_LINTR: Words = (
    ("off", later(r"\b(?P<value>\w+_linter)\s*=\s*NULL")),
    ("excluded", later(r"(?s)\bexclusions:\s*list\((?P<list>.*?)\)\s*(?:$|\n\S)")),
    ("none", later(r"\blinters:\s*(?P<value>list\(\s*\)|NULL)")),
)
OF_HASKELL: Words = (
    ("werror", later(r"(?<![\w-])(?P<value>-Werror)(?![\w=-])")),
    ("single", later(r"(?<![\w-])(?P<value>-Werror=[\w-]+)")),
    ("quiet", later(r"(?<![\w-])(?P<value>-w|-Wwarn)(?![\w=-])")),
    ("muted", later(r"(?<![\w-])(?P<value>-(?:Wno-|fno-warn-)[\w-]+)")),
    ("unbuilt", later(r"(?m)^test-suite[^\n]*\n(?:[ \t][^\n]*\n|\n)*?[ \t]+buildable:\s*(?P<value>False)")),
)
OF_DUNE: Words = (
    ("quiet", later(r"(?<![\w-])-w\s+(?P<value>-a)\b")),
    ("unfailing", later(r"-warn-error\s+(?P<value>-a)\b")),
    ("off", later(r"(?s)\(tests?\b[^()]*(?:\((?!enabled_if)[^()]*\)[^()]*)*\(enabled_if\s+(?P<value>false)\)")),
    ("idle", later(r"(?s)\(tests?\b[^()]*(?:\((?!action)[^()]*\)[^()]*)*\(action\s+\((?P<value>progn)\s*\)\)")),
)
OF_KONDO: Words = (
    ("levels", later(r":(?P<name>[\w./-]+)\s*\{:level\s+:(?P<value>\w+)")),
    ("excluded", later(r":exclude-files\s+(?P<list>[^\n]*)")),
)
OF_KAOCHA: Words = (
    ("skipped", later(r":(?:kaocha\.filter/)?skip(?:-meta)?\s+\[(?P<value>[^\]]*)\]")),
    ("chosen", later(r":(?:kaocha\.filter/)?focus(?:-meta)?\s+\[(?P<value>[^\]]*)\]")),
    ("off", later(r":kaocha\.testable/(?:skip|pending)\s+(?P<value>true)")),
    ("empty", later(r":kaocha/fail-on-empty\?\s+(?P<value>false)")),
)
OF_SCALAFIX: Words = (
    ("rules", later(r"(?s)\brules\s*=\s*\[(?P<value>[^\]]*)\]")),
    ("syntax", later(r"\bDisableSyntax\.(?P<name>no\w+)\s*=\s*(?P<value>true|false)")),
)
OF_REBAR: Words = (
    ("werror", later(r"\b(?P<value>warnings_as_errors)\b")),
    ("muted", later(r"\b(?P<value>nowarn_\w+)\b")),
    ("xref", later(r"(?s)\{xref_checks,\s*\[(?P<value>[^\]]*)\]")),
    ("overlooked", later(r"(?s)\{xref_ignores,\s*\[(?P<value>[^\]]*)\]")),
    ("dialyzer", later(r"(?s)\{dialyzer,.*?\{warnings,\s*\[(?P<value>[^\]]*)\]")),
    ("none", later(r"\{(?P<value>eunit_tests|ct_opts|proper_opts),\s*\[\s*\]\}")),
    ("covered", later(r"\{cover_enabled,\s*(?P<value>true|false)\}")),
)
OF_VERIBLE: Words = (("off", later(r"(?m)^\s*-(?P<value>[\w-]+)")),)
OF_SPHINX: Words = (
    ("nitpicky", later(r"(?m)^nitpicky\s*=\s*(?P<value>True|False)")),
    ("wide", later(r"(?sm)^(?:nitpick_ignore_regex|linkcheck_ignore)\s*=\s*(?P<list>[\[(].*?[\])])\s*$")),
    ("muted", later(r"(?sm)^suppress_warnings\s*=\s*(?P<list>\[.*?\])")),
    ("allowed", later(r"(?m)^(?P<name>nb_execution_allow_errors|nbsphinx_allow_errors)\s*=\s*(?P<value>True|False)")),
    ("raised", later(r"(?m)^nb_execution_raise_on_error\s*=\s*(?P<value>True|False)")),
    ("run", later(r"(?m)^(?P<name>nb_execution_mode|nbsphinx_execute)\s*=\s*[\"'](?P<value>\w+)[\"']")),
)
RULES_OF_SCALASTYLE = ("level", "enabled")


def _checks(node: Node) -> Node:
    """Scalastyle's checks by their classes."""
    outer = node.at("scalastyle")
    found: dict[str, dict[str, Node]] = {name: {} for name in (*RULES_OF_SCALASTYLE, "limits")}
    for check in occurrences(outer.at("check")) if outer is not None else ():
        of = check.at("@class")
        for name in RULES_OF_SCALASTYLE:
            said = check.at(f"@{name}")
            if of is not None and said is not None:
                found[name][canonical(of)] = said
        for each in occurrences(check.at("parameters", "parameter")) if of is not None else ():
            what, most = each.at("@name"), each.at("#text")
            if of is not None and what is not None and most is not None and canonical(what).startswith("max"):
                found["limits"][f"{canonical(of)} {canonical(what)}"] = most
    return node.with_value({name: node.with_value(said) for name, said in found.items()})


def _hints(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """HLint's list: what it is told to ignore."""
    whole = settings.get(())
    ignored = [item.at("ignore") for item in (whole.items if whole is not None else ())]
    found = [node.with_value(canonical(node)) for node in ignored if node is not None]
    return {("ignored",): found[0].with_value(found)} if found else {}


OTHER_LANGUAGES: tuple[Tool, ...] = (
    worded(
        "perlcritic",
        (".perlcriticrc",),
        (".pl", ".pm", ".t"),
        HASHES,
        OF_PERLCRITIC,
        (
            Row("severity", ceiling(5), IGNORED),
            *(Row(name, no_more(), IGNORED) for name in ("off", "excluded")),
        ),
    ),
    worded(
        "lintr",
        (".lintr",),
        (".R", ".r", ".Rmd"),
        HASHES,
        OF_LINTR,
        (
            Row("off", no_more(usual=r"(?:line_length|indentation|object_name)_linter"), IGNORED, MINOR),
            Row("excluded", no_more(usual=r".*(?:tests?|RcppExports|data-raw|vignettes).*"), IGNORED, MINOR),
            Row("none", absent(), IGNORED),
        ),
    ),
    worded(
        "haskell's warnings",
        ("*.cabal", "package.yaml", "cabal.project", "cabal.project.ci"),
        (".hs",),
        rf"{DASHES}|{HASHES}",
        OF_HASKELL,
        (
            *(Row(name, no_less(), IGNORED) for name in ("werror", "single")),
            Row("quiet", no_more(), IGNORED),
            Row("muted", no_more(usual=".*"), IGNORED, MINOR),
            Row("unbuilt", absent(), NOT_RUN),
        ),
        shared=True,
    ),
    Tool(
        name="hlint",
        places=(Place(".hlint.yaml"), Place(".hlint.yml")),
        rows=(Row("ignored", no_more(), IGNORED),),
        suffixes=(".hs",),
        refine=_hints,
    ),
    worded(
        "dune",
        ("dune", "dune-project"),
        (".ml", ".mli"),
        SEMICOLONS,
        OF_DUNE,
        (
            *(Row(name, absent(), IGNORED) for name in ("quiet", "unfailing")),
            *(Row(name, absent(), NOT_RUN) for name in ("off", "idle")),
        ),
    ),
    worded(
        "clj-kondo",
        ("config.edn",),
        (".clj", ".cljs", ".cljc"),
        SEMICOLONS,
        OF_KONDO,
        (
            Row("levels.*", ranked("off info warning error", "warning"), IGNORED),
            Row("excluded", no_more(), IGNORED),
        ),
    ),
    worded(
        "kaocha",
        ("tests.edn",),
        (".clj", ".cljs", ".cljc"),
        SEMICOLONS,
        OF_KAOCHA,
        (
            Row("skipped", no_more(), EXCLUDED),
            Row("chosen", filtered(), FILTERED),
            Row("off", absent(), NOT_RUN),
            Row("empty", absent(), "cfg.test.none-accepted"),
        ),
    ),
    worded(
        "scalafix",
        (".scalafix.conf",),
        (".scala",),
        r"//[^\n]*|\#[^\n]*",
        OF_SCALAFIX,
        (Row("rules", no_less(), IGNORED), Row("syntax.*", flag(good=True), IGNORED)),
    ),
    Tool(
        name="scalastyle",
        places=(Place("scalastyle-config.xml", shape=_checks), Place("scalastyle_config.xml", shape=_checks)),
        rows=(
            Row("enabled.*", flag(good=True), IGNORED),
            Row("level.*", ranked("warning error", "warning"), IGNORED),
            limit("limits.*"),
        ),
        suffixes=(".scala",),
    ),
    worded(
        "rebar3",
        ("rebar.config",),
        (".erl", ".hrl"),
        r"%[^\n]*",
        OF_REBAR,
        (
            Row("werror", kept(), IGNORED),
            Row("muted", no_more(), IGNORED),
            *(Row(name, no_less(), IGNORED) for name in ("xref", "dialyzer")),
            Row("overlooked", no_more(usual=".*"), IGNORED, MINOR),
            Row("none", absent(), NOT_RUN),
            Row("covered", flag(good=True), "cfg.coverage.off"),
        ),
    ),
    worded(
        "verible",
        (".rules.verible_lint",),
        (".sv", ".v", ".svh"),
        HASHES,
        OF_VERIBLE,
        (Row("off", no_more(), IGNORED),),
    ),
    worded(
        "sphinx",
        ("conf.py",),
        (".rst", ".md", ".py"),
        HASHES,
        OF_SPHINX,
        (
            Row("nitpicky", flag(good=True), IGNORED),
            Row("wide", only_wide(), IGNORED),
            Row("muted", no_more(usual=".*"), IGNORED, MINOR),
            Row("allowed.*", flag(good=False), IGNORED),
            Row("raised", flag(good=True), IGNORED),
            Row("run.*", ranked("off=never auto=cache=force=inline=lazy=always", "auto"), NOT_RUN),
        ),
    ),
)
