"""cargo-deny: which advisories, licences, crates and sources it refuses.

Rule: what a key is without being said is what cargo-deny makes of it. Advisories that are passed over by their numbers
are judged where all such lists are (`accepted_advisories`); more crates or licences that are let in are for a person.
"""

from __future__ import annotations

from ralph.guardrails.config.lattice import flag, floor, no_less, ranked
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Place, Tool

IGNORED = "cfg.check.failures-ignored"
LEVELS = "allow warn deny"
DENY = Tool(
    name="cargo-deny",
    places=(Place("deny.toml"), Place(".deny.toml")),
    rows=(
        *(
            Row(f"advisories.{name}", ranked(LEVELS, usual), IGNORED)
            for name, usual in (("yanked", "warn"), ("vulnerability", "deny"), ("notice", "warn"), ("unsound", "warn"))
        ),
        Row("advisories.unmaintained", ranked("allow=none warn transitive workspace deny=all", "all"), IGNORED),
        *(
            Row(f"bans.{name}", ranked(LEVELS, usual), IGNORED)
            for name, usual in (("multiple-versions", "warn"), ("wildcards", "allow"), ("workspace-duplicates", "warn"))
        ),
        Row("bans.deny", no_less(), IGNORED),
        Row("bans.allow-wildcard-paths", flag(good=False), "cfg.exclude-minor"),
        *(Row(f"sources.{name}", ranked(LEVELS, "warn"), IGNORED) for name in ("unknown-registry", "unknown-git")),
        *(Row(f"licenses.{name}", ranked(LEVELS, "deny"), IGNORED) for name in ("unlicensed", "copyleft", "default")),
        Row("licenses.confidence-threshold", floor(0.8), IGNORED),
    ),
    suffixes=(".rs",),
)
