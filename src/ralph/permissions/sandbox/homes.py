"""What of a home folder a build needs, what in it must never be seen, and which secrets lie elsewhere.

The home folder is not there for a confined command: in its place stands an empty one. Only toolchains are shown in it,
for reading: where PATH and the toolchains' own variables point, and the places where toolchains are found by habit. The
variables come from the person's environment; what the project says (a `pyvenv.cfg`, a link in `.venv/bin`) counts for
nothing here, for the agent could have written it, and would be shown any folder it likes.
"""

# Read for every command, and pathlib takes ten times as long:
# ruff: noqa: PTH110

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

HABITUAL = (
    *(".cargo", ".rustup", ".pyenv", ".rbenv", ".nodenv", ".nvm", ".volta", ".fnm", ".asdf", ".sdkman", ".jabba"),
    *(".deno", ".bun", ".ghcup", ".opam", ".juliaup", ".dotnet", ".nix-profile", ".conda", "miniconda3", "anaconda3"),
    *("miniforge3", "go", ".npm/_cacache", ".m2/repository", ".m2/wrapper", ".gradle/caches", ".gradle/wrapper"),
    *(".nuget/packages", ".ivy2/cache", ".pub-cache/hosted", ".gem/ruby", ".local/bin", ".local/lib"),
    *(".local/share/uv", ".local/share/mise", ".local/share/pnpm", ".local/share/fnm", ".local/share/pipx"),
    *(".local/pipx", ".local/share/pypoetry", ".cache/pip", ".cache/uv", ".cache/go-build", ".cache/ms-playwright"),
    *(".cache/Cypress", ".cache/puppeteer", ".cache/node", ".cache/yarn", ".cache/pre-commit"),
    *(".cache/coursier", ".cache/huggingface/hub"),
)
"""Where toolchains and their caches lie below a home folder."""

VARIABLES = (
    *("JAVA_HOME", "M2_HOME", "MAVEN_HOME", "SDKMAN_DIR", "ANDROID_HOME", "DOTNET_ROOT", "GOPATH", "GOROOT"),
    *("GOMODCACHE", "CARGO_HOME", "RUSTUP_HOME", "NVM_DIR", "VOLTA_HOME", "PNPM_HOME", "PLAYWRIGHT_BROWSERS_PATH"),
    *("GEM_HOME", "RBENV_ROOT", "UV_CACHE_DIR", "UV_PYTHON_INSTALL_DIR", "POETRY_HOME", "PYENV_ROOT", "CONDA_PREFIX"),
    *("ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "GOCACHE", "SSL_CERT_FILE", "SSL_CERT_DIR"),
    *("NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
)
"""Whose values are folders or files of toolchains."""

SECRETS = (
    *(".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config", ".password-store", ".local/share/keyrings"),
    *(".mozilla", ".thunderbird", ".netrc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".git-credentials"),
    *(".pgpass", ".my.cnf", ".vault-token", ".terraform.d", ".terraformrc", ".boto", ".s3cfg", ".claude"),
    *(".claude.json", ".codex", ".gemini", ".cargo/credentials", ".cargo/credentials.toml", ".m2/settings.xml"),
    *(".m2/settings-security.xml", ".gradle/gradle.properties", ".gem/credentials", ".nuget/NuGet"),
    *(".pub-cache/credentials.json", ".composer/auth.json", ".bundle/config", ".cache/ralph", ".bash_history"),
    *(".zsh_history", ".python_history", ".node_repl_history", ".local/share/uv/credentials", ".deno/credentials"),
)
"""Below the home folder. They are hidden also where a toolchain or the project is shown around them."""

ELSEWHERE = (
    *("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/security/opasswd"),
    *("/etc/krb5.keytab", "/etc/ssl/private", "/etc/kubernetes", "/etc/wireguard", "/var/lib/docker"),
    *("/var/lib/kubelet", "/var/lib/containerd", "/var/backups"),
    *("/etc/NetworkManager/system-connections", "/secrets"),
)
"""Hidden even from root, who could read them: less its capabilities, it is still their owner."""

_TEMPORARY = ("/tmp", "/var/tmp")
_PROGRAM_FOLDERS = frozenset({"bin", "sbin", "shims", "libexec", ".bin"})


def homes() -> tuple[str, ...]:
    """Every folder in which people's files may lie: all are emptied, whosever they are. Real paths."""
    found = (os.path.realpath(path) for path in ("/home", "/root", str(Path.home())))
    return tuple(path for path in dict.fromkeys(found) if path != "/")


def tools(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Toolchains in every folder that is emptied; somebody may well have put one below /tmp.

    They are looked for once: hundreds of names are tried, and nobody installs a toolchain while Ralph runs.
    """
    told = {name: environment[name] for name in ("PATH", *VARIABLES) if name in environment}
    return _tools(homes(), tuple(told.items()))


@lru_cache(maxsize=16)
def _tools(homes: tuple[str, ...], told: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    found = [tool for home in homes for tool in toolchains(home, dict(told))]
    return (*found, *(tool for place in _TEMPORARY for tool in toolchains(place, dict(told), habitual=())))


def toolchains(home: str, environment: Mapping[str, str], habitual: Iterable[str] = HABITUAL) -> Iterator[str]:
    """Folders and files below `home` that are shown for reading, as far as they exist. Real paths."""
    folders = [folder for folder in environment.get("PATH", "").split(":") if folder.startswith("/")]
    candidates = [f"{home}/{name}" for name in habitual]
    candidates += [environment[name] for name in VARIABLES if environment.get(name, "").startswith("/")]
    candidates += [_prefix(home, folder) for folder in dict.fromkeys(folders)]
    candidates.append(sys.base_prefix)
    secrets = secret_places(home)
    for candidate in candidates:
        if os.path.exists(candidate):
            real = os.path.realpath(candidate)
            if real.startswith(f"{home}/") and not any(f"{real}/".startswith(f"{secret}/") for secret in secrets):
                yield real


def secret_places(home: str) -> list[str]:
    return [f"{home}/{name}" for name in SECRETS]


def _prefix(home: str, folder: str) -> str:
    """A program lies in PREFIX/bin and needs what lies in PREFIX/lib; but `~/bin` and `~/.local/bin` have no prefix."""
    parent, _, name = os.path.realpath(folder).rpartition("/")
    shared = (home, f"{home}/.local", f"{home}/.config", f"{home}/.cache")
    return parent if name in _PROGRAM_FOLDERS and parent not in shared else f"{parent}/{name}"
