"""Jobs that wait for checks and ask for what they never say (policy set v2, class G10): GitHub's workflows.

Rule: what is known of a job that is waited for is its `result` and its `outputs`, and the result is one of four words.
Another member (`needs.test.outcome`), a job that is not waited for, and a comparison with another word
(`needs.test.result == 'failed'`) have one answer whatever the checks said. In a job that runs although they failed
(`if: always()`) their failure is lost; in any other it is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.merging.jobs import jobs_of
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.system.patterns import later

RESULTS = frozenset(("success", "failure", "cancelled", "skipped", ""))
MEMBERS = frozenset(("result", "outputs"))
ASKED = later(r"\bneeds\.(?P<job>[\w-]+|\*)(?:\.(?P<member>[\w-]+))?")
BY_NAME = later(r"\[\s*'([^'\]]*)'\s*\]")
EXPRESSION = later(r"\$\{\{(.*?)\}\}", re.DOTALL)
COMPARED = later(
    r"\bneeds\.[\w*-]+\.result\s*(?:==|!=)\s*'(?P<after>[^']*)'|'(?P<before>[^']*)'\s*(?:==|!=)\s*needs\.[\w*-]+\.result\b"
    r"|contains\(\s*needs\.\*\.result\s*,\s*'(?P<held>[^']*)'"
)
IN_SHELL = r"\$\{{?{0}\}}?[\"']?\s*(?:==?|!=)\s*[\"']?(\w+)"
LISTED = later(r"\btoJSON\(\s*needs\s*\)", re.IGNORECASE)
OTHER_MEMBER = later(r"\.(outcome|conclusion|status)\b")
ANYWAY = later(r"always\(\)|cancelled\(\)|failure\(\)")
OF_JOB = later(
    r"\$\{\{\s*needs\.(?P<job>[\w-]+)\.result\s*\}\}[\"']?\s*(?:==?|!=)\s*[\"']?(?P<word>success|failure|cancelled|skipped)\b"
)
"""In a shell."""
NO_FAILURE = frozenset(("cancelled", "skipped"))
ALL_FAILED = later(
    r"\.result\s*\}\}[\"']?\s*(?:!=\s*[\"']?success|==?\s*[\"']?failure)[\"']?\s*(?:\]\]?)?\s*&&\s*(?:\[\[?\s*)?[\"']?\$\{\{\s*needs\.[\w-]+"
    r"\.result\s*\}\}[\"']?\s*(?:!=\s*[\"']?success|==?\s*[\"']?failure)\b[^\n]*(?:\n\s*(?:then\s*)?)?[^\n]*\bexit\s+[1-9]"
)
RESULT_OF = later(r"\$\{\{\s*needs\.[\w-]+\.result\s*\}\}")


def deaf_gates(path: str, before: Side, after: Side) -> Iterator[Hit]:
    old, new = before.node(path), after.node(path)
    if new is None or "needs" not in (after.text(path) or ""):
        return
    known = {detail for _, _, detail in _deaf(old)} if old is not None else set()
    for rule, place, detail in _deaf(new):
        if detail not in known:
            yield hit_at(rule, path, place.line, detail)


def _deaf(workflow: Node) -> Iterator[tuple[str, Node, str]]:
    for name, job in jobs_of(workflow).items():
        needs = job.at("needs")
        waited = {canonical(item).lower() for item in needs.items} if needs is not None else set()
        condition = job.at("if")
        anyway = condition is not None and ANYWAY.search(canonical(condition)) is not None
        rule = "check.result-lost" if anyway else "check.result-doubtful"
        variables = sorted(set(_results(job)))
        for place, text, is_expression in _texts(job, condition=False):
            for asked in _wrong(text, is_expression, waited):
                yield rule, place, f"{name}: {asked}"
            for word in _compared_in_shell(text, variables) if not is_expression else ():
                yield rule, place, f"{name}: no result is ever {word!r}"
            for asked in _unheard(text):
                yield rule, place, f"{name}: {asked}"


def _texts(node: Node, *, condition: bool) -> Iterator[tuple[Node, str, bool]]:
    """Every text of a job; a condition is an expression without marks."""
    for key, value in node.mapping.items():
        yield from _texts(value, condition=key == "if")
    if isinstance(node.value, list):
        for item in node.items:
            yield from _texts(item, condition=condition)
    elif isinstance(node.value, str):
        yield node, node.value, condition


def _wrong(text: str, is_expression: bool, waited: set[str]) -> Iterator[str]:
    parts = [text] if is_expression else EXPRESSION.findall(text)
    for part in (BY_NAME.sub(r".\1", each) for each in parts):
        for match in ASKED.finditer(part):
            job, member = match["job"], match["member"]
            if job != "*" and job.lower() not in waited:
                yield f"{match[0]} is empty, as it does not wait for {job}"
            elif member is not None and member.lower() not in MEMBERS:
                yield f"{match[0]} is always empty"
        for match in COMPARED.finditer(part):
            word = next((each for each in match.groups() if each is not None), "")
            if word.lower() not in RESULTS:
                yield f"no result is ever {word!r}"
    if LISTED.search(text) and (other := OTHER_MEMBER.search(text)) is not None:
        yield f"a job that is waited for has no {other[1]}"


def _unheard(text: str) -> Iterator[str]:
    """A script that passes although what it asks about failed."""
    asked: dict[str, set[str]] = {}
    for match in OF_JOB.finditer(text):
        asked.setdefault(match["job"], set()).add(match["word"].lower())
    for job, words in sorted(asked.items()):
        if words <= NO_FAILURE:
            yield f"whether {job} failed is not asked"
    if ALL_FAILED.search(text):
        yield "it fails only if all of them did"


def _results(node: Node) -> Iterator[str]:
    """Variables that hold a result."""
    env = node.at("env")
    for name, value in env.mapping.items() if env is not None else ():
        if RESULT_OF.fullmatch(canonical(value).strip()):
            yield name
    for below in (*node.mapping.values(), *(node.items if isinstance(node.value, list) else ())):
        yield from _results(below)


def _compared_in_shell(text: str, variables: Sequence[str]) -> Iterator[str]:
    for name in variables:
        for word in re.findall(IN_SHELL.format(re.escape(name)), text):
            if word.lower() not in RESULTS:
                yield word
    for word in re.findall(r"\$\{\{\s*needs\.[\w-]+\.result\s*\}\}[\"']?\s*(?:==?|!=)\s*[\"']?(\w+)", text):
        if word.lower() not in RESULTS:
            yield word
