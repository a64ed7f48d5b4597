"""The first format of golangci-lint's configuration, told in the second.

Rules:

- What it leaves out, by default or by a list, is what its own migration makes of it: `linters.exclusions`. A text of
  `issues.exclude` is a rule of exclusions for that text in all files of Go.
- `linters-settings` are `linters.settings`.
- A configuration that says that it is of the second version has nothing of the first. In any other what is of the first
  format counts, whatever of the second stands beside it.
"""

from __future__ import annotations

from ralph.guardrails.config.lattice import truth, words
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.config.tools.golangci_paths import left_out_by_default

DEFAULT_PRESETS = names("comments common-false-positives legacy std-error-handling")
ALL_GO = r"(.+)\.go$"
"""How the migration names all files."""
LISTS = {"issues.exclude-rules": "rules", "issues.exclude-dirs": "paths", "issues.exclude-files": "paths"} | {
    "run.skip-dirs": "paths",
    "run.skip-files": "paths",
}


def says_second(node: Node) -> bool:
    version = node.at("version")
    return version is not None and canonical(version) == "2"


def left_out(node: Node, *, by_default: bool) -> dict[str, list[Node]]:
    """What the first format leaves out, by the names of the second."""
    given: dict[str, list[Node]] = {"presets": []}
    if says_second(node):
        return given
    given |= {"paths": [], "rules": []}
    if by_default:
        use = truth(node.at("issues", "exclude-use-default"), default=True)
        given["presets"] = [node.with_value(name) for name in DEFAULT_PRESETS] if use else []
        given["paths"] = left_out_by_default(node)
    for key, name in LISTS.items():
        given[name] += words(node.at(*key.split(".")))
    texts = node.at("issues", "exclude")
    given["rules"] += [text.with_value({"text": text}) for text in (texts.items if texts else ())]
    return given


def settings_of(node: Node) -> dict[str, Node]:
    """What the linters are told, by their names."""
    second = node.at("linters", "settings")
    first = None if says_second(node) else node.at("linters-settings")
    return {**(second.mapping if second else {}), **(first.mapping if first else {})}


def for_all_files(rule: dict[str, Node]) -> dict[str, Node]:
    """A rule of exclusions without the pattern that all files of Go meet."""
    path = rule.get("path")
    return {key: value for key, value in rule.items() if key != "path" or path is None or canonical(path) != ALL_GO}
