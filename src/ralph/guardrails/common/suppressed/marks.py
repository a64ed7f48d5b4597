"""The comments by which tools are silenced in files that no grammar here reads, and what a comment is there (G01).

Styles, images, infrastructure, YAML, SQL; languages without an inventory of tests: Swift, Dart, Elixir, Scala, Perl,
Lua, R, Solidity.
"""

from __future__ import annotations

from ralph.guardrails import directives
from ralph.guardrails.config.node import names
from ralph.guardrails.directives import Directive, directive
from ralph.guardrails.prefilter import prefilter
from ralph.system.patterns import later

KINDS = {
    "docker": ".dockerfile .containerfile",
    "yaml": ".yml .yaml",
    "hcl": ".tf .tfvars .hcl .tofu",
    "css": ".css .pcss .postcss .vue .svelte .astro .html",
    "scss": ".scss .sass .less .styl",
    "sql": ".sql",
    "proto": ".proto",
    "slashed": ".swift .dart .scala .sc .sol",
    "hashed": ".ex .exs .pl .pm .t .r",
    "lua": ".lua",
}
KIND_OF = {suffix: kind for kind, listed in KINDS.items() for suffix in listed.split()}
IMAGE = later(r"(?:docker|container)file(?:[.-][\w.-]+)?")
QUOTED = r"\"(?:\\.|[^\"\\\n]){0,500}\"|'[^'\n]{0,500}'"
"""A longer text is none: nothing may take for ever to read."""
LONG = r"\"\"\".{0,5000}?\"\"\""
FORMS = {
    "docker": later(r"(?m)^[ \t]{0,200}(?P<comment>#[^\n]*)"),
    "yaml": later(rf"(?m)(?<![\w.])(?:{QUOTED})|(?:^|(?<=[ \t]))(?P<comment>#[^\n]*)"),
    "hcl": later(r"(?s)\"(?:\\.|[^\"\\\n]){0,500}\"|(?P<comment>#[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z))"),
    "css": later(rf"(?s){QUOTED}|(?P<comment>/\*.*?(?:\*/|\Z))"),
    "scss": later(rf"(?s){QUOTED}|(?P<comment>/\*.*?(?:\*/|\Z)|(?<![:\w])//[^\n]*)"),
    "sql": later(r"(?s)'[^']{0,500}'|(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))"),
    "proto": later(rf"(?s){QUOTED}|(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"),
    "slashed": later(rf"(?s){LONG}|{QUOTED}|(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"),
    "hashed": later(rf"(?s){LONG}|(?<![\w$\\]){QUOTED}|(?<![\w$\\&{{])(?P<comment>#[^\n]*)"),
    "lua": later(rf"(?s){QUOTED}|(?P<comment>--[^\n]*)"),
}
BEGIN = r"\A(?:[#;/*]|--|[ \t])*"
LIST = r"(?P<codes>\w[\w.:/-]*(?:[ ]*,[ ]*\w[\w.:/-]*)*)"
RULE, LINE, COVERAGE = "comment.scanner", "js.stylelint-disable-line", "comment.coverage"


def _scanner(name: str, form: str) -> Directive:
    return directive(RULE, name, BEGIN + form)


INFRASTRUCTURE = (
    _scanner("checkov:skip", r"(?:checkov|bridgecrew):skip=(?P<codes>\w+)"),
    _scanner("trivy:ignore", r"(?:trivy|tfsec):ignore:(?P<codes>[\w*.-]+)"),
    _scanner("terrascan skip", r"ts:skip=[ ]*(?P<codes>[\w.-]+)"),
    _scanner("kics-scan", r"kics-scan[ ]+(?:ignore(?:-line|-block)?\b|disable=(?P<codes>[\w,-]+))"),
)
CSS = (
    directive(
        "js.stylelint-disable",
        "stylelint-disable",
        BEGIN + rf"stylelint-disable(?!-)\b[ \t]*{LIST}?",
        end=BEGIN + rf"stylelint-enable\b[ \t]*{LIST}?",
    ),
    directive(LINE, "stylelint-disable-line", BEGIN + rf"stylelint-disable-(?:next-)?line\b[ \t]*{LIST}?"),
    directive(
        "js.stylelint-disable", "scss-lint disable", BEGIN + r"(?:s[ca]ss-lint:disable|csslint (?:ignore|allow))\b"
    ),
)
CODES = r"(?P<codes>\w[\w./-]*(?:[ ,]+\w[\w./-]*)*)"
SLASHED = (
    directive(
        RULE,
        "swiftlint:disable",
        BEGIN + rf"swiftlint:disable(?!:)[ ]+{CODES}",
        end=BEGIN + rf"swiftlint:enable\b[ ]*{CODES}",
    ),
    _scanner("swiftlint:disable line", rf"swiftlint:disable:(?:this|next|previous)[ ]+{CODES}"),
    _scanner("ignore", rf"ignore(?:_for_file)?:[ ]*{CODES}"),
    directive(COVERAGE, "coverage:ignore", BEGIN + r"coverage:ignore-(?:line|start|file)\b"),
    directive(COVERAGE, "$COVERAGE-OFF$", BEGIN + r"\$COVERAGE-OFF\$"),
    _scanner("scalastyle:off", r"scalastyle:(?:off|ignore)\b[ ]*(?P<codes>[\w.]+)?"),
    _scanner("scalafix", r"scalafix:(?:off|ok)\b[ ]*(?P<codes>[\w.]+)?"),
    _scanner("solhint-disable", rf"solhint-disable(?:-next-line|-line)?\b[ ]*{CODES}?"),
    _scanner("slither-disable", rf"slither-disable-(?:next-line|start)[ ]+{CODES}"),
)
HASHED = (
    _scanner(
        "credo:disable", r"credo:disable-for-(?:this-file|next-line|previous-line|lines:-?\d+)\b[ ]*(?P<codes>[\w.]+)?"
    ),
    directive(COVERAGE, "coveralls-ignore", BEGIN + r"coveralls-ignore-(?:start|next-line)\b"),
    _scanner("no critic", r"no critic\b"),
    _scanner("nolint", r"nolint\b(?:[ ]+start)?(?::[ ]*(?P<codes>\w+(?:,[ ]*\w+)*))?"),
    directive(COVERAGE, "nocov", BEGIN + r"nocov\b(?:[ ]+start)?(?!\s+end)"),
)
LUA = (
    _scanner("luacheck", rf"luacheck:[ ]*(?:push[ ]+)?(?:ignore|no)\b[ ]*{CODES}?"),
    _scanner("diagnostic disable", r"-?@diagnostic disable(?:-next-line|-line)?\b(?::[ ]*(?P<codes>[\w, -]+))?"),
)
TABLES: dict[str, tuple[Directive, ...]] = {
    "docker": (
        *INFRASTRUCTURE,
        _scanner("hadolint ignore", r"hadolint(?:[ ]+global)?[ ]+ignore=(?P<codes>[\w,]+(?:,[ ]*\w+)*)"),
        _scanner("check=skip", r"check=[^\n]*?\bskip=(?P<codes>[\w,]+)"),
    ),
    "yaml": (
        *INFRASTRUCTURE,
        directive(
            RULE,
            "yamllint disable",
            BEGIN + r"yamllint[ ]+disable(?!-)\b(?P<codes>(?:[ ]+rule:[\w-]+)*)",
            end=BEGIN + r"yamllint[ ]+enable\b(?P<codes>(?:[ ]+rule:[\w-]+)*)",
        ),
        _scanner("yamllint disable-line", r"yamllint[ ]+disable-(?:line|file)\b(?P<codes>(?:[ ]+rule:[\w-]+)*)"),
        _scanner("zizmor: ignore", r"zizmor:[ ]*ignore\[(?P<codes>[\w, -]+)\]"),
        _scanner("noqa", r"noqa\b(?:[: ]+(?P<codes>[a-z][\w-]*(?:\[[\w-]+\])?))?"),
    ),
    "hcl": (*INFRASTRUCTURE, _scanner("tflint-ignore", rf"tflint-ignore(?:-file)?:[ ]*{LIST}")),
    "css": CSS,
    "scss": CSS,
    "sql": (
        _scanner("sqlfluff noqa", r"noqa\b(?:[ ]*:[ ]*(?:disable[ ]*=[ ]*)?(?P<codes>[\w,]+))?"),
        _scanner("squawk-ignore", rf"squawk-ignore(?:-file)?\b[ ]*{LIST}?"),
    ),
    "slashed": SLASHED,
    "hashed": HASHED,
    "lua": LUA,
    "proto": (
        _scanner("buf:lint:ignore", r"buf:lint:ignore[ ]+(?P<codes>\w+)"),
        _scanner("protolint:disable", r"protolint:disable(?::next|:this)?\b[ ]*(?P<codes>[A-Z_]+)?"),
    ),
}
SHARED_ROWS = tuple(row for row in directives.COMMON if row.name in ("nosemgrep", "allow secret", "NOSONAR"))
WORDS = prefilter(
    (
        r"stylelint-|s[ca]ss-lint:|csslint",
        r"hadolint|\bcheck=",
        r"(?:checkov|bridgecrew|\bts):skip|(?:trivy|tfsec):ignore|kics-scan|tflint-ignore",
        r"yamllint|zizmor|\bnoqa\b|squawk-ignore|buf:lint|protolint",
        r"nosem|nosonar|gitleaks:allow|allowlist",
        r"swiftlint:|\bignore(?:_for_file)?:|coverage:ignore|coverage-off|scala(?:style|fix):|sol(?:hint)-disable|slither-",
        r"credo:disable|coveralls-ignore|no critic|\bnolint|\bnocov|luacheck:|@diagnostic",
    )
)
LOOKS = frozenset(
    f"rule:{name}"
    for name in names(
        "line-length comments comments-indentation indentation trailing-spaces new-lines empty-lines document-start "
        "document-end colons commas braces brackets hyphens quoted-strings new-line-at-end-of-file"
    )
)
