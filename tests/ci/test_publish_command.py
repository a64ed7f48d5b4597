"""`ralph ci publish --json` and `ralph ci base --json`, as a step of a pipeline calls them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ralph.audit.store import AuditStore
from ralph.system.places import audit_dir
from tests.ci.host import Host, host
from tests.ci.test_action import TOKEN, checkout, environment
from tests.cli.test_docs import assert_same_form, example


def ralph(place: Path, there: Host, *words: str, token: str = "") -> tuple[int, Any, str]:
    """The exit code, the document on standard output (None: none is expected), and standard error."""
    given: Mapping[str, str] = environment(place, there) | ({"GITHUB_TOKEN": token} if token else {})
    line = [sys.executable, "-m", "ralph", *words]
    done = subprocess.run(line, cwd=place / "checkout", env=given, capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout) if "--json" in words else None, done.stderr


def test_what_was_published_is_one_document(tmp_path: Path) -> None:
    base = checkout(tmp_path, {"page.txt": "new\n"})
    out = str(tmp_path / "out")
    with host() as there:
        assert ralph(tmp_path, there, "ci", "base", "--json")[:2] == (0, {"base": base})
        assert ralph(tmp_path, there, "verify", "--base", base)[0] == 1
        publish = ("ci", "publish", "--json", "--out", out, "--verified")
        code, document, _ = ralph(tmp_path, there, *publish, "1", token=TOKEN)
        assert_same_form(example("ralph ci publish"), document, "ralph ci publish")
        (run,) = AuditStore(audit_dir(tmp_path / "checkout")).runs()
        assert document.pop("line").startswith("FAIL: ")
        judged = {"verdict": "FAIL", "run_id": run, "state": "failure", "folder": out}
        assert (code, document) == (1, {**judged, "told": ["comment", "status"]})
        code, document, said = ralph(tmp_path, there, *publish, "1")
        assert (code, document["told"], "No token is set" in said) == (1, [], True)
        there.refuses = {"POST": 403}
        code, document, said = ralph(tmp_path, there, *publish, "1", token=TOKEN)
        assert (code, document["told"], "was answered 403" in said) == (1, ["comment"], True)
        code, document, _ = ralph(tmp_path, there, *publish, "3", "--no-comment", "--no-status", token=TOKEN)
        assert (code, document["verdict"], document["run_id"], document["state"]) == (3, None, None, "error")
        assert len(there.comments) == 1


def test_a_new_branch_has_no_base(tmp_path: Path) -> None:
    checkout(tmp_path, {"page.txt": "new\n"})
    (tmp_path / "event.json").write_text(json.dumps({"before": "0" * 40}))
    with host() as there:
        assert ralph(tmp_path, there, "ci", "base", "--json")[:2] == (0, {"base": None})
