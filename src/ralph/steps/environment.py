"""The clean environment of every step: the same for whoever starts Ralph, and out of the agent's hands.

Rules (design decision 7):

- An allow-list. What passes says who and where one is, which language is spoken, where certificates, caches and
  toolchains lie; nothing that tells a tool how to behave (PYTEST_ADDOPTS, NODE_OPTIONS, PYTHONPATH, GOFLAGS, GIT_*).
- Set for all: CI=1, no colour, Python without the user's site-packages.
- Python's byte code, what go builds, and coverage data go to directories of Ralph's: what lies in the tree from an
  earlier run, or was put there (a forged `__pycache__`, a `.coverage`), is not used, and the tree is not changed.
- PATH is the one Ralph was started with, behind the project's own `.venv/bin` and `node_modules/.bin` if they exist.

PYTHONSAFEPATH stays unset: it would take the project off the path of `python -m pytest`. A module of the tree that
stands in for pytest writes no report, so it gains nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

WHO_AND_WHERE = frozenset({"HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR"})
FOLDERS = frozenset({"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
NETWORK = frozenset(
    {"SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"}
    | {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy"}
)
TOOLCHAINS = frozenset(
    {"JAVA_HOME", "M2_HOME", "MAVEN_HOME", "GRADLE_USER_HOME", "SDKMAN_DIR", "ANDROID_HOME", "DOTNET_ROOT"}
    | {"GOPATH", "GOROOT", "GOMODCACHE", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"}
    | {"NVM_DIR", "VOLTA_HOME", "PNPM_HOME", "PLAYWRIGHT_BROWSERS_PATH", "GEM_HOME", "RBENV_ROOT"}
    | {"UV_CACHE_DIR", "UV_PYTHON_INSTALL_DIR", "POETRY_HOME", "PYENV_ROOT", "PYENV_VERSION", "CONDA_PREFIX"}
    | {"ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "NIX_PROFILES"}
)
PASSED_ON = WHO_AND_WHERE | FOLDERS | NETWORK | TOOLCHAINS
PASSED_PREFIXES = ("LC_",)

ALWAYS = {
    "CI": "1",
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PYTHONNOUSERSITE": "1",
    # A missing tool is missing: npx would fetch any package of that name from the registry and run it.
    "npm_config_yes": "false",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}

PROJECT_BIN = (Path(".venv") / "bin", Path("node_modules") / ".bin")


def clean_environment(started_with: Mapping[str, str], *, root: Path, scratch: Path, bytecode: Path) -> dict[str, str]:
    """The environment of the steps of one run, with two directories outside the tree.

    `scratch` is this run's own. `bytecode` had better be kept between runs: without it every run compiles anew.
    """
    env = {name: value for name, value in started_with.items() if name in PASSED_ON or name.startswith(PASSED_PREFIXES)}
    env.setdefault("LANG", "C.UTF-8")
    env.update(ALWAYS)
    env["PYTHONPYCACHEPREFIX"] = str(bytecode)
    env["GOCACHE"] = str(bytecode / "go")  # the user's own cannot be written from a sandbox, and go builds nowhere else
    env["COVERAGE_FILE"] = str(scratch / "coverage-data")
    env["PATH"] = project_path(started_with.get("PATH", "/usr/local/bin:/usr/bin:/bin"), root)
    return env


def project_path(path: str, root: Path) -> str:
    """PATH with the project's own tools first; relative entries, which would depend on the tree, are dropped."""
    own = [str(root / folder) for folder in PROJECT_BIN if (root / folder).is_dir()]
    given = [entry for entry in path.split(":") if entry.startswith("/")]
    return ":".join(dict.fromkeys([*own, *given]))
