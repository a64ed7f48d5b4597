"""Hooks of pre-commit whose program reads one kind of file only, whatever it is given.

A pattern that leaves other files out takes nothing from them, and where no such file is left they have nothing to do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ralph.guardrails.config.node import names
from ralph.system.patterns import later

WORKFLOWS = later(r"^\.github/workflows/[^/]+\.ya?ml$")
ACTIONS = later(r"(?:^|/)action\.ya?ml$")
AUDITED = later(r"^\.github/workflows/[^/]+\.ya?ml$|(?:^|/)action\.ya?ml$|^\.github/dependabot\.ya?ml$")
READ: Mapping[str, re.Pattern[str]] = {
    "zizmor": AUDITED,
    **dict.fromkeys(names("actionlint actionlint-docker actionlint-system check-github-workflows"), WORKFLOWS),
    "check-github-actions": ACTIONS,
    "check-dependabot": later(r"^\.github/dependabot\.ya?ml$"),
    "check-gitlab-ci": later(r"(?:^|/)\.gitlab-ci\.ya?ml$"),
    "check-circle-ci": later(r"^\.circleci/config\.ya?ml$"),
    "check-travis": later(r"^\.travis\.ya?ml$"),
    "check-readthedocs": later(r"^\.readthedocs\.ya?ml$"),
    "tox-ini-fmt": later(r"(?:^|/)tox\.ini$"),
    "setup-cfg-fmt": later(r"(?:^|/)setup\.cfg$"),
    **dict.fromkeys(names("pyproject-fmt validate-pyproject poetry-check"), later(r"(?:^|/)pyproject\.toml$")),
}
"""By the hook's id."""


def reads(hook: str, path: str) -> bool:
    """Whether the hook looks at a file; one that is not known may look at any."""
    return hook not in READ or READ[hook].search(path) is not None
