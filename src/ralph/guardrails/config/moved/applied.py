"""New scripts of Gradle that scripts of the base now apply (policy set v2, class G09).

Rule: what a new script says holds where it is applied, and not where it stands (`gradle/`, `buildSrc/`): for the build
of each script of the base that now names it, as a file or as a plugin. One that only new builds name takes nothing
from the others. Of such a script only that failures do not count and that tests do not run is judged, and for a person
that some of them do not. It counts neither of a task that it makes itself, nor of a tool that no script of the base
knows.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.config.moved.ported import about_line
from ralph.guardrails.config.node import names
from ralph.guardrails.config.options.harm import EXCLUDED, FILTERED, IGNORED, NOT_RUN, PARTLY
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.record import replace
from ralph.system.patterns import later

SHARED_BUILD = later(r"(?:^|/)(?:buildSrc|build-logic|build-conventions|gradle)(?:/.*)?$")
"""Folders of what builds of the folder around them share."""
SCRIPTS = (".gradle", ".gradle.kts")
OF_JAVA = later(r"test|check$|build", re.IGNORECASE)
"""Tasks that are there with the language."""
NEW_TASK = later(r"\b(?:register|registering|create|creating)\b|^task\b")
WORD = later(r"[A-Za-z]\w*")
NO_TOOL = frozenset(names("tasks named withType configureEach all getByName project configure matching it"))
KIND = later(r"(?<=.)(?:task|main)s?$")
COMMENT = later(r"(?<!:)//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*\*/")


def builds(name: str, before: Side, after: Side) -> Iterator[str]:
    """The folders of the base's builds that apply the script now."""
    stem = re.escape(posixpath.basename(name).removesuffix(".gradle"))
    applied = re.compile(rf"(?m)[\"'`/.]{stem}(?:\.gradle(?:\.kts)?)?[\"'`]|^\s*{stem}\s*$")
    for path in sorted(before.paths & after.paths):
        if path.endswith(SCRIPTS) and applied.search(COMMENT.sub("", after.text(path) or "")):
            yield SHARED_BUILD.sub("", posixpath.dirname(path))


def taken_away(loss: Loss, before: Side, after: Side) -> Iterator[Loss]:
    """The loss, if what a new script says holds for a check that was there before it."""
    if loss.node is None or loss.rule not in (IGNORED, NOT_RUN, EXCLUDED, FILTERED):
        return
    about = about_line(after.text(loss.node.path) or "", loss.node.line)
    if NEW_TASK.search(about):
        return
    tools = [KIND.sub("", word.lower()) for word in WORD.findall(about) if word not in NO_TOOL]
    known = [(before.text(path) or "").lower() for path in before.paths if path.endswith(SCRIPTS)]
    if not tools or any(OF_JAVA.search(tool) or any(tool in each for each in known) for tool in tools):
        yield loss if loss.rule in (IGNORED, NOT_RUN) else replace(loss, rule=PARTLY)
