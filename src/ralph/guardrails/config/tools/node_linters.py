"""Linters of Node's projects that have a configuration of their own: TSLint, XO, standard, markdownlint, stylelint;
and which files Prettier looks at.

A rule is a word, a switch, a list or a table with a severity; all are brought to a word first. What a linter of prose
or styles no longer says fails no longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.config.lattice import flag, no_less, no_more_paths, ranked
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.patterns import Weight, weigh
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Loss, Row, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import JS
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import SCRIPTS, modules

IGNORED, RULE_OFF, IGNORES = "cfg.check.failures-ignored", "cfg.eslint.rule-off", "cfg.eslint.ignores"
PRESET = "cfg.eslint.preset-removed"
LEVELS = "off=false=0=null=none warn=warning=1 error=true=2"
NARROWED = "check.narrowed"
OFF = frozenset(("off", "false", "0", "null", "none"))
Refine = Callable[[Side, str, dict[Key, Node]], Settings]
STYLES = (".css", ".scss", ".sass", ".less", ".vue", ".html")


def _level(node: Node) -> Node:
    """How severe a rule is, as a word of `LEVELS`; whatever else is said of it, it is on."""
    first = node.items[0] if isinstance(node.value, list) and node.value else node
    behind = node.items[1] if isinstance(node.value, list) and len(node.value) > 1 else node
    said = behind.at("severity") or first.at("severity") or first
    word = canonical(said).lower()
    return node.with_value(word if word in LEVELS.replace("=", " ").split() else "error")


def _levels(side: Side, path: str, place: Place) -> dict[Key, Node]:
    """The rules of one file by their names; tables in it stand whole."""
    whole = side.node(path)
    part = place.part(whole) if whole is not None else None
    rules = part.at("rules") if part is not None else None
    return {("levels", name): _level(node) for name, node in rules.mapping.items()} if rules is not None else {}


def _with_levels(places: Sequence[Place]) -> Refine:
    def refine(side: Side, directory: str, settings: dict[Key, Node]) -> Settings:
        start = f"{directory}/" if directory else ""
        found = dict(settings)
        for place in places:
            if f"{start}{place.name}" in side.paths:
                found |= _levels(side, f"{start}{place.name}", place)
        return found

    return refine


def _for_some(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """Rules that an override switches off; it counts as the files that it is for."""
    key = ("overrides",)
    known = {canonical(item) for item in before[key].items} if key in before else set()
    for item in after[key].items if key in after else ():
        files = (item.at("files") or item.with_value([])).items
        minor = bool(files) and all(weigh(canonical(file), paths) is Weight.MINOR for file in files)
        rules = item.at("rules")
        for name, node in rules.mapping.items() if rules is not None and canonical(item) not in known else ():
            if canonical(_level(node)) in OFF:
                rule = MINOR_EXCLUSION if minor else RULE_OFF
                yield Loss(rule=rule, key=name, text="is off for some files", node=node, old=None)


def linter(name: str, places: Sequence[Place], rows: Sequence[Row], suffixes: tuple[str, ...], usual: str) -> Tool:
    """`usual`: how severe a rule is that nothing is said of."""
    return Tool(
        name=name,
        places=places,
        rows=(Row("levels.*", ranked(LEVELS, usual), RULE_OFF), *rows),
        suffixes=suffixes,
        refine=_with_levels(places),
        judge=_for_some,
        by_invitation=True,
        watches=SCRIPTS,
    )


TSLINT = linter(
    "tslint",
    (Place("tslint.json"), Place("tslint.yaml"), Place("tslint.yml")),
    (
        Row("extends", no_less(), PRESET),
        Row("defaultSeverity", ranked("none=off warning=warn error", "error"), IGNORED),
        Row("linterOptions.exclude", no_more_paths(), IGNORES),
    ),
    JS,
    "off",
)
XO = linter(
    "xo",
    (Place("package.json", ("xo",)), Place(".xo-config.json"), Place(".xo-config"), *modules(".xo-config")),
    (Row("ignores", no_more_paths(), IGNORES), Row("ignore", no_more_paths(), IGNORES)),
    JS,
    "error",
)
STYLELINT = linter(
    "stylelint's reports",
    (
        *(Place(f".stylelintrc{end}") for end in ("", ".json", ".yml", ".yaml")),
        *modules(".stylelintrc"),
        *modules("stylelint.config"),
        Place("package.json", ("stylelint",)),
    ),
    (
        *(
            Row(name, flag(good=True), IGNORED)
            for name in (
                "ignoreDisables",
                "reportNeedlessDisables",
                "reportInvalidScopeDisables",
                "reportDescriptionlessDisables",
                "reportUnscopedDisables",
            )
        ),
        Row("allowEmptyInput", flag(good=False), "cfg.test.none-accepted"),
    ),
    STYLES,
    "off",
)
STANDARDS = tuple(
    Tool(
        name=name,
        places=(Place("package.json", (name,)),),
        rows=(Row("ignore", no_more_paths(), IGNORES),),
        suffixes=JS,
        by_invitation=True,
    )
    for name in ("standard", "semistandard", "ts-standard")
)
WHOLE: tuple[Key, ...] = ((), ("config",))
"""Of a file that is no table."""
MARKDOWN_ROWS = (
    limit("MD013.line_length", 80),
    limit("line-length.line_length", 80),
    Row("default", flag(good=True, default=True), IGNORED),
    Row("*", ranked(LEVELS, "error"), IGNORED),
    Row("ignores", no_more_paths(unknown_is_minor=True), IGNORED, MINOR_EXCLUSION),
)


NUMBERS = (1, 3, 4, 5, 7, *range(9, 15), *range(18, 43), *range(45, 57))
"""Of markdownlint's rules; those that say nothing until they are told what to look for (43, 44) left out."""


def _prose(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Of markdownlint-cli2 the rules stand one level deeper. With `default: false` those are off that are not named."""
    found = {key[1:] if key[0] == "config" else key: node for key, node in settings.items() if key not in WHOLE}
    known = {key: node for key, node in found.items() if len(key) > 1 or key[0] in ("default", "ignores")}
    rules = {
        key: _level(node) for key, node in found.items() if len(key) == 1 and (key[0][:2] == "MD" or "-" in key[0])
    }
    default = known.get(("default",))
    if default is not None and default.value is False and not any("-" in key[-1] for key in rules):
        named = {key[0] for key in found}
        del known[("default",)]
        rules |= {(name,): default for number in NUMBERS if (name := f"MD{number:03}") not in named}
    return known | rules


MARKDOWN = Tool(
    name="markdownlint",
    places=(
        *(Place(f".markdownlint-cli2.{end}") for end in ("jsonc", "yaml")),
        *(Place(f".markdownlint.{end}") for end in ("json", "jsonc", "yaml", "yml")),
        Place(".markdownlintrc"),
    ),
    rows=MARKDOWN_ROWS,
    suffixes=(".md",),
    refine=_prose,
    by_invitation=True,
)
MARKS = {"requirePragma": NARROWED, "checkIgnorePragma": "cfg.test.partly"}
"""By the mark of a comment Prettier tells which files it looks at: those that have one, or those that have another."""


def _marks(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """What is said for all files, and for some of them (`overrides`)."""
    found: dict[Key, Node] = {("marks", key[0], "all"): node for key, node in settings.items() if key[0] in MARKS}
    listed = settings.get(("overrides",))
    for item in listed.items if listed is not None else ():
        files = item.at("files")
        for name in MARKS:
            if (said := item.at("options", name)) is not None:
                found[("marks", name, canonical(files) if files is not None else "")] = said
    return found


PRETTIER = Tool(
    name="prettier",
    places=(
        Place("package.json", ("prettier",)),
        *(Place(f".prettierrc{end}") for end in ("", ".json", ".json5", ".yml", ".yaml", ".toml")),
        *modules(".prettierrc"),
        *modules("prettier.config"),
    ),
    rows=tuple(Row(f"marks.{name}.*", flag(good=False), rule) for name, rule in MARKS.items()),
    suffixes=(),
    refine=_marks,
    by_invitation=True,
    watches=SCRIPTS,
)
NODE_LINTERS: tuple[Tool, ...] = (TSLINT, XO, STYLELINT, *STANDARDS, MARKDOWN, PRETTIER)
