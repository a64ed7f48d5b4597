"""The words let through what the detectors find, and leave typical code unread."""

from __future__ import annotations

import pytest

from ralph.guardrails.javascript import COMPARED_WORDS, WORDS
from ralph.guardrails.prefilter import hyperscan_matcher, prefilter, re_matcher
from tests.guardrails.javascript import spellings, test_skips

TYPICAL = b"""import { readFile } from "node:fs/promises";

export interface User { id: number; name?: string }

export async function load(path: string, limit = 10): Promise<User[]> {
  const text = await readFile(path, "utf8");
  const users = JSON.parse(text) as User[];
  if (users.length === 0 || !text) {
    throw new Error(`nothing in ${path}`);
  }
  for (const user of users.slice(0, limit)) {
    console.log(user.id !== 1 ? user.name : "root");
  }
  return users.filter((user) => user.id > 0).map((user) => ({ ...user, id: user.id + 1 }));
}
"""


@pytest.mark.parametrize("words", [WORDS, COMPARED_WORDS], ids=["directives", "tests"])
def test_typical_code_is_not_parsed(words: tuple[str, ...]) -> None:
    assert not prefilter(words).matches(TYPICAL)


@pytest.mark.parametrize("words", [WORDS, COMPARED_WORDS], ids=["directives", "tests"])
def test_both_engines_know_the_words(words: tuple[str, ...]) -> None:
    fast, slow = hyperscan_matcher(words), re_matcher(words)
    samples = [TYPICAL, b"it.skip('x')", b"// @ts-ignore", b"a!.b", b"x as any", b"/* eslint a: 0 */", b"// @flow"]
    if fast is not None:
        assert [fast(sample) for sample in samples] == [slow(sample) for sample in samples]


@pytest.mark.parametrize("table", [name for name in vars(spellings) if name.isupper()])
def test_every_honoured_directive_holds_a_word(table: str) -> None:
    honoured = [text for text, is_honoured in getattr(spellings, table).items() if is_honoured]
    assert [text for text in honoured if not prefilter(WORDS).matches(text.encode())] == []


def test_every_skip_and_focus_holds_a_word() -> None:
    added = [*test_skips.SKIPPED, *test_skips.FOCUSED]
    assert [text for text in added if not prefilter(COMPARED_WORDS).matches(text.encode())] == []
