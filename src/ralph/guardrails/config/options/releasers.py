"""The options by which tools that make a release leave its checks out (see `narrowing`).

Those tools run the tests, the hooks of the repository or a build of what is packed, before they publish. A pipeline may
have done that before, so that leaving out only the build, or one step by its name, is for a person to look at.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.options.harm import NOT_RUN, WEAKER, bad, some
from ralph.guardrails.config.options.model import Option

BYPASSED = "vcs.hooks-bypassed"
NO_HOOKS = (bad("--no-verify -n", BYPASSED),)
RELEASERS: dict[str, Sequence[Option]] = {
    "np": (bad("--yolo --no-tests", NOT_RUN), some("--test-script")),
    **dict.fromkeys(("standard-version", "commit-and-tag-version"), NO_HOOKS),
    **dict.fromkeys(("bumpp", "changelogen", "auto"), (bad("--no-verify", BYPASSED),)),
    "release-it": (bad("--no-hooks", NOT_RUN), bad("--no-git.requireCleanWorkingDir", WEAKER)),
    "goreleaser": (some("--skip"), bad("--skip-validate --skip-before", WEAKER)),
}
