"""What a person can get wrong: one clear sentence on standard error and exit code 3, or a right verdict; no traceback.

Files that govern (contexts, contracts, records of trust, keys), arguments, diffs, evidence. Odd repositories have a
table of their own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import CONTEXT, CONTRACT, ralph, refused, verify, words
from tests.project import write

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 12)
)

CONTEXTS: dict[str, tuple[str | bytes, tuple[str, ...]]] = {
    "broken YAML": ("project: [1,\n b: }", ("line 2", "correct the file")),
    "a tab": ("project:\n\tname: x\n", ("line 2",)),
    "nothing": ("", ("must hold a mapping", "nothing")),
    "a list": ("- 1\n", ("a list",)),
    "a text": ("hello\n", ("holds text",)),
    "two documents": (f"{CONTEXT}---\n{CONTEXT}", ("another document",)),
    "a key twice": (f"{CONTEXT}commands: {{}}\n", ("'commands' stands twice",)),
    "a misspelled key": (f"{CONTEXT}autonomy_levl: L1\n", ("'autonomy_levl'", "did you mean 'autonomy_level'?")),
    "a misspelled inner key": (CONTEXT.replace("commands: {}", "commands: {tests: x}"), ("did you mean 'test'?",)),
    "a missing key": ("commands: {}\n", ("'project' is missing",)),
    "a wrong type": (CONTEXT.replace("words", "[1]"), ("'project.name' must be text",)),
    "a wrong word": (CONTEXT.replace("L2", "L9"), ("'L1' or 'L2'",)),
    "a key of the policy": (f"{CONTEXT}thresholds: {{lines: 900}}\n", ("governed by Ralph's policy", "remove")),
    "a report elsewhere": (f"{CONTEXT}paths: {{coverage_report: /etc/passwd}}\n", ("inside the project",)),
    "a report with NUL": (f'{CONTEXT}paths: {{coverage_report: "a\\0b"}}\n', ("inside the project",)),
    "not UTF-8": (b"project: {name: caf\xe9}\n", ("not UTF-8", "save it as UTF-8")),
    "UTF-16": (CONTEXT.encode("utf-16"), ("not UTF-8",)),
    "a control character": ("project: \x00\n", ("control characters",)),
    "a key that paints the terminal": (f'{CONTEXT}"\\e[31mred": 1\n', ("'\\x1b[31mred'",)),
    "a Python object": ('project: !!python/object/apply:os.system ["true"]\n', ("line 1",)),
    "10 MB": ("a: " + "x" * 10_000_000, ("more than 1 MiB",)),
    "a bomb of aliases": (BOMB, ("more than 100000 values",)),
    "an alias of itself": ("a: &a [*a]\n", ("holds itself",)),
    "a tower of aliases": ("".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 400)), ("nesting",)),
    "deep nesting": ("[" * 100_000, ("levels of nesting",)),
}

CONTRACTS: dict[str, tuple[str | bytes, tuple[str, ...]]] = {
    "broken YAML": ("{", ("line", "correct the file")),
    "a misspelled key": (f"{CONTRACT}limts: {{}}\n", ("did you mean 'limits'?",)),
    "an unknown step": (CONTRACT.replace("lint:", "lnt:"), ("lnt",)),
    "a negative limit": (f"{CONTRACT}limits: {{lines_added: -1}}\n", ("must not be negative",)),
    "a limit beyond numbers": (f"{CONTRACT}limits: {{lines_added: {10**30}}}\n", ("at most",)),
    "a limit that is none": (f"{CONTRACT}limits: {{lines_added: yes}}\n", ("a whole number",)),
    "not UTF-8": (b"agent: \xff\n", ("not UTF-8",)),
    "a bomb of aliases": (BOMB, ("more than 100000 values",)),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return words(tmp_path / "project")


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(("content", "said"), CONTEXTS.values(), ids=CONTEXTS)
def test_contexts(project: Path, content: str | bytes, said: tuple[str, ...]) -> None:
    refused(verify(project, "--context", put(project.parent / "context.yaml", content)), "context.yaml", *said)


@pytest.mark.parametrize(("content", "said"), CONTRACTS.values(), ids=CONTRACTS)
def test_contracts(project: Path, content: str | bytes, said: tuple[str, ...]) -> None:
    contract = put(project.parent / "own.yaml", content)
    refused(ralph("verify", "-C", project, "--contract", contract), "own.yaml", *said)


def test_a_context_that_the_change_could_have_written(project: Path) -> None:
    write(project, {"other.yaml": CONTEXT})
    refused(verify(project, "--context", project / "other.yaml"), "neither in the base commit nor accepted", "commit")
    os.mkfifo(project / "pipe.yaml")
    refused(verify(project, "--context", project / "pipe.yaml"), "neither in the base commit nor accepted")


def test_init_accepts_only_what_can_be_used(project: Path) -> None:
    place = project / "ralph-context.yaml"
    place.write_text("project: [")
    refused(ralph("init", "--accept", "-C", project), "ralph-context.yaml", "correct the file")
    place.unlink()
    place.mkdir()
    for option in ("--accept", "--force"):
        refused(ralph("init", option, "-C", project), "no plain file", "remove")


ARGUMENTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "unknown command": ("verfy", ("There is no command 'verfy'", "Did you mean 'verify'?")),
    "no such command at all": ("xyzzy", ("`ralph --help`",)),
    "unknown subcommand": ("audit lst", ("Did you mean 'list'?",)),
    "unknown option": ("verify --contrct x", ("--contrct", "--contract")),
    "an argument too many": ("verify extra", ("extra", "`ralph verify --help`")),
    "an argument too few": ("audit show", ("ID", "`ralph audit show --help`")),
    "a number that is none": ("verify --jobs many", ("--jobs", "many")),
    "a number out of range": ("verify --jobs 0", ("--jobs",)),
    "a form that is none": ("scan --format xml", ("'sarif'",)),
    "two contexts": ("verify --adapter karematch --context x.yaml", ("--adapter", "--context")),
    "two bases": ("scan --diff x --base HEAD", ("--base", "--diff")),
    "unknown adapter": ("verify --adapter karemath", ("'karemath'", "karematch")),
    "missing context": ("verify --context nowhere.yaml", ("nowhere.yaml", "does not exist")),
    "missing context elsewhere": ("verify --context ../nowhere.yaml", ("nowhere.yaml", "No such file")),
    "endless context": ("verify --context /dev/zero", ("/dev/zero", "1 MiB")),
    "unknown contract": ("verify --contract bugfx", ("'bugfx'", "bugfix")),
    "missing contract": ("verify --contract nowhere.yaml", ("nowhere.yaml", "No such file")),
    "unknown policy": ("verify --policy v99", ("'v99'", "v1")),
    "a policy by path": ("verify --policy ../v1", ("there is no policy set",)),
    "a base like an option": ("verify --base --help", ("'--help' is not a revision",)),
    "a base like an option, joined": ("verify --base=--all", ("'--all' is not a revision",)),
    "no such base": ("verify --base nope", ("'nope' names no commit", "check the name")),
    "a base that is a range": ("verify --base main..HEAD", ("names no commit",)),
    "a base that is a tree": ("verify --base HEAD^{tree}", ("names no commit",)),
    "an empty base": ("verify --base=", ("is not a revision",)),
    "no such run": ("audit verify nope", ("No run", "`ralph")),
    "a missing diff": ("scan --diff nowhere.diff", ("nowhere.diff", "No such file")),
}


@pytest.mark.parametrize(("line", "said"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments(project: Path, monkeypatch: pytest.MonkeyPatch, line: str, said: tuple[str, ...]) -> None:
    monkeypatch.chdir(project)
    refused(ralph(*line.split(" ")), *said)
    if not line.startswith(("audit", "xyzzy", "verfy")):
        refused(ralph(*line.split(" "), "--json"), *said)


@pytest.mark.parametrize("command", ["verify", "show", "replay"])
def test_runs_that_are_not_there_or_not_one(project: Path, command: str) -> None:
    def asked(run_id: str) -> None:
        refused(ralph("audit", command, run_id, "-C", project, "--json"), "`ralph")

    asked("last")
    assert verify(project).code == 0
    assert verify(project).code == 0
    for run_id in ("", "2", "nope", "..", "../audit", "/etc", "\n", ".store.lock"):
        asked(run_id)


DIFFS = {
    "noise": b"\x00\xff\x01",
    "prose": b"hello\nworld\n",
    "huge": b"--- a/x\n+++ b/x\n@@ -1 +1,99999999999 @@\n+x\n",
}


@pytest.mark.parametrize("content", DIFFS.values(), ids=DIFFS)
def test_what_is_no_diff(project: Path, content: bytes) -> None:
    refused(ralph("scan", "-C", project, "--diff", put(project.parent / "x.diff", content), "--json"), "x.diff")


def folder_is_a_file(home: Path) -> None:
    put(home, "a file")


def key_is_damaged(home: Path) -> None:
    put(home / "keys/ed25519.pem", "no key")


def key_is_a_folder(home: Path) -> None:
    (home / "keys/ed25519.pem").mkdir(parents=True)


def trust_is_damaged(home: Path) -> None:
    put(home / "trusted.json", "{")


def trust_is_deep(home: Path) -> None:
    put(home / "trusted.json", "[" * 100_000)


def trust_is_a_list(home: Path) -> None:
    put(home / "trusted.json", "[]")


def trust_is_no_text(home: Path) -> None:
    put(home / "trusted.json", b"\xff")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (folder_is_a_file, "XDG_CONFIG_HOME"),
        (key_is_damaged, "move it away"),
        (key_is_a_folder, "ed25519.pem cannot be used"),
        (trust_is_damaged, "correct it, or move it away"),
        (trust_is_deep, "nested too deeply"),
        (trust_is_a_list, "correct or remove it"),
        (trust_is_no_text, "correct it, or move it away"),
    ],
)
def test_a_damaged_configuration_folder(
    project: Path, config_home: Path, damage: Callable[[Path], None], said: str
) -> None:
    damage(config_home)
    refused(verify(project), str(config_home), said)
    assert ralph("doctor", "-C", project, "--json").document["checks"]


DAMAGES = {"empty": b"", "a list": b"[]", "no text": b"\xff", "deep": b"[" * 100_000, "a pipe": None}


@pytest.mark.parametrize("name", ["attestation.json", "manifest.json", "verdict.json", "vsa.json", "checkpoint.json"])
@pytest.mark.parametrize("content", DAMAGES.values(), ids=DAMAGES)
def test_damaged_evidence_does_not_hold(project: Path, name: str, content: bytes | None) -> None:
    run = project / ".ralph/audit" / verify(project).document["run_id"]
    (run / name).unlink()
    os.mkfifo(run / name) if content is None else put(run / name, content)
    checked = ralph("audit", "verify", "last", "-C", project, "--json")
    assert (checked.code, checked.document["holds"]) == (1, False)
    assert name in str(checked.document["problems"])
    assert ralph("audit", "replay", "last", "-C", project, "--json").document["outcome"] == "not replayable"
    assert len(ralph("audit", "list", "-C", project, "--json").document["runs"]) == 1
    assert verify(project).document["type"] == "PASS"


def test_a_damaged_ledger(project: Path) -> None:
    verify(project)
    put(project / ".ralph/audit/ledger.jsonl", "noise\n")
    refused(verify(project, "--fresh"), "ledger.jsonl is damaged at line 1", "move it away")


REAL = {
    "nothing on standard output but JSON": (["verify", "--json", "--base", "nope"], {}, "names no commit"),
    "no git": (["verify"], {"PATH": "/nowhere"}, "git is not installed"),
    "no home": (["verify"], {"HOME": "/proc/nowhere"}, "XDG_CONFIG_HOME"),
    "bytes that are no text": (["verify", "--base", b"\xff"], {}, "is not a revision"),
}


@pytest.mark.parametrize(("arguments", "environment", "said"), REAL.values(), ids=REAL)
def test_as_a_real_process(project: Path, arguments: list[str | bytes], environment: dict[str, str], said: str) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")} | environment
    command = [sys.executable, "-m", "ralph", *arguments]
    done = subprocess.run(command, cwd=project, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines()[-1].startswith("ralph: ")
    assert said in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away(project: Path) -> None:
    line = f"{sys.executable} -m ralph audit list --json | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3)  # 0 if it was quicker than the reader
    assert done.stderr == ""


HELP = [[], ["verify"], ["scan"], ["init"], ["doctor"], ["demo"], ["policy"], ["audit"], ["audit", "replay"]]


@pytest.mark.parametrize("command", HELP, ids=" ".join)
def test_help_can_be_read(command: list[str]) -> None:
    answer = ralph(*command, "--help")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"Usage: {' '.join(['ralph', *command])} ")
    assert "..." not in answer.out.replace("[ARGS]...", "")
    assert max(map(len, answer.out.splitlines())) <= 80
