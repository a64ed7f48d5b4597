"""Names of environment variables that a policy may not pass into the sandbox.

Two kinds: those that change which code runs (loader, interpreter, shell, git, package managers), and those that are
known to hold a credential by their name, because credentials stay outside (design decision 25).
"""

from __future__ import annotations

import re

_STEERING = frozenset(
    (
        *("PATH", "HOME", "IFS", "ENV", "SHELL", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "CDPATH"),
        *("GLOBIGNORE", "FPATH", "ZDOTDIR", "EDITOR", "VISUAL", "PAGER", "MANPAGER", "LESSOPEN", "LESSCLOSE"),
        *("BROWSER", "CC", "CXX", "LD", "AR", "MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "CFLAGS", "CXXFLAGS"),
        *("LDFLAGS", "CLASSPATH", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS"),
        *("MAVEN_ARGS", "GRADLE_OPTS", "SBT_OPTS", "GOFLAGS", "GOTOOLCHAIN", "GOPROXY", "GONOSUMDB", "GOSUMDB"),
        *("GOPRIVATE", "RUSTC", "RUSTDOC", "RUSTFLAGS", "RUSTDOCFLAGS", "PYTEST_ADDOPTS", "PYTEST_PLUGINS"),
        *("VIRTUAL_ENV", "GCONV_PATH", "HOSTALIASES", "LOCPATH", "NLSPATH", "TERMINFO", "TERMINFO_DIRS", "TMPDIR"),
        *("SSH_ASKPASS", "SSH_AUTH_SOCK", "DOCKER_HOST", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"),
        *("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "NIX_PATH", "PSMODULEPATH"),
    )
)
_STEERING_STARTS = (
    *(
        "LD_",
        "DYLD_",
        "BASH",
        "PYTHON",
        "NODE_OPTIONS",
        "NODE_PATH",
        "NODE_REPL",
        "NODE_EXTRA",
        "GIT_",
        "NPM_",
        "YARN_",
    ),
    *("PNPM_", "COREPACK_", "BUN_", "DENO_", "PIP_", "UV_", "POETRY_", "CARGO_", "RUSTC_", "RUSTUP_", "PERL", "RUBY"),
    *("GEM_", "BUNDLE_", "PHP", "COMPOSER_", "LUA_", "TCL", "R_", "JULIA_", "MALLOC_", "GLIBC_", "RALPH_", "HUSKY"),
    *("LEFTHOOK", "PRE_COMMIT", "VITE_NODE", "TS_NODE", "ESLINT_", "CLAUDE", "CODEX", "ANTHROPIC_", "OPENAI_"),
)
_HARMLESS = frozenset({"UV_OFFLINE", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONHASHSEED", "PYTHONUTF8"})
_CREDENTIAL = re.compile(
    r"TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:^|_)(?:API|ACCESS|PRIVATE)?_?KEY(?:$|_)"
)


def is_credential(name: str) -> bool:
    """Whether a variable is called like one that holds a credential."""
    return re.search(_CREDENTIAL, name.upper()) is not None


def objection(name: str) -> str | None:
    """Why a variable of this name is not passed on, as a clause; None if it may be."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        return "is no name of a variable: use letters, digits and underscores"
    upper = name.upper()
    if upper in _HARMLESS:
        return None
    if upper in _STEERING or upper.startswith(_STEERING_STARTS):
        return "changes which code runs: remove it; Ralph sets what the sandbox needs"
    if is_credential(name):
        return "looks like a credential: remove it; credentials stay outside the sandbox"
    return None
