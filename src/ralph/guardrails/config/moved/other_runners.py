"""What mocha was told about tests that stand alone, where it is gone and another runner took its place (class G03).

Rule: `forbidOnly` is no loss of its own where the manifest beside its file no longer has mocha in it, and nothing there
asks for focused tests alone: node's runner knows no `only` without being told to, and vitest accepts none in CI. That
another program runs the tests is shown by itself.
"""

from __future__ import annotations

import posixpath

from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.record import replace
from ralph.system.patterns import later

ONLY, WEAKER = "cfg.test.allow-only", "cfg.test.weaker-run"
MOCHA = later(r"\bmocha\b")
OTHER = later(r"\"[^\"\n]*\":\s*\"[^\n]*(?:\bnode\b[^\n]*--test\b|\bvitest\b)")
ALONE = later(r"--test-only|--allowOnly|--allow-only")


def weighed_anew(loss: Loss, after: Side) -> Loss:
    """A person looks at what is lost with the old runner."""
    if loss.rule != ONLY or loss.node is not None or loss.old is None or "forbid-only" not in f"{loss.key} {loss.text}":
        return loss
    manifest = after.text(posixpath.join(posixpath.dirname(loss.old.path), "package.json")) or ""
    gone = OTHER.search(manifest) and not MOCHA.search(manifest) and not ALONE.search(manifest)
    return replace(loss, rule=WEAKER) if gone else loss
