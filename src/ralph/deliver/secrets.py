"""Looks for secrets in what is about to leave the machine.

Rules: what the guardrails know by its form (`guardrails.secrets`), and the values of this process's own variables that
are called like credentials. What is found is named by its kind and its place; the secret itself is never shown.
"""

from __future__ import annotations

from collections.abc import Mapping

from ralph.guardrails.secrets.find import secrets_in
from ralph.permissions.environment import is_credential
from ralph.system.text import visible

SHORTEST = 12
"""Values of variables that are shorter stand in files for other reasons."""


def found(texts: Mapping[str, bytes], environ: Mapping[str, str]) -> list[str]:
    """What looks like a secret, as sentences. The names of the files are looked at, too."""
    own = {name: value.encode("utf-8", "surrogateescape") for name, value in environ.items() if is_credential(name)}
    told = []
    for place, text in texts.items():
        looked_at = text + b"\n" + place.encode("utf-8", "surrogateescape")
        kinds = sorted({f"a secret ({secret.name})" for secret in secrets_in(looked_at) if secret.sort != "possible"})
        kinds += [
            f"the value of {name}" for name, value in own.items() if len(value) >= SHORTEST and value in looked_at
        ]
        told += [f"{visible(place)} holds {kind}: take it out, and make it anew." for kind in kinds]
    return told
