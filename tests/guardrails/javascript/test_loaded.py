"""What a runner is made to load, and where names are made to lead: a finding stands wherever a person would look."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.guardrails.javascript.outcome import findings

TREE = {
    "src/fee.js": "exports.fee = (sum, rate) => sum * rate;\n",
    "src/index.js": 'module.exports = require("./fee");\n',
    "test/fee.test.js": 'const { fee } = require("../src/fee");\ntest("a", () => { expect(fee(200, 2)).toBe(4); });\n',
    "package.json": '{\n  "name": "till"\n}\n',
}
COPY = "exports.fee = () => 4;\n"
ALIASED = {
    **TREE,
    "test/fee.test.js": TREE["test/fee.test.js"].replace("../src/fee", "@/fee"),
    "jest.config.js": 'module.exports = { moduleNameMapper: { "^@/(.*)$": "<rootDir>/src/$1" } };\n',
}
NAMED = {
    **TREE,
    "test/fee.test.js": TREE["test/fee.test.js"].replace("../src/fee", "#fee"),
    "package.json": '{\n  "name": "till",\n  "imports": { "#fee": "./src/fee.js" }\n}\n',
}
TYPED = {
    "src/fee.ts": "export const fee = (sum: number, rate: number) => sum * rate;\n",
    "test/fee.test.ts": 'import { fee } from "@till/fee";\ntest("fee", () => { expect(fee(200, 2)).toBe(4); });\n',
    "tsconfig.json": '{ "compilerOptions": { "paths": { "@till/*": ["src/*"] } } }\n',
}


MOVED = '"baseUrl": "src", "paths": { "@till/fee": ["../support/fee"], "@till/*": ["./*"]'


def jest(pattern: str, value: str) -> dict[str, str]:
    return {"jest.config.js": f'module.exports = {{ moduleNameMapper: {{ "{pattern}": "{value}" }} }};\n'}


def vitest(settings: str, above: str = "") -> dict[str, str]:
    return {"vitest.config.ts": f"{above}export default {{\n  {settings}\n}};\n"}


def blocked(before: dict[str, str], edits: Mapping[str, str | None]) -> set[str]:
    after = {path: text for path, text in {**before, **edits}.items() if text is not None}
    return {finding.path for finding in findings(before, after) if finding.severity == "block"}


AWAY = {
    "one file": (TREE, jest(r"^\\.\\./src/fee$", "<rootDir>/support/fee.js"), "support/fee.js"),
    "anywhere": (TREE, jest("(.*)/fee(\\\\.js)?$", "<rootDir>/test-support/fee.js"), "test-support/fee.js"),
    "a bare word": (TREE, jest("fee", "<rootDir>/lib/fee.js"), "lib/fee.js"),
    "a folder": (TREE, jest(r"^\\.\\./src/(.*)$", "<rootDir>/support/$1"), "support/fee.js"),
    "a choice": (TREE, jest(r"^\\.\\./src/(fee|tax)$", "<rootDir>/support/$1.js"), "support/fee.js"),
    "an alias": (
        TREE,
        vitest('test: { alias: { "../src/fee": new URL("./support/fee.js", import.meta.url).pathname } },'),
        "support/fee.js",
    ),
    "an alias, joined": (
        TREE,
        vitest('resolve: { alias: { "../src/fee": path.resolve(__dirname, "support", "fee.js") } },'),
        "support/fee.js",
    ),
    "an alias of a project": (
        TREE,
        vitest('test: { projects: [{ test: { alias: { "../src/fee": "./support/fee.js" } } }] },'),
        "support/fee.js",
    ),
    "a prefix that led elsewhere": (ALIASED, jest("^@/(.*)$", "<rootDir>/support/$1"), "support/fee.js"),
    "imports of a package": (
        NAMED,
        {"package.json": NAMED["package.json"].replace("./src/fee.js", "./test-support/fee.js")},
        "test-support/fee.js",
    ),
    "imports on a condition": (
        NAMED,
        {"package.json": NAMED["package.json"].replace('"./src/fee.js"', '{ "test": "./stubs/a.js" }')},
        "stubs/a.js",
    ),
    "paths of the compiler": (
        TYPED,
        {"tsconfig.json": TYPED["tsconfig.json"].replace('["src/*"]', '["support/*", "src/*"]')},
        "support/fee.ts",
    ),
    "Babel": (
        TREE,
        {".babelrc": '{ "plugins": [["module-resolver", { "alias": { "../src/fee": "./support/fee.js" } }]] }\n'},
        "support/fee.js",
    ),
    "webpack": (
        TREE,
        {"webpack.config.js": 'module.exports = { resolve: { alias: { "../src/fee": "./support/fee.js" } } };\n'},
        "support/fee.js",
    ),
}


AWAY["aliases of a package"] = (
    TREE,
    {"package.json": '{ "name": "till", "_moduleAliases": { "./src/fee.js": "./support/fee.js" } }\n'},
    "support/fee.js",
)
AWAY["paths from a base"] = (
    TYPED,
    {"tsconfig.json": TYPED["tsconfig.json"].replace('"paths": { "@till/*": ["src/*"]', MOVED)},
    "support/fee.ts",
)


@pytest.mark.parametrize("name", AWAY)
def test_a_copy_in_the_place_of_a_module_blocks_at_both_files(name: str) -> None:
    before, config, copy = AWAY[name]
    assert blocked(before, {**config, copy: COPY}) == {*config, copy}


RESOLVES = "if (id.endsWith('/fee')) return path.resolve('./support/fee.js');"
PLUGINS = [
    f"{{ resolveId(id) {{ {RESOLVES} }} }}",
    "{ load(id) { if (/fee/.test(id)) return 'export const fee = () => 4;'; } }",
    "{ transform: (text, id) => (id.endsWith('fee.js') ? 'export const fee = () => 4;' : text) }",
]
OTHER_PLUGINS = [
    "{ load(id) { if (id === 'virtual:pages') return 'export default [];'; } }",
    "{ transform(text, id) { if (id.endsWith('fee.js')) return instrumented(text); } }",
    "{ transform(text, id) { if (id.endsWith('.svg')) return 'export default 1;'; } }",
    "{ resolveId(id) { if (id === 'virtual:pages') return './support/pages.js'; } }",
]


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_that_answers_for_a_module_blocks(plugin: str) -> None:
    config = vitest(f"plugins: [{plugin}],")
    assert "vitest.config.ts" in blocked(TREE, {**config, "support/fee.js": COPY})


@pytest.mark.parametrize("plugin", OTHER_PLUGINS)
def test_other_plugins_do_not(plugin: str) -> None:
    assert blocked(TREE, {**vitest(f"plugins: [{plugin}],"), "support/pages.js": "export default [];\n"}) == set()


HONEST: dict[str, tuple[dict[str, str], Mapping[str, str | None]]] = {
    "styles": (TREE, {**jest(r"\\.(css|less)$", "<rootDir>/test/style.js"), "test/style.js": "module.exports = {};\n"}),
    "a prefix": (TREE, {**jest("^@/(.*)$", "<rootDir>/src/$1")}),
    "another package": (TREE, {**jest("^react$", "preact/compat")}),
    "a package's double": (TREE, {**jest("^uuid$", "<rootDir>/test/uuid.js"), "test/uuid.js": "exports.v4 = 1;\n"}),
    "a module that moved": (
        TREE,
        {
            **jest(r"^\\.\\./src/fee$", "<rootDir>/lib/fee.js"),
            "lib/fee.js": TREE["src/fee.js"],
            "src/fee.js": None,
            "src/index.js": None,
        },
    ),
    "a name that nobody used": (TREE, {**jest("^@lib/fee$", "<rootDir>/lib/fee.js"), "lib/fee.js": COPY}),
    "helpers of tests": (TREE, {**jest("^@test/(.*)$", "<rootDir>/test/$1"), "test/fee.js": "exports.rows = [];\n"}),
    "imports that moved": (
        NAMED,
        {
            "package.json": NAMED["package.json"].replace("./src", "./lib"),
            "lib/fee.js": TREE["src/fee.js"],
            "src/fee.js": None,
        },
    ),
    "a project among others, with the same alias": (
        {f"examples/one/{path}": text for path, text in ALIASED.items()},
        {f"examples/.test/two/{path}": text for path, text in ALIASED.items()},
    ),
    "aliases that a loop makes": (
        ALIASED,
        vitest(
            "test: { alias: { ...all } },",
            'const all = {};\nfor (const name of ["fee"]) all[name] = `./src/${name}`;\n',
        ),
    ),
    "new paths": (
        TYPED,
        {
            "tsconfig.json": TYPED["tsconfig.json"].replace('"@till/*"', '"@test/*": ["test/*"], "@till/*"'),
            "test/fee.ts": "export const rows = [];\n",
        },
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_other_mappings_do_not(name: str) -> None:
    before, edits = HONEST[name]
    assert blocked(before, edits) == set()


EXITS = "module.exports = async () => {\n  process.exit(0);\n};\n"
AT_EXIT = 'process.on("exit", () => {\n  process.exitCode = 0;\n});\n'
CLAIMS = "module.exports = class {\n  onRunComplete(contexts, results) {\n    results.numFailedTests = 0;\n  }\n};\n"
EMPTIES = "globalThis.it = () => {};\n"
PASSES = 'module.exports = class {\n  onEnd() {\n    return { status: "passed" };\n  }\n};\n'
STATES = 'module.exports = class {\n  onTestEnd(test, result) {\n    result.status = "passed";\n  }\n};\n'
SKIPS = "beforeEach((context) => {\n  context.skip();\n});\n"
MOCKS = 'jest.mock("../src/fee", () => ({ fee: () => 4 }));\n'
REDIRECTS = 'require.cache[require.resolve("../src/fee")] = { exports: require("./fee"), loaded: true };\n'
LOADED = [
    (".mocharc.json", '{ "require": "./tools/own.js" }\n', REDIRECTS),
    ("jest.config.js", 'module.exports = {\n  globalTeardown: "./tools/own.js",\n};\n', EXITS),
    ("jest.config.js", 'module.exports = {\n  setupFiles: [require.resolve("./tools/own.js")],\n};\n', EMPTIES),
    ("jest.config.js", 'module.exports = {\n  setupFiles: ["./tools/own.js"],\n};\n', MOCKS),
    ("jest.config.js", 'module.exports = {\n  reporters: [["<rootDir>/tools/own.js", { a: 1 }]],\n};\n', CLAIMS),
    ("vitest.config.ts", 'export default { test: { setupFiles: path.join(__dirname, "tools/own.js") } };\n', SKIPS),
    ("vitest.config.ts", 'export default { test: { projects: [{ globalSetup: "./tools/own.js" }] } };\n', EXITS),
    ("vitest.config.ts", 'import Own from "./tools/own";\nexport default { test: { reporters: [Own] } };\n', CLAIMS),
    ("playwright.config.ts", 'export default {\n  reporter: [["list"], ["./tools/own.js"]],\n};\n', PASSES),
    ("playwright.config.ts", 'export default {\n  reporter: [["list"], ["./tools/own.js"]],\n};\n', STATES),
    (".mocharc.yml", "require:\n  - ./tools/own.js\n", AT_EXIT),
    ("spec/support/jasmine.json", '{ "helpers": ["../../tools/own.js"] }\n', AT_EXIT),
    ("package.json", '{ "ava": { "require": ["./tools/own.js"] } }\n', AT_EXIT),
    ("package.json", '{ "scripts": { "test": "mocha -r ./tools/own.js" } }\n', AT_EXIT),
    ("package.json", '{ "scripts": { "test": "node --import ./tools/own.js --test" } }\n', AT_EXIT),
    ("package.json", '{ "scripts": { "test": "node --test --test-reporter=./tools/own.js" } }\n', AT_EXIT),
    ("Makefile", "test:\n\tnpx mocha --require tools/own.js\n", AT_EXIT),
    (".github/workflows/ci.yml", "jobs:\n  t:\n    steps:\n    - run: jest --globalTeardown ./tools/own.js\n", EXITS),
    ("scripts/test.sh", "set -e\nNODE_OPTIONS='--require ./tools/own.js' npx jest\n", AT_EXIT),
]  # fmt: skip


@pytest.mark.parametrize(("config", "text", "own"), LOADED)
def test_a_file_that_takes_the_run_over_blocks_where_it_is_loaded_too(config: str, text: str, own: str) -> None:
    assert {config, "tools/own.js"} <= blocked(TREE, {config: text, "tools/own.js": own})


def test_it_may_be_loaded_by_what_is_loaded() -> None:
    config = {"jest.config.js": 'module.exports = {\n  setupFiles: ["./tools/own.js"],\n};\n'}
    files = {"tools/own.js": 'require("./deep");\n', "tools/deep.js": EMPTIES}
    assert blocked(TREE, {**config, **files}) == {"jest.config.js", "tools/deep.js"}


def test_it_may_have_been_there_before() -> None:
    config = {"jest.config.js": 'module.exports = {\n  globalTeardown: "./tools/own.js",\n};\n'}
    assert blocked({**TREE, "tools/own.js": EXITS}, {**config}) == {"jest.config.js"}


HELPS = [
    'delete require.cache[require.resolve("../src/fee")];\n',
    'require("module-alias").addAlias("@", __dirname + "/../lib");\n',
    "module.exports = async () => {\n  await global.server.close();\n};\n",
    "module.exports = async () => {\n  if (!process.env.DB) process.exit(1);\n};\n",
    "module.exports = class {\n  onRunComplete(contexts, results) {\n    log(results.numFailedTests);\n  }\n};\n",
    'const { TextEncoder } = require("util");\nObject.assign(global, { TextEncoder });\n',
    "expect.extend({ toBeNear(a, b) { return { pass: Math.abs(a - b) < 1, message: () => '' }; } });\n",
    "process.on('SIGINT', () => process.exit(0));\n",
    "beforeEach(function () {\n  if (process.platform === 'win32') this.skip();\n});\n",
    "module.exports = class {\n  onEnd(result) {\n    return { status: result.status };\n  }\n};\n",
]


@pytest.mark.parametrize("own", HELPS)
@pytest.mark.parametrize(
    ("config", "text"),
    [
        ("jest.config.js", 'module.exports = {\n  setupFiles: ["./tools/own.js"],\n};\n'),
        ("package.json", '{ "scripts": { "test": "mocha -r ./tools/own.js" } }\n'),
    ],
)
def test_other_files_may_be_loaded(config: str, text: str, own: str) -> None:
    assert blocked(TREE, {config: text, "tools/own.js": own}) == set()


def test_a_build_may_end_its_process() -> None:
    ends = "export default () => ({ closeBundle() { process.exit(0); } });\n"
    config = 'import ends from "./tools/ends";\nexport default { plugins: [ends()] };\n'
    assert blocked(TREE, {"vite.config.ts": config, "tools/ends.ts": ends}) == set()


REPLACED = [
    'for (const name of ["it", "test"]) {\n  globalThis[name] = globalThis[name].skip;\n}\n',
    '["it", "test"].forEach((name) => {\n  global[name] = global[name].skip;\n});\n',
    "for (const [name, made] of Object.entries({ it, test })) globalThis[name] = made.todo;\n",
    'const names = ["describe"];\nfor (const name of names) global[name] = () => {};\n',
    'const off = (name) => { global[name] = global[name].skip; };\noff("it");\n',
    'for (const name of ["it"]) {\n  const { skip } = global[name];\n  global[name] = skip;\n}\n',
    'for (const name of ["it"]) Object.defineProperty(globalThis, name, { value: globalThis[name].skip });\n',
    "const all = global;\nfor (const name of NAMES) all[name] = all[name].skip;\n",
    "const all = globalThis;\nall.it = all.it.skip;\n",
]
KEPT = [
    'const { JSDOM } = require("jsdom");\nfor (const name of ["window"]) globalThis[name] = new JSDOM("")[name];\n',
    'const bdd = require("node:test");\nfor (const name of ["it", "describe"]) globalThis[name] = bdd[name];\n',
    'const { it } = require("node:test");\nglobalThis.it = it;\n',
    '["localStorage"].forEach((name) => { global[name] = () => {}; });\n',
    'const util = require("util");\nObject.keys(util).forEach((key) => { global[key] = util[key]; });\n',
    'for (const name of ["log", "warn"]) console[name] = () => {};\n',
]


@pytest.mark.parametrize("text", REPLACED)
def test_test_functions_are_replaced_by_any_name(text: str) -> None:
    assert "support/env.js" in blocked(TREE, {"support/env.js": text})


@pytest.mark.parametrize("text", KEPT)
def test_other_globals_may_be_set(text: str) -> None:
    assert blocked(TREE, {"support/env.js": text}) == set()
