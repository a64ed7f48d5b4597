"""Rules of ESLint that a project writes itself, and that look for nothing in the release that it uses (class G10).

Rule: `create` gives back no visitors, or a visitor ends, where `context` lacks a method that newer releases do not have
(`if (typeof context.getScope !== "function") return {};`), and the `package.json` of the project asks for such a
release: the rule stays "error" and never reports. It is new if the base's file did not say so. Of a release that is
older, or not told, it is for nobody: a rule may be for several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.config.node import canonical, names
from ralph.guardrails.config.side import Side
from ralph.guardrails.javascript.suppressed.processors import FORGIVEN
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

LANGUAGES = frozenset({"javascript", "typescript"})
WORTH = later(rb"\bcontext\s*\.\s*(?:get|mark|parser)|[\"'](?:get|mark)\w+[\"']\s+in\s+context\b")
IS_RULE = later(rb"\bcontext\s*\.\s*report\b")
GONE_IN_9 = frozenset(
    names(
        "getScope getAncestors getDeclaredVariables markVariableAsUsed getSource getSourceLines getAllComments"
        " getNodeByRangeIndex getComments getCommentsBefore getCommentsAfter getCommentsInside getJSDocComment"
        " getFirstToken getFirstTokens getLastToken getLastTokens getTokenAfter getTokenBefore getTokens"
        " getTokensBetween parserServices"
    )
)
GONE_IN_10 = frozenset(names("getFilename getPhysicalFilename getCwd getSourceCode parserOptions parserPath"))
GUARD = later(
    r"\bif\s*\(\s*(?:typeof\s+context\.(?P<kind>\w+)\s*(?:!==?\s*[\"'`]function[\"'`]|===?\s*[\"'`]undefined[\"'`])"
    r"|!\s*context\.(?P<plain>\w+)|!\(\s*[\"'`](?P<within>\w+)[\"'`]\s+in\s+context\s*\)"
    r"|context\.(?P<none>\w+)\s*===?\s*(?:undefined|null))\s*\)\s*\{?\s*return\b\s*(?:\{\s*\}|null|undefined)?\s*[;\n}]"
)
COMMENT = later(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
RELEASE = later(r"[\^~>=v\s]*(?P<major>\d+)\b")
LARGEST = 100_000


def without_api(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status not in "AM" or language_of(file.path) not in LANGUAGES or not WORTH.search(file.added_text):
            continue
        data = change.blobs.after(file.path) or b""
        if len(data) > LARGEST or not IS_RULE.search(data):
            continue
        release = _release(Side(change.blobs.after, change.blobs.paths_after()), file.path)
        old = {name for _, name, _ in _guards(change.blobs.before(file.path) or b"")}
        for line, name, text in _guards(data):
            if name not in old and _is_gone(name, release):
                detail = f"ESLint {release} has no context.{name}, without which the rule looks for nothing"
                yield hit_at(FORGIVEN, file.path, line, detail, text, key=f"without {name}")


def _guards(data: bytes) -> Iterator[tuple[int, str, str]]:
    text = COMMENT.sub(lambda match: "\n" * match[0].count("\n"), data.decode("utf-8", "replace"))
    for match in GUARD.finditer(text):
        name = match["kind"] or match["plain"] or match["within"] or match["none"] or ""
        yield text.count("\n", 0, match.start()) + 1, name, cut(" ".join(match[0].split()), 120)


def _is_gone(name: str, release: int) -> bool:
    return (release >= 9 and name in GONE_IN_9) or (release >= 10 and name in GONE_IN_10)


def _release(side: Side, path: str) -> int:
    """The oldest release of ESLint that the nearest `package.json` with one asks for; 0 where none does."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        node = side.node(f"{folder}/package.json" if folder else "package.json")
        for table in ("devDependencies", "dependencies", "peerDependencies"):
            said = node.at(table, "eslint") if node is not None else None
            asked = RELEASE.match(canonical(said)) if said is not None and "||" not in canonical(said) else None
            if asked is not None:
                return int(asked["major"])
    return 0
