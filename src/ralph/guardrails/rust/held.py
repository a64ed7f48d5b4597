"""Rust: that something is among others, in the ways that there are to ask for it (policy set v2, class G05).

Rule: `names.iter().any(|n| n == "a")`, `jobs.iter().any(|j| j.name() == "a")`, `names.contains(&"a")` and
`jobs.contains_key("a")` are one question of what holds the others, about one constant. A text that another one is a
part of (`text.contains("a")`) is none of them. That there are more than none (`names.len() > 0`) says as little as that
they are not empty.
"""

from __future__ import annotations

from ralph.guardrails.inventory.truth import Said
from ralph.system.patterns import later

LITERAL = r"(?:\"(?:[^\"\\]|\\.)*\"|'[^']+'|-?\d[\w.]*)"
LENT = r"(?:\.(?:iter|into_iter|keys|values)\(\))?"
ANY = later(
    rf"(?s)(?P<of>.+?){LENT}\.any\(\|&?(?P<one>\w+)\|\s*(?:[&*]*(?P=one)(?:\.\w+(?:\(\))?)?\s*==\s*(?P<right>[&*]*{LITERAL})"
    rf"|(?P<left>[&*]*{LITERAL})\s*==\s*[&*]*(?P=one)(?:\.\w+(?:\(\))?)?)\)"
)
AMONG = later(rf"(?s)(?P<of>.+?)\.(?:contains\(&|contains_key\(&?)(?P<value>{LITERAL})\)")
WORTH = later(r"\.(?:any|contains(?:_key)?)\(")


def asked_among(subject: str) -> str:
    """The subject, spelled in one of these ways."""
    if not WORTH.search(subject):
        return subject
    found = AMONG.fullmatch(subject)
    if found is not None:
        return f"{found['of']}.contains_key({found['value']})"
    found = ANY.fullmatch(subject)
    return f"{found['of']}.contains_key({(found['right'] or found['left']).lstrip('&*')})" if found else subject


def are_any(said: Said) -> bool:
    return said.subject.endswith(".len()") and (said.relation, said.slack) in ((">", 0), (">=", -1))
