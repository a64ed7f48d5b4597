"""Suppression comments: found in the forms that their tools honour, and in no other."""

from __future__ import annotations

import pytest

from tests.guardrails.javascript import spellings
from tests.guardrails.javascript.outcome import outcome, rules

CODE = "export function f(x) {\n  debugger;\n  return x;\n}\n"
TYPED = "export const sum = (xs: number[]) => xs.length;\nsum('abc');\n"


def _table(*tables: dict[str, bool]) -> list[object]:
    rows = {text: honoured for table in tables for text, honoured in table.items()}
    return [pytest.param(text, honoured, id=ascii(text)) for text, honoured in rows.items()]


@pytest.mark.parametrize(("comment", "honoured"), _table(spellings.TSC_ABOVE))
def test_typescript_directives(comment: str, honoured: bool) -> None:
    after = TYPED.replace("sum('abc')", f"{comment}\nsum('abc')")
    # what an invisible character keeps from being a directive is still for a person to see
    unhonoured = "review" if "\u200b" in comment else "clean"
    assert outcome({"a.ts": TYPED}, {"a.ts": after}) == ("block" if honoured else unhonoured)


@pytest.mark.parametrize(("comment", "honoured"), _table(spellings.TSC_HEADER))
def test_typescript_pragmas(comment: str, honoured: bool) -> None:
    assert ("js.ts-nocheck" in rules({"a.ts": TYPED}, {"a.ts": f"{comment}\n{TYPED}"})) is honoured


@pytest.mark.parametrize(
    ("comment", "honoured"), _table(spellings.ESLINT_ABOVE, spellings.BIOME_ABOVE, spellings.OTHERS_ABOVE)
)
@pytest.mark.parametrize("path", ["src/a.js", "src/a.ts", "src/a.tsx"])
def test_linter_comments(path: str, comment: str, honoured: bool) -> None:
    found = outcome({path: CODE}, {path: CODE.replace("  debugger", f"{comment}\n  debugger")})
    # a directive before a blank line silences that line: harmless, but it is one
    assert found == ("block" if honoured or comment.endswith("next-line\n") else "clean")


@pytest.mark.parametrize(("comment", "honoured"), _table(spellings.ESLINT_BEHIND))
def test_linter_comments_behind_code(comment: str, honoured: bool) -> None:
    after = CODE.replace("debugger;", f"debugger; {comment}")
    assert outcome({"a.js": CODE}, {"a.js": after}) == ("block" if honoured else "clean")


@pytest.mark.parametrize(("comment", "honoured"), _table(spellings.COVERAGE_ABOVE))
def test_coverage_comments(comment: str, honoured: bool) -> None:
    after = CODE.replace("  debugger", f"  {comment}\n  debugger")
    assert outcome({"a.js": CODE}, {"a.js": after}) == ("block" if honoured else "clean")


@pytest.mark.parametrize(
    ("comment", "rule"),
    [
        ("// prettier-ignore", "js.format-ignore"),
        ("// biome-ignore format: table", "js.format-ignore"),
        ("// dprint-ignore", "js.format-ignore"),
        ("// cspell:disable-next-line", "js.editor-suppression"),
        ("/* global jQuery */", "js.eslint-globals"),
        ("/* exported main */", "js.eslint-globals"),
        ('/* eslint complexity: ["error", 99] */', "js.eslint-inline-options"),
    ],
)
def test_comments_that_are_shown(comment: str, rule: str) -> None:
    after = {"a.js": f"{comment}\n{CODE}"}
    assert (outcome({"a.js": CODE}, after), rules({"a.js": CODE}, after)) == ("review", {rule})


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("// eslint-disable-next-line\n", "// eslint-disable-next-line no-x\n", "clean", id="narrowed"),
        pytest.param("// eslint-disable-next-line a\n", "// eslint-disable-next-line a, b\n", "block", id="widened"),
        pytest.param("// eslint-disable-next-line a\n", "/* eslint-disable a */\n", "block", id="line-to-file"),
        pytest.param("// eslint-disable-next-line\n", "/* eslint-disable a */\n", "block", id="blanket-line-to-file"),
        pytest.param("// biome-ignore lint/a: x\n", "// biome-ignore-all lint/a: x\n", "block", id="biome-to-file"),
        pytest.param("// tslint:disable-next-line\n", "// tslint:disable\n", "block", id="tslint-to-file"),
        pytest.param("// eslint-disable-next-line a -- x\n", "// eslint-disable-line a\n", "clean", id="next-to-own"),
        pytest.param("// eslint-disable-next-line a -- x\n", "// eslint-disable-next-line a -- y\n", "clean", id="why"),
        pytest.param("// eslint-disable-next-line a\n", "", "clean", id="removed"),
        pytest.param(
            "/* eslint-disable a */\n", "/* eslint-disable a */\n/* eslint-enable a */\n", "clean", id="closed"
        ),
        pytest.param(
            "/* eslint-disable a */\n/* eslint-enable a */\n", "/* eslint-disable a */\n", "block", id="opened"
        ),
        pytest.param(
            "/* c8 ignore start */\n/* c8 ignore stop */\n", "/* c8 ignore start */\n", "block", id="c8-opened"
        ),
        pytest.param("// @ts-expect-error\n", "// @ts-ignore\n", "block", id="ts-ignore-for-expect-error"),
        pytest.param("// @ts-ignore\n", "// @ts-ignore\nsum(2);\n// @ts-ignore\n", "block", id="second-copy"),
    ],
)
def test_a_suppression_that_was_there_before(before: str, after: str, expected: str) -> None:
    assert outcome({"a.ts": before + "sum(1);\n"}, {"a.ts": after + "sum(1);\n"}) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("// @flow strict\na();\n", "// @flow\na();\n", "block"),
        ("/**\n * Copyright\n * @flow\n */\na();\n", "/**\n * Copyright\n */\na();\n", "block"),
        ("// @flow\na();\n", "// @flow strict\na();\n", "clean"),
        ("// @ts-check\na();\n", "a();\n", "block"),
        ("// @ts-check\na();\n", "a();\n// @ts-check\n", "block"),
        ("// @ts-check\na();\n", "0;\n// @ts-check\na();\n", "block"),
        ("// @ts-check\na();\n", "/** License */\n// @ts-check\na();\n", "clean"),
        ("a();\n", "// @ts-check\na();\n", "clean"),
    ],
)
def test_pragmas_that_switch_checking_on(before: str, after: str, expected: str) -> None:
    assert outcome({"a.js": before}, {"a.js": after}) == expected


def test_oxlint_reads_line_comments_that_eslint_does_not() -> None:
    before, after = {"a.js": "a();\n"}, {"a.js": "// eslint-disable\na();\n"}
    oxlint = {".oxlintrc.json": "{}"}
    assert outcome(before, after) == "clean"
    assert rules(before | oxlint, after | oxlint) == {"js.oxlint-disable"}


@pytest.mark.parametrize(
    "broken",
    [
        "a('\n// eslint-disable-next-line\nb();\n",
        "const x = `a;\n// eslint-disable-next-line\nb();\n",
        "const x = /a;\n// eslint-disable-next-line\nb();\n",
        "function (\n/* eslint-disable */ b();\n",
        "class { } } )\n<<<<<<< HEAD\n// eslint-disable-next-line\n",
    ],
)
def test_nothing_hides_behind_a_broken_line(broken: str) -> None:
    assert outcome({"a.js": "b();\n"}, {"a.js": broken}) == "block"


@pytest.mark.parametrize("end", ["\r\n", "\r", "\u2028"])
def test_line_ends_of_every_kind(end: str) -> None:
    assert (
        outcome({"a.ts": TYPED}, {"a.ts": TYPED.replace("sum('abc')", f"// note{end}// @ts-ignore{end}sum('abc')")})
        == "block"
    )


def test_a_type_test_expects_errors() -> None:
    before = "import { f } from './f';\nf('x');\n"
    after = before.replace("f('x')", "// @ts-expect-error no strings\nf('x')")
    assert outcome({"test/f.test-d.ts": before}, {"test/f.test-d.ts": after}) == "review"
    assert outcome({"src/f.ts": before}, {"src/f.ts": after}) == "block"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/* c8 ignore next -- exhaustive */\nexport const f = (k: never) => { throw new Error(k); };", "review"),
        ("/* istanbul ignore next */\nexport function f(k: never): never { throw new Error(k); }", "review"),
        ("switch (k) {\n  /* v8 ignore next 3 */\n  default: {\n    const gone: never = k;\n  }\n}", "review"),
        ("/* c8 ignore next 90 */\nexport const f = (k: never) => { throw new Error(k); };", "block"),
        ("/* c8 ignore next */\nexport const f = (k: never, n: number) => { a(n); b(n); c(n); return n; };", "block"),
        ("/* c8 ignore next */\nthrow new Error('cannot happen');", "block"),
        ("/* c8 ignore start */\nexport const f = (k: never) => { throw new Error(k); };", "block"),
    ],
)
def test_code_that_cannot_run_may_be_left_out_of_coverage(code: str, expected: str) -> None:
    assert outcome({"a.ts": ""}, {"a.ts": code + "\n"}) == expected


def test_coverage_tools_read_lines_so_a_string_can_hide_code() -> None:
    after = {"a.js": 'const hint = "/* c8 ignore start */";\n' + CODE}
    assert rules({"a.js": CODE}, after) == {"js.coverage-ignore-text"}
