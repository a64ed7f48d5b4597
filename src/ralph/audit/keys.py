"""Signing keys: one Ed25519 key per person, made on first use, outside every repository.

The private key is `keys/ed25519.pem` in Ralph's configuration folder, readable by its owner alone. Public keys
of others that a person trusts are `keys/trusted/*.pub` (PEM). A key id is the sha256 of the public key's DER form.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from ralph.errors import EvidenceError, StorageError
from ralph.record import record
from ralph.system.places import config_home

PRIVATE_NAME = "ed25519.pem"


@record
class PublicKey:
    keyid: str
    key: Ed25519PublicKey

    def verifies(self, signature: bytes, message: bytes) -> bool:
        try:
            self.key.verify(signature, message)
        except InvalidSignature:
            return False
        return True


@record
class SigningKey:
    private: Ed25519PrivateKey

    @property
    def public(self) -> PublicKey:
        return _public(self.private.public_key())

    def sign(self, message: bytes) -> bytes:
        return self.private.sign(message)


def signing_key(outside: Path) -> SigningKey:
    """The user's key, made if there is none. Raises StorageError when its folder lies inside `outside`."""
    folder = config_home() / "keys"
    if folder.resolve().is_relative_to(outside.resolve()):
        raise StorageError(
            f"The configuration folder {config_home()} lies inside the repository {outside}, where an agent could "
            "read the signing key; set XDG_CONFIG_HOME to a folder outside it."
        )
    path = folder / PRIVATE_NAME
    try:
        if not path.exists():
            _create(path)
        return SigningKey(_read_private(path))
    except OSError as error:
        raise StorageError(
            f"The signing key {path} cannot be used: {error.strerror}; make {config_home()} a folder that you can "
            "write, or set XDG_CONFIG_HOME to one."
        ) from None


def trusted_keys() -> dict[str, PublicKey]:
    """Public keys by id: one's own, and those in `keys/trusted/`. Makes nothing."""
    folder = config_home() / "keys"
    keys = []
    if (folder / PRIVATE_NAME).exists():
        keys.append(_public(_read_private(folder / PRIVATE_NAME).public_key()))
    keys.extend(read_public(path) for path in sorted((folder / "trusted").glob("*.pub")))
    return {key.keyid: key for key in keys}


def read_public(path: Path) -> PublicKey:
    """A public key from a PEM file. Raises EvidenceError."""
    try:
        key = load_pem_public_key(path.read_bytes())
    except (OSError, ValueError, UnsupportedAlgorithm):
        raise EvidenceError(f"{path} is not a readable public key in PEM form.") from None
    if not isinstance(key, Ed25519PublicKey):
        raise EvidenceError(f"{path} is not an Ed25519 key, and Ralph signs with no other kind.")
    return _public(key)


def public_pem(key: PublicKey) -> bytes:
    return key.key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def _public(key: Ed25519PublicKey) -> PublicKey:
    der = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return PublicKey(hashlib.sha256(der).hexdigest(), key)


def _read_private(path: Path) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise StorageError(f"The signing key {path} is damaged; move it away and Ralph makes a new one.") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise StorageError(f"The signing key {path} is not an Ed25519 key; move it away and Ralph makes one.")
    return key


def _create(path: Path) -> None:
    """Make the key once, also when several processes try: the first `link` wins."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        try:
            path.hardlink_to(temporary)
        except FileExistsError:
            return
    finally:
        temporary.unlink()
