"""In which folder a command of a shell text runs: where the `cd` before it lead.

Rules: a `cd` holds for what stands behind it in its own shell: one in a subshell, a substitution, a pipeline or a
function does not reach further, and of one under a condition nobody knows. What names the repository itself
(`$GITHUB_WORKSPACE`, `$(git rev-parse --show-toplevel)`, `$(dirname "$0")/..`) is its root. Folders are told from there
(`""` is the root); None is one that only running could tell.
"""

from __future__ import annotations

import posixpath
import re

import tree_sitter

from ralph.guardrails.checks.shell.outline import Outline
from ralph.guardrails.checks.shell.script import Script
from ralph.system.patterns import later

GOES = later(r"\b(?:cd|pushd)\b")
COMMANDS = frozenset(("cd", "pushd", "popd"))
APART = frozenset(("subshell", "command_substitution", "process_substitution", "pipeline", "function_definition"))
PERHAPS = frozenset(
    ("if_statement", "elif_clause", "else_clause", "while_statement", "for_statement", "c_style_for_statement")
) | {"case_item"}
ROOT = later(
    r"[\"']?(?:\$\(\s*git rev-parse --show-toplevel\s*\)|`git rev-parse --show-toplevel`"
    r"|\{(?:toxinidir|tox_root)\}|\$\(\s*(?:System\.DefaultWorkingDirectory|Build\.SourcesDirectory|CURDIR)\s*\)"
    r"|\$\{?(?:GITHUB_WORKSPACE|CI_PROJECT_DIR|BITBUCKET_CLONE_DIR|BUILDKITE_BUILD_CHECKOUT_PATH|WORKSPACE|TRAVIS_BUILD_DIR"
    r"|CIRCLE_WORKING_DIRECTORY|CODEBUILD_SRC_DIR|CIRRUS_WORKING_DIR)\}?|\$\{\{\s*github\.workspace\s*\}\}"
    r"|\$\(\s*dirname\s+(?:--\s+)?[\"']?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?[\"']?\s*\)/\.\.)[\"']?/?"
)
UNKNOWN = later(r"[$`~{*?]|^/|^-")


def folder_of(found: Outline, place: tuple[int, ...]) -> str | None:
    """The folder of the command at this place, through the texts that are given to other shells."""
    folder: str | None = ""
    at: Outline | None = found
    for start in place:
        if at is None:
            return None
        if GOES.search(at.script.text):
            folder = _behind(at.script, start, folder)
        at = at.inner.get(start)
    return folder


def joined(folder: str | None, target: str) -> str | None:
    """Where `target` is, seen from a folder."""
    text = target.strip()
    if root := ROOT.match(text):
        folder, text = "", text[root.end() :]
    text = text.strip("\"'")
    if folder is None or UNKNOWN.search(text):
        return None
    inside = posixpath.normpath(posixpath.join(folder, text or "."))
    return None if inside.startswith("..") else "" if inside == "." else inside


def _behind(script: Script, start: int, folder: str | None) -> str | None:
    left: list[str | None] = []
    for node in script.walk():
        if node.start_byte >= start:
            break
        if node.type != "command":
            continue
        name, *words = re.split(r"\s+", script.of(node), maxsplit=1)
        if name not in COMMANDS:
            continue
        around = _around(node)
        if around is not None and not around.start_byte <= start < around.end_byte:
            folder = folder if around.type in APART else None
            continue
        if name == "popd":
            folder = left.pop() if left else None
            continue
        left.append(folder)
        folder = joined(folder, words[0] if words else "~")
    return folder


def _around(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The nearest part of the text that a change of folder does not leave, or not surely."""
    at = node.parent
    while at is not None and at.type not in APART and at.type not in PERHAPS:
        at = at.parent
    return at
