"""Nothing that Ralph writes down holds a secret."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.guardrails.secrets.redact import redact_folder, redacted, redacted_bytes
from tests.guardrails.secrets.fakes import ALNUM, KEYS, SECRET, chance, private_key


@pytest.mark.parametrize(("name", "key"), KEYS.items(), ids=KEYS)
def test_a_key_is_replaced_by_its_name(name: str, key: str) -> None:
    assert redacted(f"before {key} after") == f"before [redacted: {name}] after"


def test_a_text_without_secrets_is_the_same_object() -> None:
    text, data = "nothing here: token, password, secret", b"nothing \xff here"
    assert redacted(text) is text
    assert redacted_bytes(data) is data


def test_a_private_key_goes_as_a_whole() -> None:
    text = redacted(f"a\n{private_key()}\nb\n")
    assert text == "a\n[redacted: private key]\nb\n"


@pytest.mark.parametrize("key", [*KEYS.values(), private_key()], ids=[*KEYS, "private key"])
def test_json_stays_json(key: str) -> None:
    line = json.dumps({"text": f"the key is {key} ok", "more": {"password": SECRET}, "argv": [f"--token={key}"]})
    clean = redacted(line)
    assert json.loads(clean)["text"].startswith("the key is [redacted")
    assert SECRET not in clean
    assert chance(64, f"{ALNUM}+/", 3) not in clean


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80), st.sampled_from(sorted(KEYS)), st.text(max_size=80))
def test_twice_is_as_good_as_once(before: str, name: str, after: str) -> None:
    once = redacted(f"{before} {KEYS[name]} {after}")
    assert redacted(once) == once
    assert KEYS[name] not in once


def test_files_are_rewritten_and_others_left_alone(tmp_path: Path) -> None:
    key = KEYS["GitHub token"]
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps" / "output.log").write_text(f"pushing with {key}\n")
    (tmp_path / "steps" / "output.log.gz").write_bytes(gzip.compress(f"all of it {key}\n".encode()))
    (tmp_path / "verdict.json").write_text(key)
    (tmp_path / "data.bin").write_bytes(b"\0" + key.encode())
    redact_folder(tmp_path, but=frozenset({"verdict.json"}))
    assert (tmp_path / "steps" / "output.log").read_text() == "pushing with [redacted: GitHub token]\n"
    assert (
        gzip.decompress((tmp_path / "steps" / "output.log.gz").read_bytes()) == b"all of it [redacted: GitHub token]\n"
    )
    assert (tmp_path / "verdict.json").read_text() == key
    assert (tmp_path / "data.bin").read_bytes() == b"\0" + key.encode()
