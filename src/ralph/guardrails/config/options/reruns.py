"""The options by which runners of few other options run a failing test again until it passes (G14; see `narrowing`)."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.lattice import absent
from ralph.guardrails.config.options.harm import NOT_RUN, RETRIES, again, bad, only, without
from ralph.guardrails.config.options.model import Option

RETRY = again("--retry", 0)
RERUNS: dict[str, Sequence[Option]] = {
    "ginkgo": (
        again("--flake-attempts -flake-attempts --flakeAttempts -flakeAttempts", 1),
        only("--focus -focus --label-filter"),
        without("--skip -skip"),
        bad("--dry-run --dryRun -dryRun", NOT_RUN),
    ),
    **dict.fromkeys(("wdio", "wdio-cli"), (again("--specFileRetries", 0),)),
    "testcafe": (Option("--quarantine-mode -q", absent(), RETRIES),),
    "nightwatch": (again("--retries", 0), again("--suiteRetries", 0)),
    "detox": (again("--retries -R", 0),),
    "pants": (again("--attempts-default --test-attempts-default", 1),),
    "yath": (again("--retry -r", 0),),
    "cucumber-js": (RETRY,),
}
