"""Checks of prose, spelling, links, pages and what a site is built from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.config.lattice import (
    Check,
    Worse,
    ceiling,
    flag,
    no_fewer_paths,
    no_less,
    no_more,
    no_more_paths,
    ranked,
    same,
)
from ralph.guardrails.config.lists import no_wide, only_wide
from ralph.guardrails.config.node import Key, Node, Settings, canonical, names
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, RAISED, Row, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.levels import EXCLUDED, IGNORED, inside, leveled, presets
from ralph.guardrails.config.tools.web import SCRIPTS, exported, modules

ANY_LINK = r"\^?(?:https?(?::(?://)?)?|\.[*+]|/|\.)\$?"
"""A pattern that fits every link."""
USUAL_ANSWERS = r"2\d\d|3\d\d|403|405|406|429|503|999|100\.\.=10\d|200\.\.=[23]\d\d|200\.\.(?:300|400)"
"""What servers answer who dislike robots."""
ANSWERS = ("100..=103", "200..=299")
SPELLING = names("cspell .cspell cspell.config")


def _files(stem: str, *ends: str) -> tuple[Place, ...]:
    return tuple(Place(f"{stem}.{end}") for end in ends)


def _paths(*keys: str) -> tuple[Row, ...]:
    return tuple(Row(key, no_more_paths(unknown_is_minor=True), IGNORED, EXCLUDED) for key in keys)


def _site(name: str, places: Sequence[Place], *rows: Row) -> Tool:
    return Tool(name=name, places=places, rows=rows, suffixes=(), watches=SCRIPTS)


def _patterns(key: str, named: str) -> Callable[[Side, str, dict[Key, Node]], Settings]:
    """A list of tables as the texts that they hold."""

    def refine(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
        whole = settings.get((key,))
        texts = [text for item in (whole.items if whole else ()) if (text := item.at(named)) is not None]
        return {**settings, (key,): whole.with_value(texts)} if whole is not None else settings

    return refine


def _not_off() -> Check:
    """A rule of Vale that is on does not become `NO`."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        was, now = (canonical(node).lower() if node is not None else "" for node in (before, after))
        if now == "no" and was != "no":
            yield Worse(node=after, text="is NO")

    return check


def _dead_links() -> Check:
    """All of them are allowed; some kinds of them are for a person."""

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        for worse in same()(before, after, paths):
            if after is not None and after.value not in (None, False):
                yield Worse(node=after, text=worse.text, minor=after.value is not True)

    return check


BROKEN = "ignore log warn throw=error"
SITES: tuple[Tool, ...] = (
    _site(
        "docusaurus",
        modules("docusaurus.config"),
        Row("onBrokenLinks", ranked(BROKEN, "throw"), IGNORED),
        *(
            Row(name, ranked(BROKEN, "warn"), IGNORED)
            for name in ("onBrokenMarkdownLinks", "onBrokenAnchors", "onDuplicateRoutes")
        ),
        Row("markdown.hooks.onBrokenMarkdownLinks", ranked(BROKEN, "warn"), IGNORED),
        Row("markdown.hooks.onBrokenMarkdownImages", ranked(BROKEN, "throw"), IGNORED),
    ),
    _site(
        "vitepress",
        tuple(Place(f"config{end}", shape=lambda node: inside(".vitepress")(exported(node))) for end in SCRIPTS),
        Row("ignoreDeadLinks", _dead_links(), IGNORED, EXCLUDED),
    ),
    _site(
        "typedoc",
        (*_files("typedoc", "json", "jsonc"), *modules("typedoc"), Place("package.json", ("typedocOptions",))),
        *(Row(name, flag(good=True), IGNORED) for name in ("treatWarningsAsErrors", "treatValidationWarningsAsErrors")),
        Row("validation", flag(good=True, default=True), IGNORED),
        *(Row(f"validation.{name}", flag(good=True, default=True), IGNORED) for name in ("notExported", "invalidLink")),
        Row("validation.notDocumented", flag(good=True), IGNORED),
    ),
    _site(
        "doxygen",
        (Place("Doxyfile"), Place("Doxyfile.in")),
        Row("warn_as_error", ranked("no yes=fail_on_warnings=fail_on_warnings_print", "no"), IGNORED),
        *(Row(name, flag(good=True, default=True), IGNORED) for name in ("warnings", "warn_if_doc_error")),
        *(Row(name, flag(good=True), IGNORED) for name in ("warn_no_paramdoc", "warn_if_undoc_enum_val")),
        *(
            Row(name, flag(good=True, default=True), IGNORED)
            for name in ("warn_if_undocumented", "warn_if_incomplete_doc")
        ),
    ),
    _site(
        "mdbook",
        (Place("book.toml"),),
        Row("output.linkcheck.warning-policy", ranked("ignore warn error", "warn"), IGNORED),
        Row("output.linkcheck.follow-web-links", flag(good=True), IGNORED),
        Row("output.linkcheck.exclude", only_wide(), IGNORED),
    ),
    _site(
        "jupyter-book",
        (Place("_config.yml"),),
        Row("execute.execute_notebooks", ranked("off=false cache=auto=force=inline", "cache"), IGNORED),
        Row("execute.allow_errors", flag(good=False), IGNORED),
        Row("execute.raise_on_error", flag(good=True), IGNORED),
        Row("sphinx.config.nitpicky", flag(good=True), IGNORED),
    ),
    _site(
        "storybook",
        tuple(Place(f"preview{end}", shape=lambda node: inside(".storybook")(exported(node))) for end in SCRIPTS),
        Row("parameters.a11y.test", ranked("off todo error", "todo"), IGNORED),
        Row("parameters.a11y.disable", flag(good=False), IGNORED),
        Row("parameters.chromatic.disableSnapshot", flag(good=False), "cfg.test.not-run"),
    ),
    _site(
        "i18next-parser",
        modules("i18next-parser.config"),
        *(Row(name, flag(good=True), IGNORED) for name in ("failOnWarnings", "failOnUpdate")),
    ),
)
PROSE: tuple[Tool, ...] = (
    Tool(
        name="cspell",
        places=(
            *(place for stem in SPELLING for place in _files(stem, "json", "jsonc", "yaml", "yml")),
            *modules("cspell.config"),
            Place("package.json", ("cspell",)),
        ),
        rows=(
            Row("enabled", flag(good=True, default=True), IGNORED),
            *_paths("ignorePaths"),
            Row("files", no_fewer_paths(), IGNORED),
            Row("minWordLength", ceiling(4, MANIFOLD), LIFTED, RAISED),
            Row("ignoreRegExpList", only_wide(), IGNORED),
        ),
        suffixes=(),
        by_invitation=True,
    ),
    Tool(
        name="typos",
        places=(
            *(Place(name) for name in ("typos.toml", "_typos.toml", ".typos.toml")),
            Place("pyproject.toml", ("tool", "typos")),
        ),
        rows=(
            *_paths("files.extend-exclude"),
            Row("default.check-file", flag(good=True, default=True), IGNORED),
            Row("type.*.check-file", flag(good=True, default=True), IGNORED),
            Row("default.extend-ignore-re", only_wide(), IGNORED),
        ),
        suffixes=(),
        by_invitation=True,
    ),
    Tool(
        name="lychee",
        places=(Place("lychee.toml"), Place(".lychee.toml")),
        rows=(
            Row("accept", no_more(ANSWERS, usual=USUAL_ANSWERS), IGNORED, EXCLUDED),
            Row("exclude", only_wide(ANY_LINK), IGNORED),
            *_paths("exclude_path"),
            Row("offline", flag(good=False), IGNORED),
            Row("scheme", no_less(), IGNORED),
        ),
        suffixes=(),
        by_invitation=True,
    ),
    Tool(
        name="markdown-link-check",
        places=tuple(
            Place(name)
            for name in (".markdown-link-check.json", "markdown-link-check.json", "mlc_config.json", ".mlc_config.json")
        ),
        rows=(
            Row("ignorePatterns", only_wide(ANY_LINK), IGNORED),
            Row("aliveStatusCodes", no_more(("200",), usual=USUAL_ANSWERS), IGNORED, EXCLUDED),
        ),
        suffixes=(),
        refine=_patterns("ignorePatterns", "pattern"),
        by_invitation=True,
    ),
    Tool(
        name="vale",
        places=tuple(Place(name) for name in (".vale.ini", "_vale.ini", "vale.ini")),
        rows=(
            Row(".minalertlevel", ranked("error warning suggestion", "suggestion"), IGNORED),
            Row("*.basedonstyles", no_less(), IGNORED),
            Row("*.*", _not_off(), IGNORED),
        ),
        suffixes=(),
        by_invitation=True,
    ),
    leveled(
        "textlint",
        (*_files(".textlintrc", "json", "yml", "yaml"), Place(".textlintrc"), *modules(".textlintrc")),
        usual="off",
    ),
    leveled("htmlhint", (Place(".htmlhintrc", shape=lambda node: node.with_value({"rules": node})),), usual="off"),
    leveled(
        "html-validate",
        (*_files(".htmlvalidate", "json"), *modules(".htmlvalidate")),
        Row("extends", presets(), IGNORED),
    ),
    leveled(
        "webhint", (Place(".hintrc"), *_files(".hintrc", "json")), Row("extends", presets(), IGNORED), rules="hints"
    ),
    leveled("tsqllint", (Place(".tsqllintrc"),), usual="off", suffixes=(".sql",)),
    Tool(
        name="pa11y-ci",
        places=(Place(".pa11yci"), *_files(".pa11yci", "json"), *modules(".pa11yci")),
        rows=(
            Row("defaults.ignore", no_more(), IGNORED),
            limit("defaults.threshold", 0),
            Row("defaults.standard", ranked("wcag2a wcag2aa wcag2aaa", "wcag2aa"), IGNORED),
            Row("defaults.level", ranked("none error warning notice", "error"), IGNORED),
            Row("defaults.hideElements", same(), EXCLUDED),
            Row("urls", no_less(), "cfg.test.partly"),
        ),
        suffixes=(),
    ),
    Tool(
        name="ls-lint",
        places=(*_files(".ls-lint", "yml", "yaml"),),
        rows=(*_paths("ignore"),),
        suffixes=(),
    ),
    Tool(
        name="i18n-tasks",
        places=(Place("i18n-tasks.yml"),),
        rows=tuple(
            Row(name, no_wide(), IGNORED, EXCLUDED)
            for name in ("ignore_missing", "ignore_unused", "ignore_inconsistent_interpolations", "ignore_eq_base")
        ),
        suffixes=(),
    ),
)
PAGES: tuple[Tool, ...] = (*SITES, *PROSE)
