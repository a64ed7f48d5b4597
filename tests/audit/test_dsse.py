"""The envelopes, read by verifiers that are not ours."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey  # type: ignore[attr-defined]

from ralph.audit import dsse
from ralph.audit.keys import public_pem, signing_key, trusted_keys
from ralph.errors import EvidenceError
from tests.audit.evidence import verdict, words

NODE = Path(__file__).parent.parent / "node"


@pytest.fixture
def envelopes(tmp_path: Path) -> tuple[Path, bytes]:
    """A run's directory, and the public key in PEM form."""
    root = words(tmp_path / "repo", a_md="two\n")
    directory = root / verdict(root).artifact_path
    (key,) = trusted_keys().values()
    return directory, public_pem(key)


def test_securesystemslib_accepts_ours_and_no_other(envelopes: tuple[Path, bytes]) -> None:
    directory, pem = envelopes
    for name in ("attestation.json", "vsa.json", "checkpoint.json"):
        loaded = json.loads((directory / name).read_bytes())
        keyid = loaded["signatures"][0]["keyid"]
        key = SSlibKey(keyid, "ed25519", "ed25519", {"public": _raw(pem)})
        envelope = Envelope.from_dict(loaded)
        envelope.verify([key], 1)
        envelope.payload = envelope.payload.replace(b"PASS", b"FAIL") + b" "
        with pytest.raises(VerificationError):
            envelope.verify([key], 1)


def test_sigstore_accepts_ours_and_no_other(envelopes: tuple[Path, bytes], tmp_path: Path) -> None:
    directory, pem = envelopes
    (tmp_path / "key.pem").write_bytes(pem)
    good = (directory / "attestation.json").read_bytes()
    script = NODE / "verify-envelope.cjs"
    for name, data, expected in (("good", good, 0), ("bad", good.replace(b'"payload": "e', b'"payload": "f'), 1)):
        (tmp_path / name).write_bytes(data)
        done = subprocess.run(
            [shutil.which("node") or "node", script, tmp_path / name, tmp_path / "key.pem"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == expected, done.stdout + done.stderr


PAYLOADS = st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text()))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(payload=PAYLOADS, place=st.integers(min_value=0), bit=st.integers(0, 7))
def test_what_is_sealed_comes_back_and_one_bit_breaks_it(
    payload: dict[str, object], place: int, bit: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    key = signing_key(tmp_path_factory.getbasetemp() / "nowhere")
    keys = {key.public.keyid: key.public}
    sealed = dsse.seal(payload, "t", key)
    assert dsse.unseal(sealed, "t", keys, "f") == payload
    index = place % len(sealed)
    with pytest.raises(EvidenceError):
        dsse.unseal(sealed[:index] + bytes([sealed[index] ^ (1 << bit)]) + sealed[index + 1 :], "t", keys, "f")
    with pytest.raises(EvidenceError):
        dsse.unseal(sealed, "other", keys, "f")


def _raw(pem: bytes) -> str:
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    return load_pem_public_key(pem).public_bytes_raw().hex()  # type: ignore[union-attr]
