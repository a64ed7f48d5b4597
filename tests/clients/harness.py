"""Real agent clients on loopback: where their binaries are, and a world in which they reach nothing else.

A client gets a fresh home, a dummy key, a proxy that only notes who would have liked to connect, and a project with a
committed policy. It never learns of the person's own settings, and calls nobody but the scripted model.
"""

from __future__ import annotations

import contextlib
import glob
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from ralph.hook.settings import codex_snippet, install

HERE = Path(__file__).parent
WAIT_S = 20

POLICY: dict[str, Any] = {
    "version": 1,
    "mode": "delivery",
    "files": {
        "allowRead": ["."],
        "allowWrite": ["src"],
        "denyRead": [".env", ".git/objects"],
        "denyWrite": [".git"],
    },
    "commands": {"allow": ["make check", "bash tools/probe.sh"], "deny": ["sudo"], "packs": ["readonly-tools"]},
    "approval": {"requiredFor": ["destructive_ops"], "requireReason": True},
    "checks": {"required": [], "rollbackOnFail": False},
}


def claude() -> str:
    """Claude Code's binary, as the `claude-agent-sdk` wheel brings it."""
    found = importlib.util.find_spec("claude_agent_sdk")
    folder = Path(found.origin).parent if found and found.origin else Path("/nowhere")
    return _binary("RALPH_TEST_CLAUDE", str(folder / "_bundled" / "claude"), "pip install claude-agent-sdk==0.2.187")


def codex() -> str:
    """Codex's binary, as npm installs it."""
    pattern = str(HERE / "node_modules" / "@openai" / "codex-*" / "vendor" / "*" / "bin" / "codex")
    return _binary("RALPH_TEST_CODEX", pattern, f"cd {HERE.name} && npm ci")


def _binary(variable: str, pattern: str, way: str) -> str:
    found = [os.environ[variable]] if variable in os.environ else glob.glob(pattern)  # noqa: PTH207 - a whole path
    if not found or not os.access(found[0], os.X_OK):
        pytest.skip(f"the client is not installed ({way})")
    return found[0]


@dataclass
class World:
    """One project, one home, and what the client tried to reach outside."""

    root: Path
    home: Path
    proxy: str
    temporary: str
    """Short, for a socket's path may not be long; and not around Codex's home, where Codex would refuse to work."""
    outside: list[bytes] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """A person's environment, and that of the client they start."""
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TMPDIR": self.temporary,
            "HTTP_PROXY": self.proxy,
            "HTTPS_PROXY": self.proxy,
            "NO_PROXY": "127.0.0.1,localhost",
        }

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def git(self, *arguments: str) -> str:
        who = ("-c", "user.name=A Person", "-c", "user.email=person@example.com")
        done = subprocess.run(["git", *who, *arguments], cwd=self.root, env=self.environment, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode().strip()

    def commit_policy(self, policy: dict[str, Any]) -> None:
        self.write("ralph.policy.json", json.dumps(policy))
        self.git("add", "--force", "ralph.policy.json")
        self.git("commit", "--quiet", "--message", "The policy")

    def person(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """What a person types in a terminal of their own."""
        line = [sys.executable, "-m", "ralph", *arguments]
        return subprocess.run(line, cwd=self.root, env=self.environment, capture_output=True, text=True, timeout=60)

    def start_claude(self, url: str, *arguments: str, governed: bool = True) -> subprocess.Popen[str]:
        """Claude Code in the project, `governed` by the entry that `ralph init --claude` writes."""
        if governed:
            install(self.root, WAIT_S)
        settings = self.home / "claude"
        settings.mkdir(exist_ok=True)
        own = {
            "CLAUDE_CONFIG_DIR": str(settings),
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "sk-ant-dummy-not-a-key",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        line = [claude(), "-p", "go", "--output-format", "stream-json", "--verbose", "--model", "claude-sonnet-5"]
        return self._start([*line, "--max-turns", "20", *arguments], own)

    def start_codex(self, url: str, sandbox: str) -> subprocess.Popen[str]:
        """Codex in the project, governed by the entry that `ralph init --codex` shows."""
        home = self.home / "codex"
        home.mkdir(exist_ok=True)
        (home / "config.toml").write_text(CODEX.replace("URL", url))
        (home / "hooks.json").write_text(codex_snippet(WAIT_S))
        line = [codex(), "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", sandbox]
        return self._start([*line, "go"], {"CODEX_HOME": str(home), "SCRIPTED_KEY": "dummy"})

    def _start(self, line: list[str], own: dict[str, str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            line,
            cwd=self.root,
            env={**self.environment, **own},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


def ended(client: subprocess.Popen[str], timeout_s: float = 60.0) -> str:
    """What the client printed; it must end by itself, and well."""
    try:
        out, err = client.communicate(timeout=timeout_s)
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(client.pid, signal.SIGKILL)
        client.communicate()
        raise
    assert client.returncode == 0, err + out
    return out


@contextmanager
def world(folder: Path) -> Iterator[World]:
    """A governed project and a home in `folder`, and a proxy through which nothing goes."""
    with bare_world(folder) as made:
        made.write("src/a.txt", "a\n")
        made.write(".env", "TOKEN=very-secret\n")
        made.write(".gitignore", ".env\n")
        made.git("add", "--all")
        made.commit_policy(POLICY)
        yield made


@contextmanager
def bare_world(folder: Path) -> Iterator[World]:
    """An empty repository and a home in `folder`, and a proxy through which nothing goes."""
    with socket.create_server(("127.0.0.1", 0)) as listener, TemporaryDirectory(prefix="world-") as temporary:
        made = World(folder / "project", folder / "home", f"http://127.0.0.1:{listener.getsockname()[1]}", temporary)
        made.home.mkdir()
        made.root.mkdir()
        made.git("init", "--quiet", "--initial-branch", "main")
        watcher = threading.Thread(target=_note, args=(listener, made.outside), daemon=True)
        watcher.start()
        yield made
        listener.shutdown(socket.SHUT_RDWR)
        watcher.join()
    assert made.outside == [], "the client tried to reach somebody else"


def _note(listener: socket.socket, outside: list[bytes]) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection:
            connection.settimeout(1)
            with contextlib.suppress(OSError):
                outside.append(connection.recv(200))


CODEX = """
model = "scripted"
model_provider = "scripted"
approval_policy = "never"
check_for_update_on_startup = false
web_search = "disabled"
[analytics]
enabled = false
[features]
plugins = false
apps = false
[model_providers.scripted]
name = "scripted"
base_url = "URL"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = 5000
supports_websockets = false
"""
