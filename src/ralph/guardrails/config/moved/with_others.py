"""Settings that moved to another file of their project, all but one (policy set v2).

    // tsconfig.json: { "references": [...] }     tsconfig.base.json: { "compilerOptions": { "strict": true } }

Rule: the file that held a setting which is gone is still there, and says nothing of its section any more; most of what
it said there stands in one file that the change writes. What is missing is missing there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.tool import Unit

FEW = 2


def where_others_went(loss: Loss, was: Unit, now: Unit, changed: Collection[str]) -> str:
    """The file; empty where the others stayed, or went nowhere."""
    if loss.old is None:
        return ""
    section, held = loss.key.rpartition(".")[0], loss.old.path
    keys = [key for key, node in was.settings.items() if ".".join(key[:-1]) == section and node.path == held]
    paths = Counter(now.settings[key].path for key in keys if key in now.settings)
    path, number = paths.most_common(1)[0] if section and paths and held not in paths else ("", 0)
    return path if number >= max(FEW, len(keys) / 2) and path in changed else ""
