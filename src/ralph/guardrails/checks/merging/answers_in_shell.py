"""What a script of a GitHub workflow's step is told of other jobs, where one of them failed (see `gathering`).

Rules:

- An expression that can only be true or false stands in the script as that word, where its answer is known: by itself
  (`${{ contains(needs.*.result, 'failure') }}`), or as the value of a variable that the script asks for.
- So do the results themselves, where all of them are asked for or that of one job: `join(needs.*.result, ' ')`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ralph.guardrails.checks.merging.results_in_shell import assigned, unrolled
from ralph.system.patterns import later

EXPRESSION = later(r"\$\{\{(?P<asked>[^{}]*)\}\}")
VARIABLE = later(r"\$(?:\{(?P<braced>\w+)\}|(?P<name>\w+))")
JOINED = later(r"&&|\|\|")
DECIDES = later(r"[!(\s]*(?:(?:contains|startsWith|endsWith|always|cancelled|failure|success)\(|(?:true|false)\b)")
COMPARES = later(r"[=!]=|[<>]")
"""A part of an expression that is true or false, and no value of something."""

Answer = Callable[[str], bool | None]
Results = Callable[[str], str | None]


def expression_of(text: str) -> str:
    """A condition without the marks that may stand around it."""
    text = text.strip()
    return text[3:-2].strip() if text.startswith("${{") and text.endswith("}}") else text


def with_answers(script: str, variables: Mapping[str, str], answer: Answer, results: Results) -> str:
    """The script with `true` or `false` for each question that has an answer, and with the results that it asks for."""

    def told(asked: str) -> str | None:
        parts = JOINED.split(asked)
        said = answer(asked) if all(DECIDES.match(part) or COMPARES.search(part) for part in parts) else None
        return results(asked) if said is None else str(said).lower()

    def named(match: re.Match[str]) -> str:
        value = variables.get(match["braced"] or match["name"], "").strip()
        return (told(expression_of(value)) if EXPRESSION.fullmatch(value) else None) or match[0]

    written = EXPRESSION.sub(lambda match: told(match["asked"].strip()) or match[0], script)
    own = assigned(written)
    return unrolled(VARIABLE.sub(lambda match: own.get(match["braced"] or match["name"]) or named(match), written))
