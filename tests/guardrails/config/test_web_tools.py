"""The tools of JavaScript and TypeScript: tsc, ESLint, jest, vitest, nyc, c8, Next.js, Biome."""

from __future__ import annotations

import pytest

from ralph.guardrails.config.tools.tsconfig import STRICT_MEMBERS
from tests.guardrails.config.cases import Case, one, rules

SRC = {"src/a.ts": "export const a = 1;\n", "src/b.js": "", "src/a.test.ts": "", "package.json": '{"name": "x"}'}


def web(name: str, path: str, before: str | None, after: str | None, *found: str) -> Case:
    return one(name, path, before, after, *found, tree=SRC)


def case(name: str, before: dict[str, str], after: dict[str, str], *found: str) -> Case:
    return Case(name, SRC | before, SRC | after, found)


STRICT = '{"compilerOptions": {"strict": true}}'
FLAT = 'export default [{files: ["src/**"], rules: {eqeqeq: "error", "no-var": "error"}}];'
PRESET = 'import js from "@eslint/js";\nexport default [js.configs.recommended];'
MEMBERS = ", ".join(f'"{name}": true' for name in STRICT_MEMBERS)
JEST = "module.exports = {coverageThreshold: {global: {lines: 90}}};"
THRESHOLDS = "{test: {coverage: {thresholds: {lines: 90}}}}"
VITEST = f"import {{defineConfig}} from 'vitest/config';\nexport default defineConfig({THRESHOLDS});"

LOST = "cfg.eslint.preset-removed"
SHOWN = "cfg.unreadable-value"


def extends(*names: str) -> str:
    return "{" + f'"extends": [{", ".join(f"{name!r}" for name in names)}]'.replace("'", '"') + "}"


def flat(*presets: str) -> str:
    return f'import ts from "typescript-eslint";\nexport default [{", ".join(presets)}];'


STRICT_TYPED, PLAIN = "plugin:@typescript-eslint/strict-type-checked", "plugin:@typescript-eslint/recommended"
OLD_TYPED, TYPED = f"{PLAIN}-requiring-type-checking", f"{PLAIN}-type-checked"
PRESETS = {
    "typed, strict": (extends(STRICT_TYPED), extends(PLAIN), True),
    "no types any more": (extends(TYPED), extends("plugin:@typescript-eslint/strict"), True),
    "all of ESLint": (extends("eslint:all"), extends("eslint:recommended"), True),
    "vue": (extends("plugin:vue/vue3-recommended"), extends("plugin:vue/vue3-essential"), True),
    "next": (extends("next/core-web-vitals"), extends("next"), True),
    "only a formatter's": (extends(TYPED), extends("prettier"), True),
    "one of two is milder, the other gone": (extends(STRICT_TYPED, "plugin:n/recommended"), extends(PLAIN), True),
    "types by another name": (extends(PLAIN, OLD_TYPED), extends(TYPED), False),
    "stricter": (extends(PLAIN), extends(STRICT_TYPED), False),
    "one that holds the other": (extends("plugin:vue/vue3-essential"), extends("plugin:vue/recommended"), False),
}
FLAT_PRESETS = {
    "typed": ("...ts.configs.strictTypeChecked", "...ts.configs.recommendedTypeChecked", True),
    "spread of a plain one": ("...ts.configs.recommendedTypeChecked", "...ts.configs.recommended", True),
    "nothing but the base": ("...ts.configs.recommended", "ts.configs.base", True),
    "more": ("...ts.configs.recommended", "...ts.configs.strict", False),
    "types apart": (
        "...ts.configs.strictTypeChecked",
        "...ts.configs.strict, ...ts.configs.strictTypeCheckedOnly",
        False,
    ),
}

SPREAD = {"lib/a.test.ts": "", "test/b.test.ts": ""}
ROOTS = "module.exports = {roots: ['<rootDir>/lib', '<rootDir>/test']};"

WORSE = [
    case(
        "a folder of tests that is no root, whatever its files are called",
        {"jest.config.js": ROOTS, **SPREAD},
        {"jest.config.js": "module.exports = {roots: ['<rootDir>/test']};", **SPREAD},
        "cfg.test.collection",
    ),
    case(
        "a first root",
        {"jest.config.js": "module.exports = {};", **SPREAD},
        {"jest.config.js": "module.exports = {roots: ['test/']};", **SPREAD},
        "cfg.test.collection",
    ),
    case(
        "vitest in one folder",
        {"vitest.config.js": "export default {test: {}};", **SPREAD},
        {"vitest.config.js": "export default {test: {dir: './test'}};", **SPREAD},
        "cfg.test.collection",
    ),
    web("mocha takes pending tests", ".mocharc.json", '{"forbid-pending": true}', "{}", "cfg.check.failures-ignored"),
    web(
        "rules off for a folder that nobody has made yet",
        "eslint.config.mjs",
        'export default [{rules: {eqeqeq: "error"}}];',
        'export default [{rules: {eqeqeq: "error"}}, {files: ["src/new/**/*.ts"], rules: {eqeqeq: 0}}];',
        "cfg.eslint.rule-off",
    ),
    case(
        "a base that others begin to extend is laxer",
        {"tsconfig.shared.json": STRICT, "lib/tsconfig.json": STRICT, "lib/a.ts": ""},
        {
            "tsconfig.shared.json": "{}",
            "lib/tsconfig.json": '{"extends": "../tsconfig.shared.json"}',
            "lib/a.ts": "",
        },
        "cfg.tsconfig.strict-off",
    ),
    case(
        "base loses strict",
        {"tsconfig.json": '{"extends": "./base"}', "base.json": STRICT},
        {"tsconfig.json": '{"extends": "./base"}', "base.json": "{}"},
        "cfg.tsconfig.strict-off",
    ),
    case(
        "extends removed",
        {"tsconfig.json": '{"extends": "./base.json"}', "base.json": STRICT},
        {"tsconfig.json": "{}", "base.json": STRICT},
        "cfg.tsconfig.strict-off",
    ),
    case(
        "second base overrides",
        {"tsconfig.json": '{"extends": ["./base.json"]}', "base.json": STRICT},
        {
            "tsconfig.json": '{"extends": ["./base.json", "./lax.json"]}',
            "base.json": STRICT,
            "lax.json": '{"compilerOptions": {"strict": false}}',
        },
        "cfg.tsconfig.strict-off",
    ),
    case(
        "own option wins over the base",
        {"tsconfig.json": '{"extends": "./base.json"}', "base.json": STRICT},
        {
            "tsconfig.json": '{"extends": "./base.json", "compilerOptions": {"strictNullChecks": false}}',
            "base.json": STRICT,
        },
        "cfg.tsconfig.strict-member-off",
    ),
    case(
        "package's base changes",
        {"tsconfig.json": '{"extends": "@tsconfig/strictest/tsconfig.json"}'},
        {"tsconfig.json": '{"extends": "@mine/lax"}'},
        "cfg.tsconfig.check-off",
        "cfg.tsconfig.strict-off",
        "cfg.unreadable-value",
    ),
    case(
        "one workspace package",
        {"tsconfig.json": STRICT, "packages/p/tsconfig.json": STRICT, "packages/p/i.ts": ""},
        {
            "tsconfig.json": STRICT,
            "packages/p/tsconfig.json": '{"compilerOptions": {"strict": false}}',
            "packages/p/i.ts": "",
        },
        "cfg.tsconfig.strict-off",
    ),
    case(
        "referenced project",
        {"tsconfig.json": '{"references": [{"path": "./tsconfig.app.json"}]}', "tsconfig.app.json": STRICT},
        {"tsconfig.json": '{"references": [{"path": "./tsconfig.app.json"}]}', "tsconfig.app.json": "{}"},
        "cfg.tsconfig.strict-off",
    ),
    case(
        "nested config shadows",
        {"tsconfig.json": STRICT},
        {"tsconfig.json": STRICT, "src/tsconfig.json": "{}"},
        "cfg.tsconfig.strict-off",
    ),
    web(
        "strict twice, the last counts",
        "tsconfig.json",
        STRICT,
        '{"compilerOptions": {"strict": true, "strict": false}}',
        "cfg.tsconfig.strict-off",
    ),
    web(
        "strict as text",
        "tsconfig.json",
        STRICT,
        '{"compilerOptions": {"strict": "no way"}}',
        "cfg.tsconfig.strict-off",
    ),
    web(
        "with byte order mark and comments",
        "tsconfig.json",
        "\ufeff" + STRICT,
        '\ufeff{"compilerOptions": {/* "strict": true */}}',
        "cfg.tsconfig.strict-off",
    ),
    web(
        "escaped key",
        "tsconfig.json",
        STRICT,
        '{"compilerOptions": {"strict": true, "\\u0073trict": false}}',
        "cfg.tsconfig.strict-off",
    ),
    web("no longer JSON", "tsconfig.json", STRICT, '{"compilerOptions": {"strict": true}', "cfg.unreadable"),
    web("tsconfig deleted", "tsconfig.json", STRICT, None, "cfg.tsconfig.strict-off"),
    web(
        "not checked at all",
        "tsconfig.json",
        STRICT,
        '{"compilerOptions": {"strict": true, "noCheck": true}}',
        "cfg.tsconfig.check-off",
    ),
    web("rule off", "eslint.config.js", FLAT, FLAT.replace('"no-var": "error"', '"no-var": 0'), "cfg.eslint.rule-off"),
    web(
        "rule off in a list",
        "eslint.config.js",
        FLAT,
        FLAT.replace('"no-var": "error"', '"no-var": ["off", {}]'),
        "cfg.eslint.rule-off",
    ),
    web("rule removed", "eslint.config.js", FLAT, FLAT.replace(', "no-var": "error"', ""), "cfg.eslint.rule-removed"),
    web(
        "override for product code",
        "eslint.config.js",
        FLAT,
        FLAT.replace("];", ', {files: ["src/a.ts"], rules: {eqeqeq: "off"}}];'),
        "cfg.eslint.rule-off",
    ),
    web(
        "override for everything",
        "eslint.config.js",
        FLAT,
        FLAT.replace("];", ', {rules: {eqeqeq: "warn"}}];'),
        "cfg.eslint.severity-lowered",
    ),
    web(
        "override behind a constant",
        "eslint.config.js",
        FLAT,
        'const lax = {rules: {eqeqeq: "off"}};\n' + FLAT.replace("];", ", lax];"),
        "cfg.eslint.rule-off",
    ),
    web(
        "rule of a preset off",
        "eslint.config.js",
        PRESET,
        PRESET.replace("];", ', {rules: {"no-undef": "off"}}];'),
        "cfg.eslint.rule-off",
    ),
    web(
        "preset removed",
        "eslint.config.js",
        PRESET,
        'import js from "@eslint/js";\nexport default [];',
        "cfg.eslint.preset-removed",
    ),
    web(
        "pushed afterwards",
        "eslint.config.js",
        f"const c = {FLAT[15:]}\nexport default c;",
        f'const c = {FLAT[15:]}\nc.push({{rules: {{eqeqeq: "off"}}}});\nexport default c;',
        "cfg.eslint.rule-off",
    ),
    web(
        "severity from the environment",
        "eslint.config.js",
        FLAT,
        FLAT.replace('eqeqeq: "error"', 'eqeqeq: process.env.CI ? "error" : "off"'),
        "cfg.unreadable-value",
    ),
    web(
        "block ignores product code",
        "eslint.config.js",
        FLAT,
        FLAT.replace("rules:", 'ignores: ["src/a.ts"], rules:'),
        "cfg.eslint.ignores",
    ),
    case(
        "eslintignore",
        {".eslintrc.json": '{"rules": {"eqeqeq": 2}}'},
        {".eslintrc.json": '{"rules": {"eqeqeq": 2}}', ".eslintignore": "# a\nsrc\n"},
        "cfg.eslint.ignores",
    ),
    web(
        "legacy extends removed",
        ".eslintrc.json",
        '{"extends": ["eslint:recommended", "airbnb"]}',
        '{"extends": ["eslint:recommended"]}',
        "cfg.eslint.preset-removed",
    ),
    web(
        "legacy override",
        ".eslintrc.yml",
        "rules:\n  eqeqeq: error\n",
        "rules:\n  eqeqeq: error\noverrides:\n  - files: ['src/b.js']\n    rules: {eqeqeq: off}\n",
        "cfg.eslint.rule-off",
    ),
    case(
        "imported base changes",
        {"eslint.config.js": 'import base from "./lint/base.js"; export default [...base];', "lint/base.js": FLAT},
        {
            "eslint.config.js": 'import base from "./lint/base.js"; export default [...base];',
            "lint/base.js": FLAT.replace('eqeqeq: "error"', 'eqeqeq: "off"'),
        },
        "cfg.eslint.rule-off",
    ),
    web(
        "complexity raised",
        "eslint.config.js",
        'export default [{rules: {complexity: ["error", 10]}}];',
        'export default [{rules: {complexity: ["error", 12]}}];',
        "cfg.lint.limit-raised",
    ),
    web(
        "complexity without a limit",
        "eslint.config.js",
        'export default [{rules: {complexity: ["error", 10]}}];',
        'export default [{rules: {complexity: ["error", 500]}}];',
        "cfg.lint.limit-lifted",
    ),
    web(
        "inline comments allowed",
        "eslint.config.js",
        "export default [{linterOptions: {noInlineConfig: true}, rules: {}}];",
        "export default [{rules: {}}];",
        "cfg.eslint.inline-config",
    ),
    web(
        "suppressions recorded",
        "eslint-suppressions.json",
        '{"src/a.ts": {"no-var": {"count": 1}}}',
        '{"src/a.ts": {"no-var": {"count": 2}}}',
        "cfg.eslint.suppressions",
    ),
    web(
        "suppressions begun",
        "eslint-suppressions.json",
        None,
        '{"src/a.ts": {"no-var": {"count": 1}}}',
        "cfg.eslint.suppressions",
    ),
    web("jest floor falls", "jest.config.js", JEST, JEST.replace("90", "89"), "cfg.coverage.threshold"),
    web(
        "jest floor for one folder",
        "jest.config.js",
        JEST,
        JEST.replace("}}}", '}, "./src/": {lines: 0}}}'),
        "cfg.coverage.threshold",
    ),
    web(
        "jest floor of a folder gone",
        "jest.config.js",
        'module.exports = {coverageThreshold: {"./src/": {lines: 95}}};',
        "module.exports = {};",
        "cfg.coverage.threshold",
    ),
    web(
        "jest floor assigned away",
        "jest.config.js",
        JEST,
        JEST + "\nmodule.exports.coverageThreshold.global.lines = 1;",
        "cfg.coverage.threshold",
    ),
    web(
        "jest floor deleted",
        "jest.config.js",
        JEST,
        JEST + "\ndelete module.exports.coverageThreshold;",
        "cfg.coverage.threshold",
    ),
    web(
        "jest floor from the environment",
        "jest.config.js",
        JEST,
        JEST.replace("90", "Number(process.env.MIN)"),
        "cfg.unreadable-value",
    ),
    web(
        "jest floor behind a spread",
        "jest.config.js",
        JEST,
        JEST.replace("lines: 90", "lines: 90, ...lax"),
        "cfg.unreadable-value",
    ),
    web(
        "jest in TypeScript",
        "jest.config.ts",
        "const c: Config = {coverageThreshold: {global: {lines: 90}}};\nexport default c;",
        "const c: Config = {coverageThreshold: {global: {lines: 9}}} satisfies Config;\nexport default c;",
        "cfg.coverage.threshold",
    ),
    web(
        "jest collects less",
        "jest.config.js",
        'module.exports = {collectCoverageFrom: ["src/**"]};',
        'module.exports = {collectCoverageFrom: ["src/**", "!src/a.ts"]};',
        "cfg.coverage.exclude",
    ),
    case(
        "jest.config.js shadows package.json",
        {"package.json": '{"jest": {"coverageThreshold": {"global": {"lines": 90}}}}'},
        {
            "package.json": '{"jest": {"coverageThreshold": {"global": {"lines": 90}}}}',
            "jest.config.js": "module.exports = {};",
        },
        "cfg.coverage.threshold",
    ),
    web(
        "vitest floor through 100",
        "vitest.config.ts",
        VITEST.replace("lines: 90", "100: true"),
        VITEST,
        "cfg.coverage.threshold",
    ),
    web(
        "vitest floor in a function",
        "vitest.config.ts",
        VITEST,
        "export default defineConfig(({mode}) => ({test: {coverage: {thresholds: {lines: 10}}}}));",
        "cfg.coverage.threshold",
    ),
    web(
        "vitest floor of a glob",
        "vitest.config.ts",
        VITEST,
        VITEST.replace("lines: 90", "lines: 90, 'src/**': {lines: 0}"),
        "cfg.coverage.threshold",
    ),
    web(
        "vitest floor updates itself",
        "vitest.config.ts",
        VITEST,
        VITEST.replace("lines: 90", "lines: 90, autoUpdate: true"),
        "cfg.coverage.auto-update",
    ),
    web(
        "vitest merged away",
        "vitest.config.ts",
        VITEST,
        f"export default mergeConfig({THRESHOLDS}, {{test: {{coverage: {{thresholds: {{lines: 5}}}}}}}});",
        "cfg.coverage.threshold",
    ),
    web(
        "vitest allows only by a name",
        "vitest.config.ts",
        VITEST,
        VITEST.replace("test: {", "test: {allowOnly: !0, "),
        "cfg.test.allow-only",
    ),
    web(
        "vitest allows only outside CI",
        "vitest.config.ts",
        VITEST,
        VITEST.replace("test: {", "test: {allowOnly: !process.env.CI, "),
        "cfg.unreadable-value",
    ),
    case(
        "vitest.config shadows vite.config",
        {"vite.config.ts": VITEST},
        {"vite.config.ts": VITEST, "vitest.config.ts": "export default {test: {globals: true}};"},
        "cfg.coverage.threshold",
    ),
    case("jest to vitest", {"jest.config.js": JEST}, {"vitest.config.ts": VITEST}, "cfg.moved"),
    web(
        "nyc floor",
        ".nycrc",
        '{"check-coverage": true, "lines": 90}',
        '{"check-coverage": false, "lines": 90}',
        "cfg.coverage.threshold",
    ),
    web(
        "c8 floor in package.json",
        "package.json",
        '{"c8": {"branches": 80}}',
        '{"c8": {"branches": 8}}',
        "cfg.coverage.threshold",
    ),
    web(
        "next by assignment",
        "next.config.mjs",
        "const c = {};\nexport default c;",
        "const c = {};\nc.typescript = {ignoreBuildErrors: true};\nexport default c;",
        "cfg.next.errors-ignored",
    ),
    web(
        "next behind a plugin",
        "next.config.js",
        "module.exports = withMDX({});",
        "module.exports = withMDX({typescript: {ignoreBuildErrors: true}});",
        "cfg.next.errors-ignored",
    ),
    web(
        "biome off",
        "biome.jsonc",
        '{"linter": {"rules": {"recommended": true}}} // x',
        '{"linter": {"rules": {"recommended": false}}}',
        "cfg.biome.rule-off",
    ),
    web(
        "biome warns",
        "biome.json",
        '{"linter": {"rules": {"style": {"useConst": "error"}}}}',
        '{"linter": {"rules": {"style": {"useConst": {"level": "warn", "options": {}}}}}}',
        "cfg.biome.rule-off",
    ),
    web(
        "biome override",
        "biome.json",
        "{}",
        '{"overrides": [{"includes": ["src/**"], "linter": {"enabled": false}}]}',
        "cfg.biome.rule-off",
    ),
    web(
        "biome ignores",
        "biome.json",
        '{"files": {"includes": ["**"]}}',
        '{"files": {"includes": ["**", "!src/a.ts"]}}',
        "cfg.biome.ignore",
    ),
]

INNOCENT = [
    web("biome overrides that are none", "biome.json", "{}", '{"overrides": false}'),
    case(
        "a first biome.json, warnings and all",
        {},
        {"biome.json": '{"linter": {"rules": {"style": {"useConst": "warn"}}}}'},
    ),
    Case(
        "roots that moved",
        {"jest.config.js": ROOTS, **SPREAD},
        {"jest.config.js": ROOTS.replace("<rootDir>", "pkg/a"), **{f"pkg/a/{path}": "" for path in SPREAD}},
    ),
    case(
        "roots without one that holds no tests",
        {"jest.config.js": ROOTS, "test/b.test.ts": "", "src/a.test.ts": ""},
        {"jest.config.js": ROOTS.replace("'<rootDir>/lib', ", ""), "test/b.test.ts": "", "src/a.test.ts": ""},
    ),
    case(
        "a root above",
        {"jest.config.js": ROOTS, **SPREAD},
        {"jest.config.js": "module.exports = {roots: ['<rootDir>/']};", **SPREAD},
    ),
    case(
        "options inherited from a base that had them",
        {"tsconfig.shared.json": STRICT, "lib/tsconfig.json": STRICT, "lib/a.ts": ""},
        {
            "tsconfig.shared.json": STRICT,
            "lib/tsconfig.json": '{"extends": "../tsconfig.shared.json"}',
            "lib/a.ts": "",
        },
    ),
    case("strict spelled out", {"tsconfig.json": STRICT}, {"tsconfig.json": f'{{"compilerOptions": {{{MEMBERS}}}}}'}),
    case(
        "moved into a base",
        {"tsconfig.json": STRICT, "packages/p/tsconfig.json": STRICT, "packages/p/i.ts": ""},
        {
            "tsconfig.base.json": STRICT,
            "tsconfig.json": '{"extends": "./tsconfig.base.json"}',
            "packages/p/tsconfig.json": '{"extends": "../../tsconfig.base.json"}',
            "packages/p/i.ts": "",
        },
    ),
    case(
        "a build configuration added",
        {"tsconfig.json": STRICT},
        {
            "tsconfig.json": STRICT,
            "tsconfig.build.json": '{"extends": "./tsconfig.json", "compilerOptions": {"outDir": "dist"}}',
        },
    ),
    case(
        "a new package",
        {"tsconfig.json": STRICT},
        {"tsconfig.json": STRICT, "packages/n/tsconfig.json": '{"compilerOptions": {}}', "packages/n/i.ts": ""},
    ),
    web(
        "targets and paths",
        "tsconfig.json",
        STRICT,
        '{\n  // newer\n  "compilerOptions": {"target": "es2022", "paths": {"@/*": ["./src/*"]}, "strict": true,},\n}',
    ),
    web("stricter", "tsconfig.json", "{}", '{"compilerOptions": {"strict": true, "noUncheckedIndexedAccess": true}}'),
    web("a rule's options", "eslint.config.js", FLAT, FLAT.replace('eqeqeq: "error"', 'eqeqeq: ["error", "always"]')),
    web("numbers for words", "eslint.config.js", FLAT, FLAT.replace('"error"', "2")),
    web(
        "wrapped in defineConfig",
        "eslint.config.js",
        FLAT,
        'import {defineConfig} from "eslint/config";\nexport default defineConfig(' + FLAT[15:-1] + ");",
    ),
    web("named constant", "eslint.config.js", FLAT, 'const strict = "error";\n' + FLAT.replace('"error"', "strict")),
    web("preset added", "eslint.config.js", PRESET, PRESET.replace("];", ", ...tseslint.configs.strict];")),
    web(
        "import renamed",
        "eslint.config.js",
        PRESET,
        PRESET.replace("js.", "eslint.").replace("import js", "import eslint"),
    ),
    web(
        "first ESLint configuration",
        "eslint.config.js",
        None,
        'export default [{ignores: ["src/b.js"]}, {rules: {eqeqeq: "off"}}];',
    ),
    case(
        "legacy format moved to package.json",
        {".eslintrc.json": '{"rules": {"eqeqeq": "error"}}'},
        {"package.json": '{"name": "x", "eslintConfig": {"rules": {"eqeqeq": 2}}}'},
    ),
    case(
        "legacy format to flat",
        {".eslintrc.json": '{"rules": {"eqeqeq": "error"}, "ignorePatterns": ["dist"]}'},
        {"eslint.config.js": 'export default [{ignores: ["dist"]}, {rules: {eqeqeq: "error"}}];'},
    ),
    web("files widened", "eslint.config.js", FLAT, FLAT.replace('"src/**"', '"src/**", "test/**"')),
    web(
        "suppressions pruned",
        "eslint-suppressions.json",
        '{"src/a.ts": {"no-var": {"count": 2}}}',
        '{"src/a.ts": {"no-var": {"count": 1}}}',
    ),
    web(
        "dependencies and scripts",
        "package.json",
        '{"devDependencies": {"jest": "^29.0.0"}}',
        '{"devDependencies": {"jest": "^30.0.0"}, "scripts": {"dev": "vite"}}',
    ),
    case(
        "jest moved to package.json",
        {"jest.config.js": JEST},
        {"package.json": '{"jest": {"coverageThreshold": {"global": {"lines": 90}}}}'},
    ),
    web("jest floor through a constant", "jest.config.js", JEST, "const MIN = 90;\n" + JEST.replace("90", "MIN")),
    web("jest stricter for one folder", "jest.config.js", JEST, JEST.replace("}}}", '}, "./src/": {lines: 100}}}')),
    web("vitest environment", "vitest.config.ts", VITEST, VITEST.replace("test: {", "test: {environment: 'jsdom', ")),
    web(
        "vitest formatting and comments",
        "vitest.config.ts",
        VITEST,
        VITEST.replace("{lines: 90}", "{\n  // 90 it is\n  lines: 90.0,\n}"),
    ),
    web(
        "vite plugin added",
        "vite.config.ts",
        "export default defineConfig({plugins: [react()]});",
        "export default defineConfig({plugins: [react(), svgr()], server: {port: 1}});",
    ),
    web(
        "jest says its default", "jest.config.js", "module.exports = {};", "module.exports = {collectCoverage: false};"
    ),
    web("next images", "next.config.js", "module.exports = {};", "module.exports = {images: {domains: ['x.test']}};"),
    web("biome stricter", "biome.json", "{}", '{"linter": {"rules": {"style": {"useConst": "error"}}}}'),
]


@pytest.mark.parametrize("case", WORSE, ids=lambda case: case.name)
def test_worse(case: Case) -> None:
    assert rules(case.before, case.after) == tuple(sorted(case.rules))


@pytest.mark.parametrize("case", INNOCENT, ids=lambda case: case.name)
def test_innocent(case: Case) -> None:
    assert rules(case.before, case.after) == ()


@pytest.mark.parametrize(("before", "after", "lost"), PRESETS.values(), ids=PRESETS)
def test_a_milder_preset(before: str, after: str, *, lost: bool) -> None:
    found = rules(SRC | {".eslintrc.json": before}, SRC | {".eslintrc.json": after})
    assert (LOST in found) is lost
    assert SHOWN in found


@pytest.mark.parametrize(("before", "after", "lost"), FLAT_PRESETS.values(), ids=FLAT_PRESETS)
def test_a_milder_preset_of_a_module(before: str, after: str, *, lost: bool) -> None:
    found = rules(SRC | {"eslint.config.js": flat(before)}, SRC | {"eslint.config.js": flat(after)})
    assert (LOST in found) is lost


MUTATIONS = {
    "a condition": "if (!process.env.CI) { c.test.coverage.thresholds.lines = 0; }",
    "a loop": "for (const k in c.test) delete c.test[k];",
    "a call": "weaken(c);",
    "Object.assign": "Object.assign(c.test, {coverage: {}});",
    "an alias": "const t = c.test; t.coverage = {};",
}


@pytest.mark.parametrize("statement", MUTATIONS.values(), ids=MUTATIONS.keys())
def test_what_is_done_to_a_configuration_unseen_is_for_review(statement: str) -> None:
    before = f"const c = {THRESHOLDS};\nexport default c;"
    after = f"const c = {THRESHOLDS};\n{statement}\nexport default c;"
    assert rules({**SRC, "vitest.config.ts": before}, {**SRC, "vitest.config.ts": after}) == ("cfg.unreadable-value",)


DEEP = {
    "JSON": ("tsconfig.json", STRICT, "[" * 20_000 + "]" * 20_000),
    "a module": ("jest.config.js", JEST, "module.exports = " + "(" * 5_000 + "1" + ")" * 5_000),
    "lists of lists": (
        "jest.config.js",
        JEST,
        "const a0 = [1];"
        + "".join(f"const a{i + 1} = [...a{i}, ...a{i}];" for i in range(40))
        + "module.exports = a40;",
    ),
    "bases of bases": (
        "tsconfig.json",
        STRICT,
        '{"extends": ["./tsconfig.json", "./tsconfig.json", "./tsconfig.json"]}',
    ),
}


@pytest.mark.parametrize(("path", "before", "after"), DEEP.values(), ids=DEEP.keys())
def test_what_never_ends_is_never_silent(path: str, before: str, after: str) -> None:
    assert rules({**SRC, path: before}, {**SRC, path: after}) != ()
