"""The answer that a function gives on every way through it: all languages, step by step (policy set v2, class G19).

`if text: return []` above `return []`, a `switch` whose arms are alike, a name that gets the same value either way,
`_ = len(text)` above a constant. What is asked must be looked at only (`settled_values`), and everything else that such
a function holds must do nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.stubbed.settled_values import alike, is_constant, is_looking, settled
from ralph.system.patterns import later

STRING = later(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
DECLARE = r"(?:(?:const|let|mut|var|val|final|auto|my)\s+)*(?:[A-Za-z_][\w<>\[\]?.]*\s+)?"
NAMED = later(rf"{DECLARE}\$?(?P<name>[A-Za-z_]\w*)(?:\s*:\s*[\w<>\[\]?., |]+?)?\s*:?=(?!=)\s*(?P<value>.+)")
DECLARED = later(r"var (?P<name>\w+) (?:u?int\d*|float\d+)")
"""In Go it is nothing yet."""
ASKS = later(
    r"(?:\}?\s*)?(?:else\s+if|elif|elsif|if|unless|while|until|for|foreach|switch|match|when|case|in|catch|except|rescue)\b"
    r"(?P<about>.*)"
)
SAYS = later(r"(?:else|default|try|do|begin|finally|ensure|loop|_|otherwise|case _)\s*:?")
ARM = later(
    r"(?!return\b)(?:(?:case|when|in|is)\s[^=\-?]*?(?:=>|->|\bthen\b|:(?!:))|default\s*(?:=>|->|:(?!:))|else\s*->"
    r"|[\w\"'.|, ]+(?:=>|->))\s*(?P<answer>.+?),?"
)
ASKED_FIRST = later(
    r"(?:(?:else\s+)?if|elif|while|for)\s*(?P<asks>\((?:[^()]|\([^()]*\))*\)|[^:]+:)\s*(?P<answer>(?:return\b|[A-Za-z_]\w*\s*=(?!=)).*)"
    r"|else:?\s+(?P<other>(?![-=]>).+)"
)
ASKED_BEHIND = later(r"(?P<answer>return\b.*?|[\w.]+\s*=(?!=).*?)\s(?:if|unless)\s(?P<asks>(?:(?!\belse\b).)+)")
LOOKED = later(r"(?!return\b)[A-Za-z_$][\w$]*(?:\.[\w.$]+(?:\([\w.$, ]*\))?|\([\w.$, ]*\))[?!]?")
OPENS_CHOICE = later(
    rf"(?:return\s+|{DECLARE}\$?(?P<name>\w+)(?:\s*:\s*[\w<>\[\]?]+)?\s*=\s*)(?P<choice>(?:if|when|switch|match|case)\b.*|.+\bswitch)"
)
DROPPED = later(
    r"(?:let\s+|var\s+|const\s+|val\s+)?_\w*\s*:?=\s*(?P<what>.+)|(?:\(void\)\s*|void\s+)(?P<void>[\w.]+)|del\s+[\w, ]+"
    r"|(?:std::mem::)?drop\([\w&., ]+\)|(?:(?:java\.util\.)?Objects\.)?requireNonNull\(\w+\)"
    r"|assert\s+\w+(?: is not None)?"
    r"|pass|break|continue|next|\.\.\.|end|[)\]},]+"
)
MOST_STEPS = 40
UNDECLARED = frozenset(("python", "ruby", "php"))
"""Where a name that is given a value is one of the function's own, without a word for it."""
LAST = frozenset(("rust", "ruby", "kotlin", "scala", "elixir", "swift"))
"""Where the last expression of a branch is its answer."""


def answer_of(code: Sequence[str], spoken: str) -> str | None:
    """What a function gives, whichever way is taken; None of one that asks for nothing: that it is a constant others
    see."""
    given = _Given(declares=spoken not in UNDECLARED)
    asked = looked = dropped = False
    for count, written in enumerate(_steps(code)):
        step, whole = given.opened(written), True
        while (below := _below(step)) is not None and settled(step.removeprefix("return ").strip()) is None:
            step, whole, asked = below, False, True
        if given.takes(step):
            continue
        if _drops(step):
            dropped = True
        elif whole and _only_looks(step):
            looked = True
        elif _asks(step):
            asked = True
        else:
            return None
        if count >= MOST_STEPS or (looked and asked and spoken in LAST):
            return None
    return alike(given.answers) if asked or looked or dropped or given.chose else None


def is_asked(step: str) -> bool:
    """A question stands in the same line as the answer."""
    return ASKED_FIRST.match(step) is not None or ASKED_BEHIND.fullmatch(step) is not None


def _below(step: str) -> str | None:
    """The statement that a question, or the head of a case, stands before in the same line, or behind."""
    if (first := ASKED_FIRST.fullmatch(step)) is not None and (first["other"] or is_looking(first["asks"])):
        return first["answer"] or first["other"]
    if (behind := ASKED_BEHIND.fullmatch(step)) is not None and is_looking(behind["asks"]):
        return behind["answer"]
    if (arm := ARM.fullmatch(step)) is not None and is_looking(step[: arm.start("answer")].rstrip(" =->:")):
        return arm["answer"].strip()
    return None


class _Given:
    """The answers of a function, and what its names stand for."""

    def __init__(self, declares: bool) -> None:
        self.answers: list[str | None] = []
        self.chose = False
        """One of them was a choice."""
        self._declares = declares
        self._named: dict[str, list[str | None]] = {}
        self._into = ""

    def opened(self, step: str) -> str:
        """The head of a choice whose outcome is the answer, or goes into a name."""
        opens = OPENS_CHOICE.fullmatch(step)
        if opens is None or settled(opens["choice"]) is not None:
            return step
        self._into = opens["name"] or ""
        choice = opens["choice"]
        return f"switch {choice.removesuffix(' switch')}" if choice.endswith(" switch") else choice

    def takes(self, step: str) -> bool:
        """It is a constant, as the answer or for a name."""
        if (declared := DECLARED.fullmatch(step)) is not None:
            self._named.setdefault(declared["name"], []).append("0")
            return True
        expression = step.removeprefix("return ").strip()
        if expression.strip("$ ") in self._named:
            self._into = ""
        value = self._value(expression)
        if value is not None:
            (self._named.setdefault(self._into, []) if self._into else self.answers).append(value)
            return True
        given = NAMED.fullmatch(step) if not step.startswith("return ") else None
        value = self._value(given["value"]) if given is not None else None
        if given is None or value is None or not self._is_own(given):
            return False
        self._named.setdefault(given["name"], []).append(value)
        return True

    def _value(self, expression: str) -> str | None:
        written = self._with_values(expression)
        value = settled(written)
        self.chose = self.chose or (value is not None and not is_constant(written))
        return value

    def _with_values(self, expression: str) -> str:
        for name, values in self._named.items():
            value = alike(values) if name in expression else None
            if value is not None:
                parts = re.split(rf"(?<![\w.])\$?{name}\b", expression)
                expression = value.join(parts)
        return expression

    def _is_own(self, given: re.Match[str]) -> bool:
        """Not one from outside, which others see."""
        name = given["name"]
        return not self._declares or name in self._named or given.start("name") > 0 or ":=" in given[0]


def _drops(step: str) -> bool:
    dropped = DROPPED.fullmatch(step)
    what = dropped["what"] if dropped is not None else None
    return dropped is not None and (what is None or (is_looking(what) and settled(what) is None))


def _only_looks(step: str) -> bool:
    """`text.length;`, `len(text)`: nobody asks for what it finds. A bare constant is an answer."""
    return LOOKED.fullmatch(step) is not None and is_looking(step) and settled(step) is None


def _asks(step: str) -> bool:
    if SAYS.fullmatch(step):
        return True
    asks = ASKS.fullmatch(step)
    if asks is None:
        arm = re.fullmatch(r"case\b.*(?::|=>|->)|[\w\"'., |]+(?:=>|->)", step)
        return arm is not None and is_looking(step)
    about = asks["about"].strip().rstrip(":").strip()
    if re.match(r"(?:catch|except|rescue)\b", step):
        return True
    about = re.sub(r"^\(?(?:const|let|var|final)\s|:?=\s*range\b", " ", about)
    return is_looking(about)


def _steps(code: Sequence[str]) -> Iterator[str]:
    """Statements, heads and answers, whatever they are set apart by."""
    held = ""
    for line in code:
        held = f"{held} {line.strip()}".strip()
        if not held or held.count("(") + held.count("[") > held.count(")") + held.count("]"):
            continue
        yield from _pieces(held)
        held = ""
    if held:
        yield held


def _pieces(line: str) -> Iterator[str]:
    if settled(line.removeprefix("return ").rstrip("; ")) is not None:
        yield line.rstrip("; ")
        return
    texts: list[str] = []

    def put_aside(found: re.Match[str]) -> str:
        texts.append(found[0])
        return f"\0{len(texts) - 1}\0"

    plain = re.sub(r"\{\s*\}(?!\s*$)|\{\}$", put_aside, STRING.sub(put_aside, line)) if not _is_block(line) else line
    for piece in re.split(r"[;{}]", plain):
        text = re.sub("\0(\\d+)\0", lambda found: texts[int(found[1])], piece).strip()
        if text:
            yield text


def _is_block(line: str) -> bool:
    """Its braces hold statements, of which there may be none."""
    return re.match(r"(?:\}\s*)?(?:if|else|for|while|try|catch|switch|do|loop|finally)\b.*\{\s*\}$", line) is not None
