"""Rust: a harness of one's own whose failures no longer fail the run (policy set v2, class G08).

Rule, for a target with `harness = false` and for what runs `libtest_mimic`: its `main` told the runner of a failure
(`.exit()`, `.exit_if_failed()`, an exit code, `process::exit(1)`, a panic), and in the head nothing does any more. It
blocks. What the trials themselves give or assert tells `libtest_mimic`, and nobody else.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.config.commands.manifests import manifest_of
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.rust.declared import COMMENT
from ralph.guardrails.rust.unrun import bare_homes
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded, one_line_end
from ralph.system.patterns import later

MIMIC = later(rb"\blibtest_mimic\b")
MAIN = later(rb"\bfn\s+main\s*\(")
TOLD = later(rb"\bexit\w*\(|\bExitCode\b|\bpanic!|\bassert\w*!|\bbail!|\bErr\(|\?|\.unwrap\(|\.expect\(")
EXITS = later(
    r"\.exit(?:_if_failed)?\(\)|\bprocess::exit\(\s*(?!0\s*\))|\bExitCode::(?:FAILURE|from\()|\bresume_unwind\("
    r"|\.exit_code\(\)(?!\s*;)|(?:return\b|\blet\s+[a-z]\w*[^=;]*=)[^;]*\.exit_code\(\)"
)
REFUSES = later(r"\b(?:panic|bail|ensure|assert\w*)!|\bErr\(")
PASSES_ON = later(r"\?|\.unwrap\(|\.expect\(|fn\s+main\s*\(\s*\)\s*->")
ABOUT_ALL = later(r"\bfn main\b|[cC]onclusion\b|\b(?:has_failed|num_failed)\b|\blibtest_mimic::run\b")
"""Functions that see how all of it ended."""


def unheard_harness(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".rs"):
            continue
        before, after = (side(file.path) or b"" for side in (change.blobs.before, change.blobs.after))
        if not MAIN.search(before) or not MAIN.search(after):
            continue
        if not any(TOLD.search(line) for hunk in file.hunks for line in hunk.removed):
            continue
        mimics = MIMIC.search(after) is not None
        if (
            (mimics or _is_bare(file, change))
            and _is_heard(file, before, mimics)
            and not _is_heard(file, after, mimics)
        ):
            detail = "whatever fails, its harness ends well"
            line = next((number for number, _ in file.added()), 0)
            yield hit_at("test.exit", file.path, line, detail, "")


def _is_bare(file: FileChange, change: Change) -> bool:
    manifest = manifest_of(file.path, change.blobs.paths_after())
    if manifest is None:
        return False
    return file.path in bare_homes(posixpath.dirname(manifest), change.blobs.after(manifest))


def _is_heard(file: FileChange, data: bytes, mimics: bool) -> bool:
    """True where nobody can tell."""
    try:
        source = Source(file.path, "rust", one_line_end("rust", decoded("rust", COMMENT.sub(b"", data))))
    except UnreadableError:
        return True
    functions = [text_of(node) for node in source.walk() if node.type == "function_item"]
    if any(map(EXITS.search, functions)):
        return True
    about_all = [text for text in functions if ABOUT_ALL.search(text)]
    if any(map(REFUSES.search, about_all if mimics else functions)):
        return True
    return not mimics and any("fn main" in text and PASSES_ON.search(text) for text in functions)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unheard_harness,)
