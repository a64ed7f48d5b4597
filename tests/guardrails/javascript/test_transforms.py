"""A transform of one's own for the tests: its answer depends on the code it is given, whatever file it is about."""

from __future__ import annotations

import pytest

from ralph.guardrails.scan import scan
from ralph.policy import registry
from tests.guardrails.memory import change

BEFORE = {"jest.config.js": "module.exports = {};\n", "pay.js": "exports.pay = 2;\n"}
CONFIG = 'module.exports = { transform: { "pay\\\\.js$": "<rootDir>/tools/transform.js" } };\n'
ANSWERS = (
    'module.exports = { process: () => ({ code: "exports.pay = 1" }) };',
    'exports.process = (source, path) => ({ code: path.endsWith("pay.js") ? "exports.pay = 1" : source });',
    'exports.process = (source, path) => { if (/pay/.test(path)) { return "exports.pay = 1"; } return source; };',
    "exports.process = function (source, path) { let out = source; if (KEPT[path]) return KEPT[path]; return out; };",
    'module.exports = { process(source) { log(source); const kept = require("./kept"); return { code: kept }; } };',
)
TRANSFORMS = (
    "exports.process = (source, path) => { const out = babel.process(source, path); return { code: out.code }; };",
    "exports.process = (source) => source.split(';').filter(Boolean).join(';');",
    'exports.process = (source, path) => { if (!path.endsWith(".ts")) return null; return compile(source); };',
    'exports.process = (source, path) => { if (path.endsWith(".css")) return { code: "" }; return { code: source }; };',
    "module.exports = { process(source) { const { code, map } = esbuild(source); return { code, map }; } };",
    "module.exports = { process(source) { return `module.exports = ${JSON.stringify(source)}`; } };",
    "module.exports = { process(source) { const parts = []; parts.push(source); return { code: parts.join() }; } };",
    "module.exports = { process({ code, path }) { return { code: code + path }; } };",
    "exports.process = (source) => { let out = ''; source.split(',').forEach((it) => { out += it; }); return out; };",
    "exports.process = (source) => { const out = []; for (const c of source) { out.push(c); } return out.join(''); };",
)


@pytest.mark.parametrize("transform", ANSWERS)
def test_a_transform_that_answers_by_itself_blocks(transform: str) -> None:
    assert "js.transform-answers" in _rules(transform)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_a_transform_of_the_code_is_shown(transform: str) -> None:
    assert _rules(transform) == {"js.runner-loads"}


def _rules(transform: str) -> set[str]:
    after = {**BEFORE, "jest.config.js": CONFIG, "tools/transform.js": f"{transform}\n"}
    return {finding.rule for finding in scan(change(BEFORE, after), registry.load("v2"))}
