"""Rules of ESLint that say the same: one that a plugin took over, a renamed one, one that a preset brings.

A rule goes by the same name in the plugins that take rules over from ESLint or from each other (`PLUGINS`); a plugin of
the project's own is none of them. Some plugins have rules of their own that ESLint or typescript-eslint has as well, by
the same name (`TWINNED`): theirs is not missed where the other is asked for.
"""

from __future__ import annotations

import re

from ralph.guardrails.config.node import names
from ralph.guardrails.config.tools.eslint_recommended import OWN_RECOMMENDED, RECOMMENDED
from ralph.system.patterns import later

PLUGINS = frozenset(
    names(
        "@typescript-eslint ts typescript @stylistic @stylistic/js @stylistic/ts @stylistic/jsx style stylistic "
        "unused-imports n node import import-x i @babel babel react react-x jest vitest eslint-comments "
        "@eslint-community/eslint-comments jsdoc tsdoc es es-x perfectionist simple-import-sort"
    )
)
TWINNED = frozenset(names("unicorn sonarjs"))
RENAMED = {
    "no-throw-literal": "only-throw-error",
    "no-var-requires": "no-require-imports",
    "no-new-symbol": "no-new-native-nonconstructor",
    "no-return-await": "return-await",
    "no-empty-interface": "no-empty-object-type",
    "ban-types": "no-restricted-types no-unsafe-function-type no-wrapper-object-types no-empty-object-type",
    "no-native-reassign": "no-global-assign",
    "no-negated-in-lhs": "no-unsafe-negation",
    "no-catch-shadow": "no-shadow",
    "no-spaced-func": "func-call-spacing function-call-spacing",
    "func-call-spacing": "function-call-spacing",
    "no-new-object": "no-object-constructor",
    "no-buffer-constructor": "no-deprecated-api",
    "valid-jsdoc": "check-types require-param require-returns",
    "require-jsdoc": "require-jsdoc",
    "ban-ts-ignore": "ban-ts-comment",
    "prefer-ts-expect-error": "ban-ts-comment",
    "camelcase": "naming-convention",
    "no-duplicate-imports": "no-duplicates",
    "no-parameter-properties": "parameter-properties",
    "sort-imports": "imports order sort-imports",
    "order": "imports sort-imports",
}
NAMESAKE = r"(?:plugin:{0}/|eslint-plugin-{0}(?:/|#default\.)(?:configs[./](?:flat[./])?)?)recommended(?:#default)?"
MARKS = later(r"\"|\\u00(?:ab|bb)")
"""What stands around what could not be evaluated."""
TYPED_RECOMMENDED = frozenset(
    names(
        "ban-ts-comment no-array-constructor no-duplicate-enum-values no-empty-object-type no-explicit-any "
        "no-extra-non-null-assertion no-misused-new no-namespace no-non-null-asserted-optional-chain "
        "no-require-imports no-this-alias no-unnecessary-type-constraint no-unsafe-declaration-merging "
        "no-unsafe-function-type no-unused-expressions no-unused-vars no-wrapper-object-types prefer-as-const "
        "prefer-namespace-keyword triple-slash-reference"
    )
)
"""What every set of typescript-eslint's rules but `base` switches on."""
OWN_ALL = "@eslint/js#default.configs.all"
OF_PLUGIN = later(r"(?:plugin:|eslint-plugin-)(?P<plugin>@?[\w-]+)(?=[/#])")
ALONE = frozenset(
    names(
        "import import-x react react-hooks jsx-a11y promise jsdoc tsdoc jest vitest testing-library simple-import-sort"
    )
)
"""Plugins whose presets switch on rules of theirs, and no others."""
COMPILERS = "@typescript-eslint"
"""Presets of this plugin switch on rules of its own and of ESLint's."""
COMPILER = frozenset(
    names(
        "constructor-super getter-return no-class-assign no-const-assign no-dupe-args no-dupe-class-members "
        "no-dupe-keys no-func-assign no-import-assign no-new-native-nonconstructor no-new-symbol no-obj-calls "
        "no-redeclare no-setter-return no-this-before-super no-undef no-unreachable no-unsafe-negation no-with"
    )
)
"""What TypeScript's compiler finds by itself."""


def bare(rule: str) -> str | None:
    """The rule's name without its plugin; None for a plugin that takes nothing over."""
    plugin, _, name = rule.rpartition("/")
    return name if not plugin or plugin in PLUGINS else None


def succeeds(rule: str, other: str) -> bool:
    """True if `other` asks for what `rule` asked for."""
    plugin, _, name = rule.rpartition("/")
    if plugin in TWINNED:
        return other in (name, f"@typescript-eslint/{name}", f"ts/{name}")
    old, new = bare(rule), bare(other)
    if rule == other or old is None or new is None:
        return False
    return old == new or new in RENAMED.get(old, "").split()


def brought_by(rule: str, preset: str) -> bool:
    """True for a rule that this preset, one that many use, switches on as an error."""
    if preset == OWN_RECOMMENDED:
        return rule in RECOMMENDED
    name = bare(rule)
    typed = "typescript-eslint" in preset and preset.rpartition(".")[2].startswith(("recommended", "strict", "all"))
    return typed and name in TYPED_RECOMMENDED


def may_bring(rule: str, preset: str) -> bool:
    """False for a preset that is known to switch on no rule of this rule's plugin, or none of ESLint's own."""
    plugin, _, _ = rule.rpartition("/")
    if preset in (OWN_RECOMMENDED, OWN_ALL):
        return not plugin and (preset == OWN_ALL or rule in RECOMMENDED)
    found = OF_PLUGIN.match(MARKS.sub("", preset))
    holder = found["plugin"] if found is not None else None
    if holder in ALONE:
        return plugin == holder
    return holder != COMPILERS or plugin in ("", COMPILERS)


def is_namesake(rule: str, preset: str) -> bool:
    """A plugin that has the name of its rule (`prettier/prettier`) has it in what it recommends, as an error."""
    plugin, _, own = rule.rpartition("/")
    recommends = re.compile(NAMESAKE.format(re.escape(plugin)))
    return plugin == own and recommends.fullmatch(MARKS.sub("", preset)) is not None
