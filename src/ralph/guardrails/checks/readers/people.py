"""Conditions that keep the checks away from what some people, or some branches, propose (GitHub's `if`, and others).

Rules:

- A condition is read as if the change came from each of the people and branches that it names: where it cannot hold for
  one of them and may for others, that one's changes go unchecked. Where it holds for those that it names alone, all
  others' do.
- What services propose by themselves (updates of dependencies, translations, releases) is left to a person to judge,
  and so is a branch that changes come to when they are checked.
- A workflow that a proposed change starts is judged as started by one; there `github.ref` names no branch of anybody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ralph.guardrails.checks.readers.expressions import Value, truth
from ralph.guardrails.checks.readers.occasions import INDEX, Occasion
from ralph.system.patterns import later

PEOPLE = later(
    r"github\.(?:actor|triggering_actor|actor_id)"
    r"|github\.event\.(?:sender|pusher|pull_request\.(?:head\.|head\.repo\.|base\.)?(?:user|owner)"
    r"|(?:head_commit|commits(?:\[?[\d*.]*\]?))\.(?:author|committer))\.(?:login|name|email|username|type|id)"
)
BRANCHES = later(r"github\.(?:head_ref|event\.pull_request\.head\.(?:ref|label))")
PUSHED = later(r"github\.(?:ref|ref_name|event\.ref)")
CONSTANT = later(r"'(?P<text>(?:[^']|'')*)'|(?<![\w.'])(?P<number>\d{3,})\b")
SERVICES = later(
    r"(?i)dependabot|renovate|github-actions|merge-?queue|readonly-queue|mergify|bors|pre-commit|snyk|greenkeeper|depfu|pyup"
    r"|weblate|transifex|crowdin|l10n|i18n|locali[sz]|transl|allcontributors|imgbot|release|changeset|version|codecov|netlify"
    r"|vercel|sonar|deepsource|restyled|scala-steward|pixeebot|sync|mirror|backport|stale"
)
MERGED = later(
    r"(?i)^(?:refs/tags/|(?:refs/heads/)?(?:(?:main|master|trunk|dev|develop|next|staging|stable|prod|docs?)(?![a-z])"
    r"|(?:development|production)\b|gh-pages"
    r"|v?(?:\d{1,2}(?:\.|$)|\\d|\[0-9\])|$))"
)
OF_OTHERS = (
    r"(?:\$?\{?\b(?:build\.(?:requestedfor\w*|sourcebranch\w*|sourceversion(?:message|author)|author\.\w+|creator\.\w+|branch"
    r"|message)|system\.pullrequest\.sourcebranch\w*|ci_commit_(?:author\w*|branch|source_branch|message|title|ref_name|ref_slug)"
    r"|ci_merge_request_(?:source_branch_name|title|labels|assignees)|gitlab_user_\w+|cirrus_(?:branch"
    r"|user\w*|change_message)|env\.change_(?:author|branch|title)|sender|head_branch|branch|commit_message)\b\}?)"
)
"""What other systems call those who propose a change, their branches and messages."""
REFUSED = later(
    rf"(?:\bne\(|\bnot\s*\(\s*(?:eq|startswith|contains|endswith)\()\s*{OF_OTHERS}\s*,\s*'(?P<told>[^']+)'"
    rf"|{OF_OTHERS}\s*!(?:=|~)\s*(?:[\"'](?P<quoted>[^\"']+)[\"']|/(?P<pattern>[^/]+)/|(?P<bare>[^\s)]+))",
    re.IGNORECASE,
)
OF_TABLE = later(r"variables\[\s*'([^']+)'\s*\]")
STRANGER = "somebody-else"
PROPOSED = ("pull_request", "pull_request_target", "merge_group")


def kept_out(condition: str, occasion: Occasion) -> str:
    """For whom a check with this condition does not run, in words; empty if that is nobody in particular."""
    condition = INDEX.sub(r".\1", condition)
    names = PEOPLE.search(condition) is not None
    if not names and not BRANCHES.search(condition) and not PUSHED.search(condition):
        return ""
    others = _holds(condition, STRANGER, occasion)
    if others is False:
        return "others than those that it names" if names else ""
    return next((name for name in filter(is_odd, _named(condition)) if _holds(condition, name, occasion) is False), "")


def refused(condition: str) -> str:
    """The one whom a condition of another system than GitHub's keeps out; empty if that is nobody in particular."""
    if "||" in condition or re.search(r"\bor\b", condition):
        return ""
    found = (next(filter(None, match.groups())) for match in REFUSED.finditer(OF_TABLE.sub(r"\1", condition)))
    return next(filter(is_odd, found), "")


def is_odd(name: str) -> bool:
    """Somebody's name, or that of a branch, which speaks of no service and of nothing that was checked before."""
    return not SERVICES.search(name) and not MERGED.match(name.lstrip("/^\"' "))


def _named(condition: str) -> Iterator[str]:
    """Every constant of the condition; of a list in JSON its items."""
    for match in CONSTANT.finditer(condition):
        text = match["number"] or match["text"].replace("''", "'")
        try:
            listed = json.loads(text) if text.startswith("[") else None
        except ValueError:
            listed = None
        yield from map(str, listed) if isinstance(listed, list) else (text,)


def _holds(condition: str, who: str, occasion: Occasion) -> bool | None:
    event = occasion.proposed_by(PROPOSED)

    def look(name: str) -> Value:
        if PEOPLE.fullmatch(name.lower()) or BRANCHES.fullmatch(name.lower()):
            return who
        if PUSHED.fullmatch(name.lower()):
            return None if event else who
        if name.lower() == "github.event_name" and event:
            return event
        return occasion.look(name)

    return truth(condition, look, occasion.ask)
