"""Secrets by their names: `env:VARIABLE` and `keyring:SERVICE/USER`. They are read when they are needed, and never
kept, shown or written down."""

from __future__ import annotations

from collections.abc import Mapping

from ralph.errors import ConfigError
from ralph.system.extras import needed


def reveal(reference: str, environ: Mapping[str, str]) -> str:
    """The secret. Raises ConfigError where there is none, MissingToolError without the extra."""
    kind, _, name = reference.partition(":")
    value = environ.get(name) if kind == "env" else _of_keyring(*name.split("/", 1))
    if not value:
        what = f"The variable {name} is not set" if kind == "env" else f"The keyring holds nothing as {name}"
        raise ConfigError(f"{what}, which `notify` in ralph.yml names: set it where Ralph is started.")
    return value.strip()


def _of_keyring(service: str, user: str) -> str | None:
    with needed("A secret of the keyring", "notify"):
        import keyring
        from keyring.errors import KeyringError
    try:
        return keyring.get_password(service, user)
    except (KeyringError, RuntimeError, OSError) as error:
        raise ConfigError(f"The keyring cannot be read ({type(error).__name__}): unlock it, or use env:.") from None
