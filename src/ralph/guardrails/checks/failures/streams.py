"""`jq -e` that is asked about many and answers for one (class G10).

Rules, for `jq -e`, which ends as the last value says that it gives:

- A condition on each of several things (`.[] | .result == "success"`) gives many answers, and all but the last are
  lost, unless something gathers them: `all`, `any`, `[...]`, `reduce`, `select`, a last word of its own.
- One success among them (`any(.[]; .result == "success")`) is none of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.command_files.shellwords import unwrapped
from ralph.system.patterns import later

ASKS = later(r"--exit-status|-[a-zA-Z]*e[a-zA-Z]*")
VALUED = {
    "--arg": 2,
    "--argjson": 2,
    "--slurpfile": 2,
    "--rawfile": 2,
    "--indent": 1,
    "-f": 1,
    "--from-file": 1,
    "-L": 1,
}
TEXT = later(r"\"(?:\\.|[^\"\\])*\"")
NESTED = later(r"[A-Za-z_]\w*\s*\([^()]*\)|\([^()]*\)|(?<![\w.)\]?\"])\[[^\[\]]*\]|\{[^{}]*\}")
ITERATES = later(r"(?<=[\w.)\]?\"])\[\s*\]")
MANY = later(r"@|\.\.(?!\.)|\b(?:recurse|inputs|range|paths)\b")
CONDITION = later(
    r"[=!]=|(?<![<>])[<>]=?(?!=)|\b(?:and|or|not|test|startswith|endswith|contains|has|inside)\b"
    r"|\.(?:ok|success|succeeded|passed|valid|healthy)\b\s*$"
)
GATHERS = later(r"\b(?:select|reduce|foreach|limit|first|last|isempty|halt_error|error|empty|input)\b")
ANY = later(r"\bany\s*\((?P<of>[^;()]*;)?(?P<what>[^()]*)\)|\|\s*(?P<each>[^|\[\]]*)\]\s*\|\s*any\b")
SUCCESS = later(r"==\s*\"(?:success|passed|pass|ok|green|completed)\"")


def one_of_many(script: Script) -> Iterator[tuple[str, int]]:
    """The filters of such calls, each with its row."""
    for node in script.walk() if "jq" in script.text else ():
        words = script.words(node, {}) if node.type == "command" else []
        for bare in list(unwrapped(words))[-1:] if words else ():
            said = _filter(bare) if bare[0] in ("jq", "gojq", "jaq") else None
            if said is not None and (_answers_for_last(said) or _is_one_success(said)):
                yield f"{bare[0]} -e {said}", node.start_point.row


def _filter(words: Sequence[str]) -> str | None:
    """What a call asks, if it ends as the answer says."""
    asks, index = False, 1
    while index < len(words):
        word = words[index]
        if not word.startswith("-") or word == "-":
            rest = words[index + 1 :]
            return word if asks or any(ASKS.fullmatch(each) for each in rest) else None
        asks = asks or ASKS.fullmatch(word) is not None
        index += 1 + VALUED.get(word, 0)
    return None


def _answers_for_last(said: str) -> bool:
    if GATHERS.search(said):
        return False
    stages = [_flat(stage) for stage in _stages(ITERATES.sub("@", TEXT.sub('""', said)))]
    many = next((index for index, stage in enumerate(stages) if MANY.search(stage)), len(stages))
    return CONDITION.search("|".join(stages[many:])) is not None


def _flat(stage: str) -> str:
    """Without what stands in parentheses or brackets of its own: that gives one value."""
    before = ""
    while stage != before:
        before, stage = stage, NESTED.sub(_kept, stage)
    return stage


def _kept(match: re.Match[str]) -> str:
    """A bare parenthesis only binds what is in it."""
    text = match[0]
    if text.startswith("("):
        return f" {text[1:-1]} "
    return "test" if CONDITION.match(text) else "_"


def _stages(text: str) -> Iterator[str]:
    """What stands between the pipes, outside all brackets."""
    depth, start = 0, 0
    for index, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "|" and depth == 0:
            yield text[start:index]
            start = index + 1
    yield text[start:]


def _is_one_success(said: str) -> bool:
    found = ANY.search(said)
    return found is not None and SUCCESS.search(found["what"] or found["each"] or "") is not None
