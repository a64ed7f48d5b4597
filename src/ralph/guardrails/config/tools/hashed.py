"""What a runner of tasks looks at before it takes a check for done (policy set v2, class G09): `inputs` of Turborepo,
Nx, moon and Lage, `files` of Wireit.

A check that is kept is told again as long as nothing changes of what it is said to hang on. Rule: of the code, and of
the tests where it is a task of tests, there must be something that it hangs on, if it hung on any before; what was
among it must not be taken out (`!src/billing/**`). Where the tree has no code to compare with, a list of single files
of which none is code holds none.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence

from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.config.lattice import Check, Worse
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.patterns import covers, is_output, is_product, is_test
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import SCRIPTS, exported, modules
from ralph.guardrails.languages import language_of
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

STALE, PARTLY = "check.narrowed", "cfg.test.partly"
OF_TESTS, OF_CODE = "hashed of tests", "hashed of code"
TESTS = later(r"(?i)test|spec|jest|mocha|e2e|cypress|playwright|karma")
CONFIGURES = later(
    r"(?i)(?:^|/)(?:[^/]+\.(?:config|conf|setup|workspace)\.[^/]+|\.[^/]*|tsconfig[^/]*|package(?:-lock)?\.json)$"
)
UNKNOWN = later(r"\$(?!TURBO)|@(?:group|globs|files|dirs|root|in|out)\(")
"""What stands for something that is written elsewhere."""
ROOTS = later(r"^(?:\{(?:projectRoot|workspaceRoot)\}/|\$TURBO_ROOT\$/|\.?/)")
Refine = Callable[[Side, str, dict[Key, Node]], Settings]
WHOLE = "**"
DEPTH = 6


def no_less_hashed(*, tests: bool) -> Check:
    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        old, new = ([canonical(item) for item in node.items] if node else [WHOLE] for node in (before, after))
        if after is None or old == new or any(map(UNKNOWN.search, new)):
            return
        code = [path for path in paths if language_of(path) is not None and not CONFIGURES.search(path)]
        code = [path for path in code if not is_output(path)]
        if not code and any(map(_may_hold_code, old)) and not any(map(_may_hold_code, new)):
            yield Worse(node=after, text="holds no code")
        for kind, needed in (("product code", True), ("tests", tests)):
            was = [path for path in code if _is_of(kind, path) and _holds(old, path)]
            lost = [path for path in was if not _holds(new, path)]
            out = [name for name in new if name.startswith("!") and name not in old and _takes_one(name, lost)]
            if lost and (len(lost) == len(was) or out):
                what = f"leaves out {out[0][1:]}" if out else f"holds none of the {kind}"
                yield Worse(node=after, text=cut(what, 100), minor=not needed)
                return
            if lost and before is not None:
                yield Worse(node=after, text=f"no longer holds {lost[0]}", minor=True)
                return

    return check


def _is_of(kind: str, path: str) -> bool:
    return is_test(path) if kind == "tests" else is_product(path)


def _takes_one(name: str, lost: Sequence[str]) -> bool:
    return any(covers(name[1:], path, regex=False) for path in lost)


def _holds(patterns: Sequence[str], path: str) -> bool:
    held = False
    for pattern in patterns:
        if pattern.startswith("!"):
            held = held and not covers(pattern[1:], path, regex=False)
        else:
            held = held or pattern == WHOLE or covers(pattern, path, regex=False)
    return held


def _may_hold_code(pattern: str) -> bool:
    """A pattern for many files, a folder, or a file of code."""
    name = posixpath.basename(pattern)
    if pattern.startswith("!"):
        return False
    return "*" in pattern or "." not in name or (language_of(name) is not None and not CONFIGURES.search(name))


def of_task(name: str, listed: Node) -> dict[Key, Node]:
    """What a check hangs on, under the kind of it."""
    own = name.rpartition("#")[2]
    tests = TESTS.search(own) is not None
    return {(OF_TESTS if tests else OF_CODE, name): listed} if tests or is_named(own) else {}


def listed(node: Node, named: Mapping[str, Node] | None = None, depth: int = 0) -> Node:
    """The patterns of a list, seen from the package; names of other lists are put in (`production`)."""
    items: list[Node] = []
    for item in node.items:
        text = item.value if isinstance(item.value, str) else canonical(item.at("fileset") or item.with_value(""))
        sign, plain = ("!", text[1:]) if text.startswith("!") else ("", text)
        if not plain or plain.startswith("^"):
            continue  # of packages that this one needs
        if named is not None and "/" not in plain and "{" not in plain:
            whole = named.get(plain) if depth < DEPTH else None
            items += listed(whole, named, depth + 1).items if whole is not None else [item.with_value(WHOLE)]
        elif plain == "$TURBO_DEFAULT$":
            items.append(item.with_value(WHOLE))
        else:
            plain = ROOTS.sub("", plain)
            items.append(item.with_value(sign + (WHOLE if plain in ("**/*", "**", "") else plain)))
    return node.with_value(items)


def of_nx(side: Side, settings: Mapping[Key, Node]) -> dict[Key, Node]:
    """The `inputs` of targets; what is said of none of them is `default`."""
    whole = side.node("nx.json")
    shared = whole.at("namedInputs") if whole is not None else None
    named = dict(shared.mapping) if shared is not None else {}
    named |= {key[1]: node for key, node in settings.items() if len(key) == 2 and key[0] == "namedInputs"}
    found: dict[Key, Node] = {}
    for key, node in settings.items():
        if len(key) > 2 and key[-1] == "inputs" and key[-3] in ("targets", "targetDefaults"):
            found |= of_task(key[-2], listed(node, named))
    if not found and ("namedInputs", "default") in settings:
        found[OF_TESTS, "default"] = listed(settings["namedInputs", "default"], named)
    return found


def kept(*top: str, name: str) -> Refine:
    """The lists of a file in which tasks stand below `top`."""

    def refine(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
        found: dict[Key, Node] = {}
        for key, node in settings.items():
            if len(key) == len(top) + 2 and key[:-2] == top and key[-1] == name:
                found |= of_task(key[-2], listed(node))
        return found

    return refine


ROWS = (
    Row(f"{OF_TESTS}.*", no_less_hashed(tests=True), STALE, PARTLY),
    Row(f"{OF_CODE}.*", no_less_hashed(tests=False), STALE, PARTLY),
)


def _keeps(name: str, places: Sequence[Place], refine: Refine) -> Tool:
    return Tool(name=name, places=places, rows=ROWS, suffixes=(), refine=refine, watches=SCRIPTS)


HASHED: tuple[Tool, ...] = (
    _keeps("wireit", (Place("package.json"),), kept("wireit", name="files")),
    _keeps("moon", (Place("moon.yml"), Place("moon.yaml"), Place("tasks.yml")), kept("tasks", name="inputs")),
    _keeps(
        "lage",
        tuple(Place(place.name, shape=exported) for place in (*modules("lage.config"), *modules("lage"))),
        kept("pipeline", name="inputs"),
    ),
)
