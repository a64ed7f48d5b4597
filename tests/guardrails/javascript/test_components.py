"""Vue and Svelte components: their scripts and the comments of their markup."""

from __future__ import annotations

import pytest

from ralph.guardrails.javascript import scripts_of
from tests.guardrails.javascript.outcome import findings

VUE = b"""<template>
  <!-- eslint-disable-next-line vue/no-v-html -->
  <p v-html="a" />
</template>
<script lang="ts" setup>
const a = 1;
</script>
<script generic="T extends X>">
const b = 2;
</script>
<style>/* eslint-disable */</style>
"""


def test_the_parts_of_a_component() -> None:
    parts = [(part.language, part.first_line, part.data.strip()) for part in scripts_of("a.vue", VUE)]
    assert parts == [
        ("javascript", 2, b"/* eslint-disable-next-line vue/no-v-html */"),
        ("typescript", 5, b"const a = 1;"),
        ("javascript", 8, b"const b = 2;"),
    ]


@pytest.mark.parametrize(
    ("line", "rule", "number"),
    [
        ("<script>\nf(); // eslint-disable-line\n</script>", "js.eslint-disable-line", 2),
        ('<script lang="ts">\n// @ts-ignore\nf();\n</script>', "js.ts-ignore", 2),
        ('<script lang="ts">\nf(x as unknown as T);\n</script>', "js.double-cast", 2),
        ("<p/>\n<!-- svelte-ignore a11y-no-onclick -->", "js.lint-suppression", 2),
        ("<p/>\n<!-- eslint-disable -->", "js.eslint-disable", 2),
        ("<script>\n// @ts-nocheck", "js.ts-nocheck", 2),
    ],
)
@pytest.mark.parametrize("path", ["src/A.vue", "src/A.svelte"])
def test_findings_are_told_by_the_lines_of_the_component(path: str, line: str, rule: str, number: int) -> None:
    found = findings({path: "<p/>\n"}, {path: line + "\n"})
    assert (rule, number) in {(finding.rule, finding.line) for finding in found}


def test_markup_text_is_no_script() -> None:
    assert findings({}, {"a.vue": "<template>\n<p>// eslint-disable-line\n{{ x!.y }}</p>\n</template>\n"}) == ()
