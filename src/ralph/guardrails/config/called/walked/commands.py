"""Simple commands of a script that is followed (see `script`)."""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.called.walked.asked import truth
from ralph.guardrails.config.called.walked.compounds import subshell
from ralph.guardrails.config.called.walked.names import Value, fields, text
from ralph.guardrails.config.called.walked.run import End, Run, TooMuch, grouped
from ralph.guardrails.config.node import names
from ralph.system.patterns import later

DEEPEST = 8
SAYS = frozenset(
    names(
        "echo printf log info warn error cat date ls mkdir rm touch trap umask source . set shopt unset local"
        " sleep hash"
    )
)
"""Commands that check nothing, and tell nothing about what does."""
ENDS = {"exit": "exit", "return": "return", "break": "break", "continue": "continue"}
NUMBER = later(r"\d{1,3}")


def command(run: Run, node: tree_sitter.Node) -> End:
    words = [word for child in _words(node) for word in fields(run.names, run.script, child)]
    name = words[0].strip("\"'") if words else ""
    if name in ENDS:
        number = words[1] if len(words) > 1 else ""
        status = None if not NUMBER.fullmatch(number) else number == "0"
        return End(" ".join(words) if name == "exit" else "", status, ENDS[name])
    if name in ("true", ":", "false"):
        return End(truth=name != "false")
    if name in ("test", "["):
        return _tested(run, node)
    if name in ("shift", "getopts", "read", "set"):
        return _taken(run, name, words, node)
    if name in run.names.functions:
        return called(run, run.names.functions[name], words[1:])
    if name in SAYS or not name:
        return End()
    ends = " ".join(run.script.of(each) for each in node.named_children if each.type == "variable_assignment")
    said = " ".join(words[1:] if name == "exec" and len(words) > 1 else words)
    return End(f"{ends} {said}".strip(), None, "exit" if name == "exec" and len(words) > 1 else "")


def _tested(run: Run, node: tree_sitter.Node) -> End:
    said = run.script.of(node).partition(" ")[2]
    script = Script(f"[ {said} ]")
    inner = script.root.named_children[:1]
    known = inner[0].type == "test_command" if inner else False
    return End(truth=truth(run.names, script, inner[0]) if known else None)


def _taken(run: Run, name: str, words: list[str], node: tree_sitter.Node) -> End:
    """What takes its own words apart."""
    names = run.names
    plain = [text(names, run.script, child) for child in _words(node)][1:]
    if name == "read":
        names.variables.update({word: None for word in words[1:] if word.isidentifier()})
        return End(truth=None)
    if name == "set":
        if "--" in words:
            given = [fields(names, run.script, child) for child in _words(node)]
            names.words = [word.strip("\"'") for each in given for word in each][words.index("--") + 1 :]
        elif any(word.startswith("-") and "e" in word for word in words[1:]):
            run.errexit = True
        return End()
    if name == "shift":
        number = plain[0] if plain else "1"
        names.known = names.known and number is not None and number.isdigit()
        there = names.known and len(names.words) >= int(number or 1)
        names.words = names.words[int(number or 1) :] if there else names.words
        return End(truth=there if names.known else None)
    return _next_option(run, plain)


def _next_option(run: Run, plain: Sequence[str | None]) -> End:
    names = run.names
    if len(plain) < 2 or None in plain or not names.known:
        return End(truth=None)
    known, variable = (plain[0] or "").lstrip(":"), plain[1] or ""
    word = names.words[run.options] if len(names.words) > run.options else ""
    if not word.startswith("-") or word in ("-", "--"):
        names.variables["OPTIND"] = str(run.options + (2 if word == "--" else 1))
        return End(truth=False)
    letter, rest = word[1], word[2:]
    takes = f"{letter}:" in known
    run.options += 1
    if takes and not rest:
        rest = names.words[run.options] if len(names.words) > run.options else ""
        run.options += 1
    elif rest and not takes:
        names.words[run.options - 1] = f"-{rest}"
        run.options -= 1
    names.variables.update({variable: letter if letter in known else "?", "OPTARG": rest if takes else ""})
    return End()


def called(run: Run, body: tree_sitter.Node, words: Sequence[str]) -> End:
    if run.deep >= DEEPEST:
        raise TooMuch
    names = run.names
    outer, known = names.words, names.known
    names.words, names.known = [word.strip("\"'") for word in words], True
    run.deep += 1
    end = _body(run, body)
    run.deep -= 1
    run.names.words, run.names.known = outer, known
    return End(grouped(end.text), end.truth, "exit" if end.flow == "exit" else "")


def _body(run: Run, body: tree_sitter.Node) -> End:
    return subshell(run, body) if body.type == "subshell" else run.sequence(body.children)


def function(run: Run, node: tree_sitter.Node) -> End:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is not None and body is not None:
        run.names.functions[run.script.of(name)] = body
    return End()


def declared(run: Run, node: tree_sitter.Node) -> End:
    ends = [assignment(run, child) for child in node.named_children if child.type == "variable_assignment"]
    return End(run.joined([end.text for end in ends if end.text]))


def assignment(run: Run, node: tree_sitter.Node) -> End:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None:
        return End()
    own = run.script.of(name)
    added = any(child.type == "+=" for child in node.children)
    held = _value(run, value)
    was = run.names.get(own) if added else ""
    run.names.variables[own] = None if held is None or was is None else _added(was, held) if added else held
    inner = [child for child in run.script.walk(value) if child.type == "command_substitution"] if value else []
    ended = run.sequence(inner[0].children) if inner else End()
    if ended.text:
        return End(f"{own}=$({ended.text})", ended.truth)
    return End(f"{own}={held}" if isinstance(held, str) and NUMBER.fullmatch(held) else "")


def _value(run: Run, value: tree_sitter.Node | None) -> Value:
    if value is None:
        return ""
    if value.type == "array":
        found = [list(fields(run.names, run.script, child)) for child in value.named_children]
        return [word.strip("\"'") for each in found for word in each]
    return text(run.names, run.script, value)


def _words(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    found = [child for child in node.named_children if child.type not in ("variable_assignment", "comment")]
    found = [child for child in found if "redirect" not in child.type]
    return [
        child.named_children[0] if child.type == "command_name" and child.named_children else child for child in found
    ]


def _added(was: Value, more: Value) -> Value:
    if isinstance(was, list) or isinstance(more, list):
        return [
            *(was if isinstance(was, list) else [was] if was else []),
            *(more if isinstance(more, list) else [more or ""]),
        ]
    return f"{was}{more}"
