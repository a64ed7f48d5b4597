"""Loops over files that run a check for each: what they name, and which they pass over.

`[[ $f == *old* ]] && continue`, the arms of a `case` that only go on, and an `if` around the check take as much away as
a `grep -v` would. They are written as one, so that a loop's list is read like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.patterns import written_out

VALUE = r"(?P<value>\"[^\"]*\"|'[^']*'|[^\s;\]]+)"
GOES_ON = r"(?:&&|;?\s*then\b)(?:(?!\bfi\b|\bdone\b|\belse\b|&&|\|\||\n\s*\n).){0,120}?\bcontinue\b"
ARM = r"\(?(?P<globs>[^()\n;]+)\)(?:(?!;;).)*?\bcontinue\b(?:(?!;;).)*?;;"
RUNNERS = frozenset(("bash", "sh", "zsh", "dash", "python", "python3", "node", "ruby", "perl", "php", "lua", "source"))


def name_of(script: Script, loop: tree_sitter.Node) -> str:
    """The variable of a `for`; the last one that a `while read` fills."""
    variable = loop.child_by_field_name("variable")
    if variable is not None:
        return script.of(variable)
    condition = loop.child_by_field_name("condition") or (loop.named_children[0] if loop.named_children else None)
    words = script.of(condition).split() if condition is not None else []
    return words[-1].rstrip(";") if "read" in words else ""


def globs_of(script: Script, loop: tree_sitter.Node) -> list[str]:
    """The patterns that a `for` names, if it names nothing else."""
    values = loop.children_by_field_name("value")
    texts = [script.of(value).strip("\"'") for value in values]
    return texts if texts and not any("$" in text or "`" in text for text in texts) else []


def passed_over(script: Script, loop: tree_sitter.Node, name: str) -> list[tuple[str, ...]]:
    """What the loop takes away, as calls of `grep`."""
    body = loop.child_by_field_name("body")
    text = script.of(body) if body is not None and name else ""
    return [("grep", "-vE", form) for form in _taken(text, re.escape(name))] if text else []


def _taken(text: str, name: str) -> Iterator[str]:
    variable = rf"[\"']?(?:\$\{{?{name}\b[^}}\s\"']*\}}?|\$\(basename\s+\"?\${name}\"?\))[\"']?"
    asked = rf"\[\[?\s+{variable}\s+(?P<sign>==?|=~|!=)\s+{VALUE}\s+\]\]?\s*"
    for match in re.finditer(asked, text):
        rest, value = text[match.end() :], match["value"].strip("\"'")
        away = re.match(GOES_ON, rest, re.DOTALL) is not None
        spares = re.match(r"\|\|(?!\s*(?:\{\s*)?(?:continue|exit|false|return)\b)", rest) is not None
        if away or spares if match["sign"] != "!=" else not away and not rest.startswith("||"):
            yield value if match["sign"] == "=~" else _form(value)
    for case in re.finditer(rf"\bcase\s+{variable}\s+in\b(?P<arms>.*?)\besac\b", text, re.DOTALL):
        for arm in re.finditer(ARM, case["arms"], re.DOTALL):
            yield from (_form(glob.strip().strip("\"'")) for glob in arm["globs"].split("|"))


def _form(glob: str) -> str:
    """A pattern of the shell for a path, or for its last part, as an expression."""
    forms = (re.escape(each).replace(r"\*", ".*").replace(r"\?", ".") for each in written_out(glob))
    return f"(^|/)({'|'.join(forms)})$"


def runs_each(words: Sequence[str], name: str) -> bool:
    """A call that runs the file that the loop has come to."""
    each = rf"(?:\./)?\$\{{?{re.escape(name)}\}}?"
    at = 1 if words[0].rpartition("/")[2] in RUNNERS else 0
    return len(words) > at and re.fullmatch(each, words[at].strip("\"'")) is not None
