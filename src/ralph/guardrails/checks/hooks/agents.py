"""Settings of coding agents and the scripts of their hooks; a change without any is let by without loading the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

AGENTS = later(
    r"(?:^|/)\.(?:claude|codex|cursor|gemini|qwen|windsurf|codeium|factory|augment|opencode|github|kiro)/|(?:^|/)opencode\.jsonc?$"
)
SCRIPTS = later(
    r"(?:^|/)\.(?:claude|codex|cursor|gemini|qwen|windsurf|factory|augment|kiro)/hooks?/[^/]+\.(?:sh|bash|py|[cm]?[jt]s|rb|pl|ps1)$"
)
REFUSES = later(
    rb"(?m)^[^#\n]*(?:\bexit[ (]+[12]\b|exitCode\s*=\s*[12]\b|SystemExit\(|[\"']decision[\"']"
    rb"|[\"']permission(?:Decision)?[\"']"
    rb"|[\"']continue[\"']\s*:\s*[Ff]alse|set -\w*e\b|\braise\b|\bexec\b)"
)
"""How a hook says no."""


def agents(change: Change) -> Iterable[Hit]:
    files = [file for file in change.files if AGENTS.search(file.path)]
    return _hits(change, files) if files else ()


def _hits(change: Change, files: list[FileChange]) -> Iterator[Hit]:
    from ralph.guardrails.checks.hooks.agent_settings import agent_hits, is_agent_file
    from ralph.guardrails.config.side import Side

    blobs = change.blobs
    if any(is_agent_file(file.path) for file in files):
        yield from agent_hits(change, Side(blobs.before, blobs.paths_before()), Side(blobs.after, blobs.paths_after()))
    for file in files:
        if file.status == "M" and SCRIPTS.search(file.path):
            before, after = blobs.before(file.path) or b"", blobs.after(file.path) or b""
            if REFUSES.search(before) and not REFUSES.search(after):
                text = "a hook of the agent that could say no cannot any more"
                yield hit_at("check.result-lost", file.path, 1, text)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (agents,)
