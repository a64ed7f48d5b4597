"""Plugins of pylint's that switch its messages off for a whole project (policy set v2, class G12).

    def load_configuration(linter):
        linter.disable("no-member")

pylint calls `register` and `load_configuration` of a plugin with its linter, after it read its configuration: what is
switched off there is off wherever the plugin is loaded, and stands in no configuration.

Rule: a line of such a file that switches a message off, or makes the linter milder, and that is new, blocks. A plugin
may switch off what it defines itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

WORTH = later(rb"\.disable\(|set_option\(|\.config\.\w|msg_status|\.error_mode\(")
PLUGIN = later(rb"\bpylint\b|\bdef[ \t]+(?:register|load_configuration)\([ \t]*linter\b")
MILDER = later(
    r"\blinter\.(?:disable\((?P<given>[^\n]*)|_?(?:parse_)?error_mode\(|msg_status\s*=\s*0\b"
    r"|set_option\(\s*[\"'](?:disable|ignore[\w-]*|fail[-_](?:under|on)|errors[-_]only|exit[-_]zero)[\"']"
    r"|config\.(?:disable|ignore\w*|fail_under|fail_on|exit_zero|errors_only|confidence)\s*(?:\+?=(?!=)|\.(?:append|extend)\())"
)
STRING = later(r"[\"'](?P<name>[\w-]+)[\"']")
CODE = later(r"[CRWEFI]\d{4}")
COMMENT = later(r"\s*#")


def pylint_plugins(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if not file.path.endswith(".py") or not WORTH.search(file.added_text) or is_support(file.path):
            continue
        data = change.blobs.after(file.path) or b""
        if b"linter" not in data or not PLUGIN.search(data):
            continue
        for number, text in _new(file, data.decode("utf-8", "replace")):
            yield hit_at("cfg.pylint.disable", file.path, number, text, text)


def _new(file: FileChange, head: str) -> Iterator[tuple[int, str]]:
    before = Counter(line.strip() for line in file.removed())
    for number, line in file.added():
        text = line.decode("utf-8", "replace").strip()
        match = MILDER.search(text) if not COMMENT.match(text) else None
        if match is None or _is_its_own(match["given"] or "", head):
            continue
        if before[line.strip()]:
            before[line.strip()] -= 1
        else:
            yield number, text


def _is_its_own(given: str, head: str) -> bool:
    """All messages that are named here are defined here: `"W9001": ("text", "symbol", ...)`."""
    named = STRING.findall(given)
    return bool(named) and all(_defines(name, head) for name in named)


def _defines(name: str, head: str) -> bool:
    if CODE.fullmatch(name):
        return re.search(rf"[\"']{name}[\"']\s*:\s*\(", head) is not None
    return re.search(rf"[\"'][CRWEFI]\d{{4}}[\"']\s*:[^{{}}]{{0,400}}?[\"']{re.escape(name)}[\"']", head) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (pylint_plugins,)
