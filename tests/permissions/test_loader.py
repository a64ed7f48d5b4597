"""`ralph.policy.json` is read to the letter: what is wrong is said, all of it, and nothing is ever assumed."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from ralph.errors import ConfigError
from ralph.permissions.loader import load, parse
from ralph.permissions.model import ApprovalClass
from tests.permissions.policies import GONE, WHOLE, encoded, having

POLICIES = sorted((Path(__file__).parents[1] / "corpora" / "policies").glob("*.json"))


def message(data: bytes) -> str:
    with pytest.raises(ConfigError) as caught:
        parse(data, "p.json")
    return str(caught.value)


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.stem)
def test_the_policies_of_the_corpus_load(path: Path) -> None:
    assert load(path).digest == hashlib.sha256(path.read_bytes()).hexdigest()


def test_every_key_reaches_its_place() -> None:
    document = having()
    document["$schema"] = "ralph.policy.schema.json"
    document["commands"]["packs"] = ["readonly-tools"]
    document["approval"] |= {
        "paths": {"production_impacting_edits": ["infra/**"], "destructive_ops": ["data"]},
        "scripts": ["ship"],
        "expiresS": 60,
    }
    document["sandbox"] = {
        "required": "landlock",
        "network": ["Registry.Example.org", "*.example.org"],
        "writable": ["~/.cache/uv", "/var/cache/tool"],
        "environment": ["FORCE_COLOR", "NODE_ENV"],
        "processes": 10,
        "memoryMb": 100,
        "outputMb": 5,
        "timeoutS": 1.5,
    }
    read = parse(encoded(document), "here")
    assert (read.version, read.mode, read.source) == (1, "delivery", "here")
    assert read.files.allow_write == ("src", "tests", "docs", "specs", "state")
    assert read.files.deny_read == (".env", ".git/objects")
    assert read.commands.deny == ("rm -rf /", "sudo", "curl | sh")
    assert read.commands.packs == ("readonly-tools",)
    assert read.approval.required_for == frozenset(ApprovalClass)
    assert read.approval.paths[ApprovalClass.PRODUCTION] == ("infra/**",)
    assert read.approval.paths[ApprovalClass.DESTRUCTIVE] == ("data",)
    assert read.approval.scripts == {ApprovalClass.PRODUCTION: ("ship",)}
    assert (read.approval.expires_s, read.approval.require_reason) == (60, True)
    assert (read.checks.required, read.checks.rollback_on_fail) == (("test", "build"), True)
    assert read.sandbox.network == ("registry.example.org", "*.example.org")
    assert (read.sandbox.required, read.sandbox.writable) == ("landlock", ("~/.cache/uv", "/var/cache/tool"))
    assert (read.sandbox.processes, read.sandbox.memory_mb, read.sandbox.output_mb) == (10, 100, 5)
    assert (read.sandbox.timeout_s, read.sandbox.environment) == (1.5, ("FORCE_COLOR", "NODE_ENV"))


def test_no_network_is_the_word_or_an_empty_list() -> None:
    assert parse(encoded(having("sandbox", {"network": "none"})), "p").sandbox.network == ()
    assert parse(encoded(having("sandbox", {"network": []})), "p").sandbox.network == ()


WRONG: dict[str, tuple[str, Any, str]] = {
    "no version": ("version", GONE, '$.version is missing: add "version": 1.'),
    "version 2": ("version", 2, "$.version must be 1"),
    "version true": ("version", True, "$.version must be 1, the only version there is, but is true."),
    "version 1.0": ("version", 1.0, "$.version must be 1"),
    "version text": ("version", "1", '$.version must be 1, the only version there is, but is "1".'),
    "mode": ("mode", "deliver", '$.mode must be "core" or "delivery", but is "deliver".'),
    "mode a list": ("mode", ["core"], "$.mode must be"),
    "files null": ("files", None, "$.files must be an object, but is null."),
    "files a list": ("files", [], "$.files must be an object, but is []."),
    "list a text": ("files.allowRead", ".", '$.files.allowRead must be a list of texts, but is ".".'),
    "item a number": ("files.denyWrite", ["a", 42], "$.files.denyWrite[1] must be a text, but is 42."),
    "item null": ("commands.allow", [None], "$.commands.allow[0] must be a text, but is null."),
    "key missing": ("files.denyRead", GONE, '$.files.denyRead is missing: add "denyRead": [].'),
    "section missing": ("checks", GONE, "$.checks is missing"),
    "unknown key": ("commandz", {}, '$ has the unknown key "commandz": did you mean "commands"?'),
    "unknown key below": ("files.allow_read", [], '"allow_read": did you mean "allowRead"?'),
    "a key of nowhere": ("files.zzz", [], "use allowRead, allowWrite, denyRead, denyWrite"),
    "absolute": ("files.allowWrite", ["/etc"], "$.files.allowWrite[0]"),
    "home": ("files.denyRead", ["~/.ssh"], "leads out of the project"),
    "up": ("files.allowWrite", ["src/../../x"], "leads out of the project"),
    "empty path": ("files.denyRead", [""], "is no path: it is empty"),
    "NUL": ("files.denyRead", [".env\0"], "cannot be seen"),
    "line end": ("files.denyRead", [".env\n"], "cannot be seen"),
    "zero width": ("files.denyRead", [".env\u200b"], "cannot be seen"),
    "half a character": ("files.denyRead", ["\ud800"], "cannot be seen"),
    "blank": ("files.denyRead", [" .env"], "begins or ends with a blank"),
    "backslash": ("files.denyRead", ["src\\x"], "backslash"),
    "negation": ("files.allowWrite", ["!src"], "exclamation mark"),
    "braces": ("files.denyRead", ["*.{pem,key}"], "write one entry for each"),
    "stars in a name": ("files.denyRead", ["src/**x"], "stands alone between slashes"),
    "endless path": ("files.denyRead", ["a" * 5000], "longer than"),
    "too many": ("files.denyRead", ["a"] * 1001, "1000 are the most"),
    "pattern unclosed": ("commands.deny", ["rm 'x"], "does not close"),
    "pattern empty": ("commands.allow", [" "], "lacks a program"),
    "pack": ("commands.packs", ["readonly-git", "readonly"], "$.commands.packs[1]"),
    "class": ("approval.requiredFor", ["destructive"], 'did you mean "destructive_ops"?'),
    "reason": ("approval.requireReason", "yes", '$.approval.requireReason must be true or false, but is "yes".'),
    "rollback": ("checks.rollbackOnFail", 1, "$.checks.rollbackOnFail must be true or false, but is 1."),
    "check": ("checks.required", ["tests"], 'did you mean "test"?'),
    "paths by unknown class": ("approval.paths", {"production": []}, '"production_impacting_edits"'),
    "scripts a text": ("approval.scripts", "deploy", "$.approval.scripts must be an object"),
    "script with a blank": ("approval.scripts", ["npm run x"], "no name of a script"),
    "expiry 0": ("approval.expiresS", 0, "$.approval.expiresS must be a number from 1"),
    "expiry true": ("approval.expiresS", True, "$.approval.expiresS must be a number"),
    "level": ("sandbox.required", "docker", '"none" or "landlock" or "bubblewrap"'),
    "network open": ("sandbox.network", "all", '$.sandbox.network must be "none" or a list'),
    "network star": ("sandbox.network", ["*"], "no host"),
    "network url": ("sandbox.network", ["https://example.org"], "no host"),
    "network odd address": ("sandbox.network", ["127.1"], "no host"),
    "network NUL": ("sandbox.network", ["example.org\0.evil.org"], "no host"),
    "network newline": ("sandbox.network", ["example.org\n"], "no host"),
    "writable root": ("sandbox.writable", ["/"], "whole system"),
    "writable home": ("sandbox.writable", ["~/"], "whole system"),
    "writable system": ("sandbox.writable", ["/usr/local/bin"], "whole system"),
    "writable relative": ("sandbox.writable", ["cache"], "must be absolute"),
    "writable secrets": ("sandbox.writable", ["~/.ssh/x"], "secrets"),
    "writable keys": ("sandbox.writable", ["/home/a/.Config/ralph"], "secrets"),
    "loader": ("sandbox.environment", ["LD_PRELOAD"], "changes which code runs"),
    "loader in lower case": ("sandbox.environment", ["npm_config_prefix"], "changes which code runs"),
    "path": ("sandbox.environment", ["PATH"], "changes which code runs"),
    "git": ("sandbox.environment", ["GIT_DIR"], "changes which code runs"),
    "token": ("sandbox.environment", ["MY_TOKEN"], "credential"),
    "key": ("sandbox.environment", ["STRIPE_KEY"], "credential"),
    "no variable": ("sandbox.environment", ["A=B"], "no name of a variable"),
    "memory true": ("sandbox.memoryMb", True, "must be a whole number from 16"),
    "memory half": ("sandbox.memoryMb", 100.5, "must be a whole number from 16"),
    "processes none": ("sandbox.processes", 0, "must be a whole number from 1"),
    "sandbox null": ("sandbox", None, "$.sandbox must be an object"),
}


@pytest.mark.parametrize(("path", "value", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_with_its_place(path: str, value: Any, said: str) -> None:
    text = message(encoded(having(path, value)))
    assert said in text
    assert text.startswith("p.json: $")
    assert text.endswith((".", "?"))
    assert "\n" not in text
    assert text.isprintable()


BYTES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty"),
    "no JSON": (b"{", "is not JSON in line 1"),
    "a comment": (b'{\n // no\n "version": 1}', "is not JSON in line 2"),
    "a trailing comma": (b'{"version": 1,}', "is not JSON"),
    "a byte order mark": (b"\xef\xbb\xbf" + encoded(WHOLE), "byte order mark"),
    "UTF-16": (json.dumps(WHOLE).encode("utf-16"), "byte order mark"),
    "Latin 1": (b'{\n"version": "\xe4"}', "is not UTF-8 in line 2"),
    "NaN": (b'{"version": NaN}', "NaN is no number of JSON"),
    "Infinity": (b'{"version": -Infinity}', "-Infinity is no number"),
    "beyond measure": (encoded(having("sandbox", {"timeoutS": 1})).replace(b'S": 1}', b'S": 1e999}'), "is Infinity"),
    "thousands of digits": (b'{"version": ' + b"9" * 5000 + b"}", "is not JSON that can be read"),
    "two values": (encoded(WHOLE) * 2, "is not JSON"),
    "a list": (b"[]", "$ must be an object, but is []"),
    "a text": (b'"delivery"', "$ must be an object"),
    "null": (b"null", "$ must be an object, but is null"),
    "deep lists": (b"[" * 100_000, "nested more than 20 deep"),
    "deep objects": (b'{"a":' * 30_000 + b"1" + b"}" * 30_000, "nested more than 20 deep"),
    "huge": (b" " * 300_000, "holds more than 256 KiB"),
    "a key twice": (b'{"mode": "delivery", ' + encoded(having())[1:], '$ has the key "mode" more than once'),
    "a key twice below": (
        encoded(having()).replace(b'"allowRead"', b'"denyRead": [], "allowRead"'),
        '$.files has the key "denyRead" more than once',
    ),
}


@pytest.mark.parametrize(("data", "said"), BYTES.values(), ids=BYTES)
def test_what_is_no_policy_at_all(data: bytes, said: str) -> None:
    text = message(data)
    assert text.startswith("p.json")
    assert said in text


def test_all_errors_are_told_at_once() -> None:
    document = having("version", 3)
    document["mode"] = "x"
    document["files"]["allowRead"] = ["/a", 1]
    document["commands"]["allow"] = ["npm *"]
    document["checks"] = {}
    first, *lines = message(encoded(document)).splitlines()
    assert first == "p.json has 7 errors; correct each:"
    assert [line.split()[0] for line in lines] == [
        "$.version",
        "$.mode",
        "$.files.allowRead[0]",
        "$.files.allowRead[1]",
        "$.commands.allow[0]",
        "$.checks.required",
        "$.checks.rollbackOnFail",
    ]


def test_rules_without_effect_are_errors() -> None:
    document = having("approval", {"requiredFor": [], "requireReason": True, "paths": {"dependency_changes": ["x"]}})
    assert "$.approval.paths.dependency_changes" in message(encoded(document))
    document["approval"]["paths"] = ["infra"]
    assert "add it to $.approval.requiredFor" in message(encoded(document))
    document["approval"]["paths"] = {"dependency_changes": []}
    parse(encoded(document), "p")


def test_what_is_denied_twice_over_is_no_error() -> None:
    parse(encoded(having("commands", {"allow": ["sudo"], "deny": ["sudo", "sudo"]})), "p")
    parse(encoded(having("files.denyWrite", ["src"])), "p")


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing is allowed: write one with `ralph init`"):
        load(tmp_path / "ralph.policy.json")


def test_what_is_no_file_is_an_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("pipe", "loop", ".", "a\0b"):
        with pytest.raises(ConfigError):
            load(tmp_path / name)
    with pytest.raises(ConfigError, match="no plain file"):
        load(Path("/dev/zero"))


def test_the_example_of_the_documentation_loads() -> None:
    page = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text("utf-8")
    examples = [block for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL) if '"allowRead"' in block]
    assert [parse(example.encode(), "docs").mode for example in examples] == ["delivery"]
