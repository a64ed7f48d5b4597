"""Looks for secrets in what is about to leave the machine.

Rules: forms that a secret has and hardly anything else, and the values of this process's own variables that are called
like credentials. What is found is named by its kind and its place; the secret itself is never shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ralph.permissions.environment import is_credential
from ralph.system.text import visible

FORMS: Mapping[str, re.Pattern[bytes]] = {
    "a private key": re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    "an AWS key": re.compile(rb"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
    "a GitHub token": re.compile(rb"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})"),
    "a GitLab token": re.compile(rb"\bglpat-[A-Za-z0-9_-]{20,}"),
    "a Slack token": re.compile(
        rb"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|hooks\.slack\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/\w{16,}"
    ),
    "a Stripe key": re.compile(rb"\b[rs]k_live_[A-Za-z0-9]{20,}"),
    "a Google key": re.compile(rb"\bAIza[A-Za-z0-9_-]{35}\b"),
    "an Anthropic key": re.compile(rb"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    "an OpenAI key": re.compile(rb"\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}"),
    "an npm token": re.compile(rb"\bnpm_[A-Za-z0-9]{36}\b"),
    "a PyPI token": re.compile(rb"\bpypi-AgEI[A-Za-z0-9_-]{50,}"),
    "a webhook secret": re.compile(rb"\bwhsec_[A-Za-z0-9+/]{32,}"),
    "a password in an address": re.compile(rb"\b[a-z][a-z0-9+.-]*://[^\s/:@'\"{}$<>]+:[^\s/:@'\"{}$<>]{3,}@[\w.-]"),
}
SHORTEST = 12
"""Values of variables that are shorter stand in files for other reasons."""


def found(texts: Mapping[str, bytes], environ: Mapping[str, str]) -> list[str]:
    """What looks like a secret, as sentences. The names of the files are looked at, too."""
    own = {name: value.encode("utf-8", "surrogateescape") for name, value in environ.items() if is_credential(name)}
    told = []
    for place, text in texts.items():
        looked_at = text + b"\n" + place.encode("utf-8", "surrogateescape")
        kinds = [kind for kind, form in FORMS.items() if form.search(looked_at)]
        kinds += [
            f"the value of {name}" for name, value in own.items() if len(value) >= SHORTEST and value in looked_at
        ]
        told += [f"{visible(place)} holds {kind}: take it out, and make it anew." for kind in kinds]
    return told
