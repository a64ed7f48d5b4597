"""insta: what it does with a snapshot that differs, as its own file says (policy set v2, classes G10, G13).

Rules: a difference that passes, and one that is written down in the place of what was recorded, block; with a
comparison of less than everything a person is asked.
"""

from __future__ import annotations

from ralph.guardrails.config.lattice import flag, ranked
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Place, Tool

IGNORED, REWRITTEN, WEAKER = "cfg.check.failures-ignored", "cfg.test.snapshots-rewritten", "cfg.test.weaker-run"

INSTA = Tool(
    name="insta",
    places=(Place("insta.yaml"), Place(".insta.yaml")),
    rows=(
        Row("behavior.force_pass", flag(good=False), IGNORED),
        Row("behavior.force_update", flag(good=False), REWRITTEN),
        Row("behavior.update", ranked("always=force unseen auto=new=no", "auto"), REWRITTEN),
        Row("behavior.require_full_match", flag(good=True), WEAKER),
        Row("test.unreferenced", ranked("ignore warn auto=delete reject", "ignore"), WEAKER),
        Row("test.auto_accept_unseen", flag(good=False), "cfg.test.snapshots-written"),
    ),
    suffixes=(),  # its folder `.config` holds none of the files that it is about
)
