"""Files that say what a project depends on, and whether a change of one changes that.

Lock files and settings of package managers (where packages come from) count whole. Manifests hold other things too:
there only what names dependencies, or runs when they are installed, is compared, as data. A manifest that cannot be
read on either side counts as changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ralph.permissions.path_patterns import Components, PatternSet, components, folded

WHOLE = (
    *("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "pnpm-workspace.yaml", "bun.lock"),
    *("bun.lockb", "deno.lock", "uv.lock", "poetry.lock", "pdm.lock", "pylock*.toml", "Pipfile*", "requirements*.txt"),
    *(
        "requirements*.in",
        "constraints*.txt",
        "requirements/*.txt",
        "requirements/*.in",
        "environment.yml",
        "conda*.yml",
    ),
    *("Cargo.lock", "go.sum", "go.mod", "go.work", "go.work.sum", "Gemfile", "Gemfile.lock", "*.gemspec"),
    *("composer.lock", "mix.exs", "mix.lock", "pubspec.yaml", "pubspec.lock", "pom.xml", "build.gradle*"),
    *("settings.gradle*", "gradle.lockfile", "libs.versions.toml", "packages.lock.json", "Directory.Packages.props"),
    *("*.csproj", "Package.resolved", "Package.swift", "Podfile*", "flake.lock", "setup.py", "setup.cfg"),
    *(".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.mjs", "bunfig.toml", "pip.conf", "pip.ini"),
    *("uv.toml", ".pypirc", ".bundle/config", ".cargo/config", ".cargo/config.toml", "nuget.config"),
)
_WHOLE = PatternSet(components(f"**/{folded(name)}") for name in WHOLE)

_NODE = (
    *("dependencies", "devDependencies", "peerDependencies", "peerDependenciesMeta", "optionalDependencies"),
    *(
        "bundleDependencies",
        "bundledDependencies",
        "dependenciesMeta",
        "overrides",
        "resolutions",
        "pnpm",
        "workspaces",
    ),
    *("packageManager", "engines", "trustedDependencies", "patchedDependencies", "catalog", "catalogs", "volta"),
)
_NODE_HOOKS = ("preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare", "prepublish")
_PYTHON = (("build-system",), ("dependency-groups",), ("project", "dependencies"), ("project", "optional-dependencies"))
_PYTHON_TOOLS = (
    *("uv", "pip", "pdm", "rye", "conda"),
    *(("poetry", key) for key in ("dependencies", "dev-dependencies", "group", "source", "extras")),
)
_RUST = (
    "dependencies",
    "dev-dependencies",
    "build-dependencies",
    "target",
    "patch",
    "replace",
    "workspace",
    "features",
)


def is_dependency_file(form: Components) -> bool:
    """True for a lock file, a package manager's settings, or a manifest; `form` is folded."""
    return is_manifest(form) or _WHOLE.covers(form, below=False)


def is_manifest(form: Components) -> bool:
    """True for a file of which only a part is about dependencies."""
    return bool(form) and form[-1] in _READERS


def dependencies_changed(path: str, before: bytes | None, after: bytes | None) -> bool:
    """True if the change of this dependency file changes what is depended on; None is a file that is not there."""
    reader = _READERS.get(folded(path.rpartition("/")[2]))
    if reader is None:
        return before != after
    try:
        return reader(before) != reader(after)
    except (ValueError, RecursionError):
        return before != after


def _node(data: bytes | None) -> dict[str, Any]:
    package = _object(json.loads(data or b"{}"))
    scripts = _object(package.get("scripts", {}))
    hooks = {name: scripts[name] for name in _NODE_HOOKS if name in scripts}
    return _filled({key: package.get(key) for key in _NODE} | {"scripts": hooks})


def _python(data: bytes | None) -> dict[str, Any]:
    project = _toml(data)
    tools = (("tool", *((tool,) if isinstance(tool, str) else tool)) for tool in _PYTHON_TOOLS)
    return _filled({".".join(place): _at(project, place) for place in (*_PYTHON, *tools)})


def _rust(data: bytes | None) -> dict[str, Any]:
    crate = _toml(data)
    return _filled({key: crate.get(key) for key in _RUST})


def _php(data: bytes | None) -> dict[str, Any]:
    package = _object(json.loads(data or b"{}"))
    return _filled({key: package.get(key) for key in ("require", "require-dev", "repositories", "replace", "scripts")})


_READERS: Mapping[str, Callable[[bytes | None], dict[str, Any]]] = {
    "package.json": _node,
    "pyproject.toml": _python,
    "cargo.toml": _rust,
    "composer.json": _php,
}


def _toml(data: bytes | None) -> dict[str, Any]:
    import tomllib  # only here: whoever asks for names alone should not wait for it

    return tomllib.loads((data or b"").decode())


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _at(value: Any, place: tuple[str, ...]) -> Any:
    for key in place:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _filled(found: dict[str, Any]) -> dict[str, Any]:
    """What is there: an empty list of dependencies is none."""
    return {key: value for key, value in found.items() if value}
