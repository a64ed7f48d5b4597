r"""The cheap words: a file none of whose changed lines matches any is not parsed (see `guardrails.registry`).

Matched without case on bytes, `^` and `$` at line ends, no look-around (Hyperscan knows none). Each list must let
through everything that its detectors can find, however it is spelled: `\u` and `\x` escapes, names put together
from strings and brackets on a test function all count as words.
"""

from __future__ import annotations

_ROOTS = r"(?:it|test|specify|describe|context|suite|bench)"

PRAGMA_WORDS = (r"@flow", r"@ts-(?:no)?check", r"eslint-disable")

COMPILER_WORDS = (r"@ts-(?:ignore|expect-error|nocheck|check|strict-ignore)",)

ESLINT_WORDS = (
    r"eslint-|\*\s*eslint\s|^\s*eslint\s",
    r"\*\s*(?:globals?|exported)\s",
    r"^\s*(?:globals?|exported)\s",
)

LINTER_WORDS = (
    r"biome-ignore|oxlint-|deno-lint-|tslint:|stylelint-|jshint|jscs:|type-coverage:",
    r"\$Flow|@noflow|flowlint",
    r"svelte-ignore|@vue-",
    r"skipcq|stryker|cspell",
    r"(?:prettier|dprint|oxfmt|deno-fmt)-ignore",
)

COVERAGE_WORDS = (r"(?:istanbul|[cv]8|node:coverage)\s+(?:ignore|disable|enable)",)

CODE_WORDS = (
    r"\bas\b.*\b(?:any|unknown|never|object)\b",
    r"^\s*(?:any|unknown|never|object)\s*(?:[;,)\]}>]|as\b|$)",
    r"<\s*(?:any|unknown|never|object)\b",
    r"\b(?:any|unknown|never)\s*>",
    r"\btype\s+\w+\s*=\s*(?:any|unknown|never|object)",
    r"\bas\s*$",
    r"\bas\s+\w+\s+as\b|\bas\s*\{",
    r"[\w)\]\"'`/>]\s*!\s*(?:[.;,)\]}\[(<>:?&|*+/-]|$|\s(?:as|in|of|instanceof|satisfies)\b|\s[=?:&|*+/<>-])",
    r"\bdeclare\s+module\b|\bdeclare\s*(?:$|/[*/])|^\s*module\s*[\"']",
)

DEFINITION_WORDS = (r"(?:^|[^.\w$])" + _ROOTS + r"\s*[.(\[`]", r"qunit|deno")

MODIFIER_WORDS = (
    r"skip|todo|fails|failing|expectfailure|fixme|pending|runif|\bonly\b|\.\s*fail\b|\bfail\s*[,:}]",
    r"\bignore\s*[:,}]",
    r"\b[xf](?:it|test|specify|describe|context|suite)\b",
    r"\\[ux]",
    r"\b" + _ROOTS + r"\b.{0,60}\[",
    r"\b(?:test|bench|it|describe|suite)\b[^\n]{0,40}\bif\b",
    r"=\s*" + _ROOTS + r"\b\s*(?:[;,)\[]|$|as\b)",
    r"[\"'`]\s*\+\s*[\"'`]",
    r"`\s*\]|\$\{\s*[\"'`]",
    r"\]\s*\(",
    r"reflect\b",
    r"\b(?:it|test|specify|bench)\s*(?:$|/[/*])",
)
"""In a file that holds none of these no test has a modifier, and none is skipped by its body."""

TEST_WORDS = (
    *DEFINITION_WORDS,
    *MODIFIER_WORDS,
    r"\b(?:process|bun|deno|meta)\s*\??\.\s*(?:env|argv|args|platform)\b|\benv\b.*=\s*process",
    r"\bif\s*\(\s*!?\s*(?:false|true|0|1|null|undefined|void|[\"'])",
    r"^\s*(?:false|0|null|undefined)\s*(?:&&|\?)",
    r"\bconst\s+\w+(?:\s*:\s*\w+)?\s*=\s*(?:false|true|!|0|1|null|undefined|void|\"|'')",
    r"^\s*return\s*;?\s*$|return\s*;\s*(?:it|test|describe|suite|context)\b",
    r"\b(?:it|test|specify|describe|suite|context)\b.*\breturn\s*;",
    r"\bof\s+\[\s*\]|\(\s*\[\s*\]\s*\)|\[\s*\]\s*\.",
    r"\bwhile\s*\(\s*(?:!|false|0|null)",
)

_NOT_A_MEMBER = r"(?:^|[^.\w$])"
_FUNCTION = r"[xf]?(?:it|test|specify|describe|context|suite|bench)"
_MEMBER = (
    r"(?:each|for|concurrent|sequential|serial|parallel|shuffle|extend|describe|step|call|apply|bind|only|skip|todo|"
    r"skipif|runif|if|fails|failing|fixme|info)\b"
)

A_TEST_FRAMEWORK = (
    _NOT_A_MEMBER + _FUNCTION + r"\s*(?:\?\.\s*)?(?:<[^>]*>\s*)?\(\s*(?:[\"'`{]|/[*/])",
    _NOT_A_MEMBER
    + _FUNCTION
    + r"\s*(?:/\*[^*]*\*/\s*)?[!)]?\s*\??\.\s*(?:/\*[^*]*\*/\s*)?(?:"
    + _MEMBER
    + r"|\\|[/(])",
    _NOT_A_MEMBER + _FUNCTION + r"\s*(?:/\*[^*]*\*/\s*)?(?:\?\.\s*)?[\[`]",
    _NOT_A_MEMBER + _FUNCTION + r"\s*/[/*]",
    r"=\s*(?:it|test|specify|describe|suite)\s*(?:[;,]|as\b|$)",
    r"=\s*x(?:it|test|describe)\b|\bimport\.meta\.vitest\b",
    r"[{,]\s*(?:it|test|specify|describe|suite)\s*(?::|\bas\b)",
    r"\b(?:globalthis|global|window|self)\s*(?:\?\.)?\s*(?:\.\s*" + _FUNCTION + r"\b|\[)",
    r"\bqunit\b|\bdeno\s*\.\s*(?:test|bench)\b|\bdeno\s*\[|=\s*deno\b",
    r"[\"'`](?:(?:node:)?test|@?jest|vitest|mocha|bun:test|@?playwright|ava|tap|tape|uvu|zora|jasmine|cypress)[\"'`/]",
    r"[\"'`](?:@effect/vitest|@japa/runner|@open-wc/testing|(?:jsr:|npm:)?@std/testing)|/testing/bdd",
    r"\\u(?:00[67]|\{0*[67])",
)
"""In a file that holds none of these nothing can be a test."""
