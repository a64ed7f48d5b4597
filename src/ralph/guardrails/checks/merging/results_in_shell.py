"""What a shell script makes of the results of other jobs, once they stand in it as words (see `gathering`).

Rules:

- A loop over known words is written out: `for result in success failure` is two rounds.
- A condition holds or not where all that it compares is known: a test, a glob or regular expression in `[[ ]]`, a
  `grep` for a plain word in known text, the patterns of a `case`. Of all else nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase

import tree_sitter

from ralph.guardrails.checks.shell.conditions import truth
from ralph.guardrails.checks.shell.script import Script
from ralph.system.patterns import later

LOOP = later(r"\bfor[ \t]+(?P<name>\w+)[ \t]+in[ \t]+(?P<words>[\w-]+(?:[ \t]+[\w-]+)*)[ \t]*[;\n]\s*do\b")
DO, DONE = later(r"\bdo\b"), later(r"\bdone\b")
ASSIGNED = later(
    r"(?m)^[ \t]*(?:local |export |declare )?(?P<name>\w+)=(?P<quote>[\"']?)"
    r"(?P<value>(?:success|failure)(?:[ ,]+(?:success|failure))*)(?P=quote)[ \t]*$"
)
MATCHED = later(r"\[\[\s*\"?(?P<text>[\w ,-]*)\"?\s*(?P<sign>==?|!=|=~)\s*(?P<pattern>[\w*?|()\"' .^$-]+?)\s*\]\]")
PLAIN_WORDS = later(r"[\w|]+")
MOST_ROUNDS = 8


def unrolled(text: str) -> str:
    """The text with its loops over known words written out; one with a loop in it is left as it is."""
    for _ in range(MOST_ROUNDS):
        loop = LOOP.search(text)
        end = DONE.search(text, loop.end()) if loop is not None else None
        if loop is None or end is None or DO.search(text, loop.end(), end.start()) is not None:
            return text
        body, variable = text[loop.end() : end.start()], re.compile(rf"\$(?:\{{{loop['name']}\}}|{loop['name']}\b)")
        rounds = (variable.sub(word, body).strip().removesuffix(";") for word in loop["words"].split())
        text = "\n".join((text[: loop.start()], *rounds, text[end.end() :].lstrip("; \t")))
    return text


def assigned(text: str) -> Mapping[str, str]:
    """Variables that the script itself sets to known results."""
    return {match["name"]: match["value"] for match in ASSIGNED.finditer(text)}


def said(script: Script, node: tree_sitter.Node) -> bool | None:
    """Whether a condition holds; None where only running could tell."""
    match node.type:
        case "negated_command":
            inner = said(script, node.named_children[0]) if node.named_children else None
            return None if inner is None else not inner
        case "list":
            return _joined(script, node)
        case "pipeline":
            parts = node.named_children
            words = script.words(parts[0], {}) if len(parts) == 2 and parts[0].type == "command" else []
            known = words[:1] in (["echo"], ["printf"]) and "$" not in script.of(parts[0])
            return _found(script, parts[1], words[-1]) if known else None
        case "command":
            return _of_command(script, node)
        case "test_command":
            holds = truth(script, node, {})
            return _matched(script.of(node)) if holds is None else holds
    return None


def is_unreached(script: Script, node: tree_sitter.Node) -> bool:
    """It stands in a branch that is known not to be taken."""
    child, above = node, node.parent
    while above is not None:
        if _is_passed_by(script, above, child):
            return True
        child, above = above, above.parent
    return False


def _is_passed_by(script: Script, above: tree_sitter.Node, child: tree_sitter.Node) -> bool:
    if above.type == "case_item":
        return _is_other_case(script, above)
    if above.type == "list" and child != above.children[0]:
        left = said(script, above.children[0])
        return left is not None and left is (above.children[1].type == "||")
    if above.type not in ("if_statement", "elif_clause"):
        return False
    condition = above.child_by_field_name("condition") or (above.named_children[0] if above.named_children else None)
    if condition is None or child == condition:
        return False
    holds = said(script, condition)
    return holds is not None and holds is (child.type in ("elif_clause", "else_clause"))


def _is_other_case(script: Script, item: tree_sitter.Node) -> bool:
    """The value of the `case` is known, and none of these patterns fits it, or an earlier one does."""
    whole = item.parent
    value = whole.child_by_field_name("value") if whole is not None else None
    text = script.value(value, {}) if value is not None else None
    if whole is None or text is None:
        return False
    for each in whole.named_children:
        if each.type == "case_item":
            head = script.of(each).partition(")")[0].lstrip("( ")
            fits = any(fnmatchcase(text, one.strip(" \"'")) for one in head.split("|"))
            if fits or each == item:
                return not (fits and each == item)
    return False


def _joined(script: Script, node: tree_sitter.Node) -> bool | None:
    left, sign, right = node.children[0], node.children[1].type, node.children[-1]
    sides = said(script, left), said(script, right)
    deciding = sign == "||"
    return deciding if deciding in sides else None if None in sides else not deciding


def _of_command(script: Script, node: tree_sitter.Node) -> bool | None:
    words = script.words(node, {})
    text = script.of(node)
    if words in (["true"], [":"], ["false"]):
        return words != ["false"]
    if words[:1] == ["test"] and "$" not in text:
        inner = Script(f"[ {' '.join(words[1:])} ]")
        tests = [each for each in inner.walk() if each.type == "test_command"]
        return truth(inner, tests[0], {}) if len(tests) == 1 else None
    here = next((each for each in node.named_children if each.type == "herestring_redirect"), None)
    given = script.value(here.named_children[-1], {}) if here is not None and here.named_children else None
    return _found(script, node, given) if given is not None else None


def _found(script: Script, node: tree_sitter.Node, text: str) -> bool | None:
    """Whether `grep` finds one of some words in a text."""
    words = script.words(node, {}) if node.type == "command" else []
    options = [word for word in words[1:] if word.startswith("-")]
    asked = [word for word in words[1:] if not word.startswith("-")]
    if words[:1] not in (["grep"], ["egrep"]) or len(asked) != 1 or PLAIN_WORDS.fullmatch(asked[0]) is None:
        return None
    if not all(re.fullmatch(r"-[qEwis]+|--quiet|--silent|--word-regexp", option) for option in options):
        return None
    return any(one in text for one in asked[0].split("|"))


def _matched(text: str) -> bool | None:
    match = MATCHED.fullmatch(text)
    if match is None or "$" in match["pattern"].rstrip("$"):
        return None
    pattern, sign = re.sub(r"[\"']", "", match["pattern"]), match["sign"]
    if sign != "=~":
        return fnmatchcase(match["text"].strip(), pattern) is (sign != "!=")
    words = pattern.strip("^$()")
    return any(one in match["text"] for one in words.split("|")) if PLAIN_WORDS.fullmatch(words) else None
