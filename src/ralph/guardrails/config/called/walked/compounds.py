"""Choices, loops and lists of a script that is followed (see `script`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import tree_sitter

from ralph.guardrails.config.called.walked.names import fields, is_known, matches, text
from ralph.guardrails.config.called.walked.run import End, Run, grouped, one_line

MOST_ROUNDS = 60


def list_(run: Run, node: tree_sitter.Node) -> End:
    left, sign, right = node.children[0], node.children[1].type, node.children[2:]
    first = run.sequence([left])
    if first.flow:
        return first
    if first.truth is not None:
        if first.truth is not (sign == "&&"):
            return first
        second = run.sequence(right)
        return End(" && ".join(filter(None, (first.text, second.text))), second.truth, second.flow)
    [second, _] = run.either(lambda: run.sequence(right), End)
    if not first.text and not second.text:
        return End(truth=None)
    said = first.text or one_line(run.script.of(left))
    return End(f"{said} {sign} {grouped(second.text) or ':'}", None)


def pipeline(run: Run, node: tree_sitter.Node) -> End:
    parts: list[tuple[str, str]] = []
    start = run.names
    for child in node.named_children:
        run.names = start.copied()
        parts.append((run.sequence([child]).text, one_line(run.script.of(child))))
    run.names = start
    if not any(said for said, _ in parts):
        return End(truth=None)
    return End(" | ".join(grouped(said) or raw for said, raw in parts), None)


def negated(run: Run, node: tree_sitter.Node) -> End:
    end = run.sequence(node.named_children[-1:])
    return End(f"! {grouped(end.text)}" if end.text else "", None if end.truth is None else not end.truth, end.flow)


def redirected(run: Run, node: tree_sitter.Node) -> End:
    body = node.child_by_field_name("body")
    end = run.sequence([body]) if body is not None else End()
    others = [child for child in node.named_children if child.type == "file_redirect"]
    said = " ".join(one_line(run.script.of(child)) for child in others)
    return end._replace(text=f"{grouped(end.text)} {said}".rstrip()) if end.text else end


def subshell(run: Run, node: tree_sitter.Node) -> End:
    start = run.names
    run.names = start.copied()
    end = run.sequence(node.children)
    run.names = start
    return End(f"( {end.text} )" if end.text else "", end.truth)


def compound(run: Run, node: tree_sitter.Node) -> End:
    if node.children[0].type == "((":
        known = run.names.calculated(run.script.of(node)[2:-2])
        return End(truth=None if known is None else known != 0)
    end = run.sequence(node.children)
    return end._replace(text=grouped(end.text))


def if_(run: Run, node: tree_sitter.Node) -> End:
    clauses = [child for child in node.children if child.type in ("elif_clause", "else_clause")]
    return _choice(run, node, clauses)


def _choice(run: Run, node: tree_sitter.Node, clauses: Sequence[tree_sitter.Node]) -> End:
    at = next((index for index, child in enumerate(node.children) if child.type == "then"), len(node.children))
    body = [child for child in node.children[at:] if child.type not in ("elif_clause", "else_clause")]
    asked = run.sequence(node.children[:at])
    if asked.flow:
        return asked

    def otherwise() -> End:
        if not clauses:
            return End()
        if clauses[0].type == "else_clause":
            return run.sequence(clauses[0].children)
        return _choice(run, clauses[0], clauses[1:])

    if asked.truth is not None:
        end = run.sequence(body) if asked.truth else otherwise()
        return end._replace(text=run.joined([part for part in (asked.text, end.text) if part]))
    then, other = run.either(lambda: run.sequence(body), otherwise)
    if not (asked.text or then.text or other.text):
        return End(truth=None)
    condition = asked.text or " ".join(one_line(run.script.of(child)) for child in node.children[1:at]).strip("; ")
    rest = f" else {other.text};" if other.text else ""
    return End(f"if {condition}; then {then.text or ':'};{rest} fi", None)


def case(run: Run, node: tree_sitter.Node) -> End:
    subject = node.child_by_field_name("value")
    value = text(run.names, run.script, subject) if subject is not None else None
    items = [child for child in node.named_children if child.type == "case_item"]
    if value is not None and is_known(value):
        for item in items:
            patterns = [text(run.names, run.script, each) for each in item.children_by_field_name("value")]
            if any(each is not None and matches(value, each) for each in patterns):
                return run.sequence(item.children)
        return End()
    ends = run.either(*(lambda item=item: run.sequence(item.children) for item in items), End)
    arms = [
        f"{'|'.join(run.script.of(each) for each in item.children_by_field_name('value'))}) {end.text or ':'} ;;"
        for item, end in zip(items, ends, strict=False)
    ]
    said = one_line(run.script.of(subject)) if subject is not None else ""
    return End(f"case {said} in {' '.join(arms)} esac" if any(end.text for end in ends) else "", None)


def while_(run: Run, node: tree_sitter.Node) -> End:
    body = node.child_by_field_name("body")
    condition = [child for child in node.children if child != body]
    wanted, parts = node.children[0].type == "while", list[str]()
    for _ in range(MOST_ROUNDS):
        asked = run.sequence(condition)
        if asked.flow or asked.truth is None:
            break
        if asked.truth is not wanted:
            return End(run.joined(parts))
        end = run.sequence(body.children if body is not None else ())
        parts += [end.text] if end.text else ()
        if end.flow in ("exit", "return"):
            return End(run.joined(parts), end.truth, end.flow)
        if end.flow == "break":
            return End(run.joined(parts))
    once, _ = run.either(lambda: run.sequence(body.children if body is not None else ()), End)
    said = " ".join(one_line(run.script.of(child)) for child in condition).strip("; ")
    parts += [f"{said}; do {once.text}; done"] if once.text else ()
    return End(run.joined(parts), None)


def for_(run: Run, node: tree_sitter.Node) -> End:
    variable, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
    given = node.children_by_field_name("value")
    if variable is None or body is None:
        return End(truth=None)
    name, words = run.script.of(variable), _listed(run, node, given)
    if words is None:
        run.names.variables[name] = None
        once, _ = run.either(lambda: run.sequence(body.children), End)
        said = " ".join(run.script.of(each) for each in given)
        return End(f"for {name} in {one_line(said)}; do {once.text}; done" if once.text else "", None)
    parts: list[str] = []
    for word in words[:MOST_ROUNDS]:
        run.names.variables[name] = word
        end = run.sequence(body.children)
        parts += [end.text] if end.text else ()
        if end.flow in ("exit", "return"):
            return End(run.joined(parts), end.truth, end.flow)
        if end.flow == "break":
            break
    return End(run.joined(parts))


def _listed(run: Run, node: tree_sitter.Node, given: Iterable[tree_sitter.Node]) -> list[str] | None:
    if not any(child.type == "in" for child in node.children):
        return list(run.names.words) if run.names.known else None
    found = [word for each in given for word in fields(run.names, run.script, each)]
    return [word.strip("\"'") for word in found] if all("*" not in word and is_known(word) for word in found) else None
