"""Where the tools that check come from, as the manifests of each ecosystem say it (class G15).

Of a manifest only the entries of such tools are read (`toolnames`). An entry comes from elsewhere when it names a
folder, an archive, another repository or another package instead of a release.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatch

from ralph.guardrails.checks.origins_of_others import cargo, composer, deno, gemfile, go, gradle, maven
from ralph.guardrails.checks.origins_of_others.origin import Origin, folder_of, taken_from
from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.node import Node, canonical, flat
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

SECTIONS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides", "resolutions")
REQUIREMENTS = (
    "requirements*.txt",
    "*requirements.txt",
    "constraints*.txt",
    "dev-requirements*.in",
    "requirements*.in",
)
REQUIREMENTS_FOLDER = later(r"(?:^|/)requirements/[^/]+\.(?:txt|in)$")
ELSEWHERE = later(
    r"^(?:file|link|portal|git|git\+\w+|github|gitlab|bitbucket|https?):|^\.{0,2}/|^npm:"
    r"|@\s*(?:file|git\+|https?|\{root)|^[\w-]+/[\w.-]+(?:#|$)|^-$"
)
"""A dash in an override takes the package away."""
NPM_NAME = later(r"(?P<name>(?:@[^/@>]+/)?[^/@>]+)(?:@[^/>]*)?$")
LOCAL = later(r"^(?:(?:-e|--editable)\s+)?(?:\.{1,2}/|file:)(?:\S*/)?(?P<name>[A-Za-z][\w.-]*?)(?:-\d\S*)?/?$")
FETCHED = later(
    r"^(?:(?:-e|--editable)\s+)?(?:git\+|https?:)\S*?/(?P<name>[A-Za-z][\w.-]*?)(?:\.git)?(?:@[^#\s]*)?(?:#(?:\S*egg=(?P<egg>[\w.-]+))?\S*)?$"
)
ENTRY = later(r"^(?P<name>[A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?P<rest>(?:[=<>~!@].*)?)$")
NEVER = later(
    r"(?:sys_platform|platform_system|os_name|platform_machine)\s*==\s*[\"'](?:never|none|no|nope|nothing|nowhere|unused|)[\"']"
    r"|python(?:_full)?_version\s*<=?\s*[\"'](?:[01](?:\.\d+)*|2(?:\.0)?)[\"']"
)
"""Marks by which a package is installed nowhere."""
PROTOCOL, FOLDER = later(r"^(?:file|link|portal):"), later(r"^(?:(?:file|link|portal):|\.{0,2}/)")
EDITABLE = later(r"^(?:@\s*)?(?:file:)?(?:(?:-e|--editable)\s+)?(?:file:)?")
LOCAL_TEXT = later(r"^(?:@\s*)?file:|^\.|\{root")
PIPFILE = later(r"^[\"']?(?P<name>[\w.-]+)[\"']?\s*=\s*\{(?P<rest>.*)\}")
FROM = later(r"\b(?P<kind>path|file|git)\s*=\s*[\"'](?P<value>[^\"']+)")


def origins(path: str, side: Side) -> Iterator[Origin]:
    """The tools that a manifest installs; nothing for a file that is none."""
    name = posixpath.basename(path)
    if name == "package.json":
        yield from _npm(side.node(path), path)
    elif name in ("pnpm-workspace.yaml", "pnpm-workspace.yml"):
        node = side.node(path)
        for section in ("overrides", "catalog", "catalogs"):
            yield from _npm_entries(section, node.at(section) if node else None, path)
    elif any(fnmatch(name, glob) for glob in REQUIREMENTS) or REQUIREMENTS_FOLDER.search(path):
        for number, line in enumerate((side.text(path) or "").splitlines(), 1):
            yield from _requirement(line, path, number)
    elif name == "pyproject.toml":
        yield from _pyproject(side.node(path), path)
    elif name == "Pipfile":
        yield from _pipfile(side.text(path) or "", path)
    else:
        reader = next((reader for glob, reader in READERS.items() if fnmatch(name, glob)), None)
        yield from reader(path, side) if reader is not None else ()


def _npm(node: Node | None, path: str) -> Iterator[Origin]:
    if node is None:
        return
    for section in SECTIONS:
        yield from _npm_entries(section, node.at(section), path)
    yield from _npm_entries("overrides", node.at("pnpm", "overrides"), path)
    own = posixpath.dirname(path)
    for command, value in (part.mapping if (part := node.at("bin")) else {}).items():
        if toolnames.npm(command):
            yield Origin(f"bin {command}", command, f"file:{canonical(value)}", True, value, f"{own}/package.json")


def _npm_entries(section: str, part: Node | None, path: str) -> Iterator[Origin]:
    """An override may stand below the package for which it holds (`.` is that package)."""
    for keys, value in flat(part).items():
        named = [key for key in keys if key != "."]
        match = NPM_NAME.search(named[-1]) if named else None
        if match is None or not isinstance(value.value, str):
            continue
        tool, text = match["name"], value.value
        plugin = "" if toolnames.npm(tool) else toolnames.npm_plugin(tool)
        if not plugin and not toolnames.npm(tool):
            continue
        same = _same_plugin(tool, plugin, text) if plugin else _same_npm(tool, text)
        elsewhere = ELSEWHERE.search(text) is not None and not same
        manifest = f"{folder_of(path, PROTOCOL.sub('', text))}/package.json" if FOLDER.search(text) else ""
        yield Origin(f"{section} {'/'.join(keys)}", tool, text, elsewhere, value, manifest)


def _same_npm(tool: str, text: str) -> bool:
    """`npm:jest@29` and the tool's own repository are the tool."""
    renamed = re.search(rf"^npm:(?:@[\w-]+/)?{re.escape(tool)}@", text)
    return renamed is not None or toolnames.OWNERS.search(text) is not None


def _same_plugin(package: str, tool: str, text: str) -> bool:
    """Many projects have plugins of their own, or take a fork: what is no plugin of the tool by its name is neither."""
    alias = NPM_NAME.search(text.removeprefix("npm:")) if text.startswith("npm:") else None
    if alias is not None:
        return tool in alias["name"]
    return package.rpartition("/")[2].lower() in text.lower() or (package.startswith("@") and tool in text.lower())


def _requirement(line: str, path: str, number: int) -> Iterator[Origin]:
    said, _, marker = (part.strip() for part in line.split(" #")[0].partition(";"))
    match = ENTRY.match(said)
    text = match["rest"].strip() if match else f"file:{said}"
    match = match or LOCAL.match(said) or FETCHED.match(said)
    if match is None:
        return
    tool = (match.groupdict().get("egg") or match["name"]).lower().replace("_", "-")
    if marker and NEVER.search(marker) and (toolnames.python(tool) or toolnames.PYTHON_PLUGINS.match(tool)):
        yield Origin(tool, tool, f"nowhere ({marker})", True, Node(said, path, number, 1))
    elif toolnames.python(tool):
        elsewhere = ELSEWHERE.search(text) is not None and toolnames.OWNERS.search(text) is None
        folder = folder_of(path, EDITABLE.sub("", text))
        yield Origin(
            tool,
            tool,
            text,
            elsewhere,
            Node(text, path, number, 1),
            f"{folder}/pyproject.toml" if LOCAL_TEXT.search(text) else "",
        )


def _pyproject(node: Node | None, path: str) -> Iterator[Origin]:
    for key, value in flat(node).items():
        grouped = len(key) > 1 and key[-2] in ("dependency-groups", "optional-dependencies")
        if key[-1] == "exclude-dependencies" and key[:2] == ("tool", "uv"):
            yield from _excluded(value)
        elif "dependencies" in key[-1] or grouped:
            for item in value.items:
                if isinstance(item.value, str):
                    yield from _requirement(
                        re.sub(r"\$?\{(?:PROJECT_ROOT|root(?::uri)?)\}/?", "./", item.text), path, item.line
                    )
    for table, entries in _tables(node.at("tool") if node else None, "tool"):
        for name, entry in entries.items():
            if toolnames.python(name):
                yield from taken_from(f"{table} {name}", name, entry, path, "pyproject.toml")


def _excluded(node: Node) -> Iterator[Origin]:
    """What uv is told to install nowhere, whoever asks for it."""
    for item in node.items:
        name = canonical(item).lower().replace("_", "-")
        if toolnames.python(name) or toolnames.PYTHON_PLUGINS.match(name):
            yield Origin(f"excluded {name}", name, "nowhere (exclude-dependencies)", True, item)


def _tables(node: Node | None, name: str) -> Iterator[tuple[str, dict[str, Node]]]:
    """Tables of packages, in what tools for packages say: poetry, uv, pdm, pixi."""
    for key, value in node.mapping.items() if node else ():
        if key == "sources" or key.endswith("dependencies"):
            yield f"{name}.{key}", value.mapping
        else:
            yield from _tables(value, f"{name}.{key}")


def _pipfile(text: str, path: str) -> Iterator[Origin]:
    for number, line in enumerate(text.splitlines(), 1):
        match = PIPFILE.match(line.strip())
        source = FROM.search(match["rest"]) if match else None
        if match and source and toolnames.python(match["name"]):
            elsewhere = toolnames.OWNERS.search(source["value"]) is None
            manifest = f"{folder_of(path, source['value'])}/pyproject.toml"
            text = f"{source['kind']} {source['value']}"
            yield Origin(match["name"], match["name"], text, elsewhere, Node(text, path, number, 1), manifest)


READERS: dict[str, Callable[[str, Side], Iterator[Origin]]] = {
    "go.mod": go.module,
    "go.work": go.workspace,
    "Cargo.toml": cargo.manifest,
    "config.toml": cargo.configuration,
    "Gemfile": gemfile.gems,
    "Gemfile.*[!k]": gemfile.gems,
    "gems.rb": gemfile.gems,
    "pom.xml": maven.dependencies,
    "*.gradle": gradle.dependencies,
    "*.gradle.kts": gradle.dependencies,
    "composer.json": composer.repositories,
    "deno.json": deno.imports,
    "deno.jsonc": deno.imports,
    "import_map.json": deno.imports,
}
