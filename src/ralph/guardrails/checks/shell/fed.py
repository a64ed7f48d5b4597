"""What a shell reads from a here document: `bash <<'EOF'`, which is a script like that of `bash -c`."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.checks.shell.script import Script
from ralph.system.patterns import later

SHELLS = later(r"(?:ba|da|z|k|a)?sh")
OPTION = later(r"-[a-zA-Z]+|pipefail|errexit|nounset")


def fed(script: Script, node: tree_sitter.Node, words: Sequence[str]) -> str | None:
    """The text of the document that stands behind the command of a shell without a script."""
    above = node.parent
    if not words or SHELLS.fullmatch(posixpath.basename(words[0])) is None or above is None:
        return None
    if above.type != "redirected_statement" or not all(OPTION.fullmatch(word) for word in words[1:]):
        return None
    for redirect in above.children_by_field_name("redirect"):
        body = next((child for child in redirect.children if child.type == "heredoc_body"), None)
        if body is not None:
            return script.of(body)
    return None
