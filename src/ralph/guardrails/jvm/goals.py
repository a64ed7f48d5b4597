"""What the build of a `pom.xml` binds to phases, compared between base and head (see `bindings`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.node import Node, canonical, names, occurrences
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.record import record
from ralph.system.patterns import later

CHECKS = later(
    r"check|[\w-]+-check|check-[\w-]+|testCheck|verify|validate|enforce|analyze(?:-\w+)*|audit|cmp|mutationCoverage"
    r"|arch-test|modernizer|lint|test|integration-test|verify-\w+"
)
PHASES = names(
    "validate initialize generate-sources process-sources generate-resources process-resources compile process-classes "
    "generate-test-sources process-test-sources generate-test-resources process-test-resources test-compile "
    "process-test-classes test prepare-package package pre-integration-test integration-test post-integration-test "
    "verify install deploy"
)
RANK = {phase: rank for rank, phase in enumerate(PHASES)}
USUAL = {"integration-test": "integration-test", "test": "test"}
"""To which phase a goal belongs where nothing is said; all others that check belong to `verify` or an earlier one."""
COMMAND = later(r"\bmvn[wd]?\b[^\n]*")
RUNS = later(r"(?:^|/)(?:Makefile|justfile|Jenkinsfile|\.gitlab-ci\.yml|Taskfile\.ya?ml|package\.json)$|\.sh$")
PREFIX = later(r"(?:maven-)?(?P<name>[\w-]+?)(?:-maven)?(?:-plugin)?$")
IT = later(r"(?:^|/)(?:IT\w+|\w+IT|\w+ITCase)\.(?:java|kt|groovy|scala)$")
TEST = later(r"(?:^|/)(?:Test\w+|\w+Tests?|\w+TestCase|\w+Spec)\.(?:java|kt|groovy|scala)$")
SOURCES = (".java", ".kt", ".groovy", ".scala")
IGNORED, NOT_RUN, OFF, REPLACED = (
    "cfg.check.failures-ignored",
    "cfg.test.not-run",
    "cfg.jvm.check-off",
    "check.replaced",
)
MOST_FILES = 300


@record(kw_only=True)
class Binding:
    plugin: str
    goal: str
    phase: str
    profile: str
    managed: bool
    node: Node

    @property
    def name(self) -> tuple[str, str]:
        return self.plugin, self.goal


@record
class Pom:
    bindings: tuple[Binding, ...]
    plugins: frozenset[str]
    """Those that the build itself names, for which what is managed holds."""
    active: frozenset[str]
    """Profiles that hold unasked."""


def lost_goals(change: Change, paths: Sequence[str]) -> Iterator[Hit]:
    blobs = change.blobs
    before, after = Side(blobs.before, blobs.paths_before()), Side(blobs.after, blobs.paths_after())
    commands: list[str] | None = None
    for path in paths:
        old, new = _pom(before, path), _pom(after, path)
        if old is None or new is None:
            continue
        was = {each.name: each for each in old.bindings if CHECKS.fullmatch(each.goal)}
        if all(_bound_alike(each, new, old) for each in old.bindings) and not _unit_tests_off(old, new):
            continue
        commands = commands if commands is not None else _commands(after)
        old_run, new_run = _run(old, _commands(before)), _run(new, commands)
        others = _elsewhere(before, after, path, commands)
        for name in sorted(old_run - new_run - others):
            if name in was and not _is_called(name, commands):
                fresh = {each for each in new_run - old_run if CHECKS.fullmatch(each[1])}
                yield from _gone(was[name], new, new_run, fresh, after)
        yield from _tests_off(old, new, after)


def _pom(side: Side, path: str) -> Pom | None:
    root = side.node(path)
    if root is None:
        return None
    root = root.at("project") or root
    bindings: list[Binding] = []
    plugins: set[str] = set()
    active: set[str] = set()
    builds = [("", root.at("build"))]
    profiles = root.at("profiles", "profile")
    for profile in occurrences(profiles):
        name = canonical(profile.at("id") or profile)
        builds.append((name, profile.at("build")))
        if _is_active(profile):
            active.add(name)
    for name, build in builds:
        for plugin in occurrences(build.at("plugins", "plugin") if build else None):
            plugins.update([_id(plugin)] if name == "" or name in active else [])
            bindings += _of_plugin(plugin, name, managed=False)
        for plugin in occurrences(build.at("pluginManagement", "plugins", "plugin") if build else None):
            bindings += _of_plugin(plugin, name, managed=True)
    return Pom(tuple(bindings), frozenset(plugins), frozenset(active))


def _is_active(profile: Node) -> bool:
    """Unasked, or in CI."""
    activation = profile.at("activation")
    if activation is None:
        return False
    unasked, asked = activation.at("activeByDefault"), activation.at("property", "name")
    if unasked is not None:
        return canonical(unasked).strip().lower() == "true"
    return asked is None or canonical(asked).startswith("!") or canonical(asked).strip() == "env.CI"


def _id(plugin: Node) -> str:
    found = plugin.at("artifactId")
    return canonical(found).strip() if found is not None else ""


def _of_plugin(plugin: Node, profile: str, *, managed: bool) -> Iterator[Binding]:
    for execution in occurrences(plugin.at("executions", "execution")):
        phase = execution.at("phase")
        said = canonical(phase).strip() if phase is not None else ""
        goals = [(canonical(goal).strip(), goal) for goal in occurrences(execution.at("goals", "goal"))]
        for name, node in goals or [("", execution)]:
            yield Binding(plugin=_id(plugin), goal=name, phase=said, profile=profile, managed=managed, node=node)


def _bound_alike(binding: Binding, new: Pom, old: Pom) -> bool:
    same = (each for each in new.bindings if each.name == binding.name)
    key = (binding.phase, binding.profile, binding.managed)
    alike = any((each.phase, each.profile, each.managed) == key for each in same)
    return alike and (not binding.managed or new.plugins >= old.plugins) and new.active >= old.active


def _run(pom: Pom, commands: Sequence[str]) -> set[tuple[str, str]]:
    last = max((RANK[word] for text in commands for word in text.split() if word in RANK), default=RANK["install"])
    last = max(last, RANK["verify"]) if not any("mvn" in text for text in commands) else last
    return {each.name for each in pom.bindings if _is_run(each, pom, last, commands)}


def _is_run(binding: Binding, pom: Pom, last: int, commands: Sequence[str]) -> bool:
    phase = binding.phase or USUAL.get(binding.goal, "")
    if phase and RANK.get(phase, len(PHASES)) > max(last, RANK["test"]):
        return False
    if binding.profile and binding.profile not in pom.active:
        named = re.compile(rf"(?:-P\s*|--activate-profiles[ =])(?:[\w,.+-]*,)?\+?{re.escape(binding.profile)}\b")
        if not any(named.search(text) for text in commands):
            return False
    return not binding.managed or binding.plugin in pom.plugins


def _commands(side: Side) -> list[str]:
    """The calls of Maven in what runs the build; those of CI if there are some."""
    paths = sorted(path for path in side.paths if is_ci_file(path) or RUNS.search(path))[:MOST_FILES]
    found = [(path, match[0]) for path in paths for match in COMMAND.finditer(side.text(path) or "")]
    in_ci = [text for path, text in found if is_ci_file(path) or path.endswith("Jenkinsfile")]
    return in_ci or [text for _, text in found]


def _is_called(name: tuple[str, str], commands: Sequence[str]) -> bool:
    match = PREFIX.match(name[0])
    prefix = match["name"] if match else name[0]
    called = re.compile(rf"\b{re.escape(prefix)}(?:-maven-plugin|-plugin)?(?::[\d.]+)?:{re.escape(name[1])}\b")
    return any(called.search(text) for text in commands)


def _elsewhere(before: Side, after: Side, own: str, commands: Sequence[str]) -> set[tuple[str, str]]:
    """What the poms above run, or manage for a plugin that the own one names, and what any other has gained."""
    mine = _pom(after, own)
    found: set[tuple[str, str]] = set()
    for path in [path for path in after.by_name.get("pom.xml", ()) if path != own][:MOST_FILES]:
        pom, was = _pom(after, path), _pom(before, path)
        if pom is None:
            continue
        above = own.startswith(path.removesuffix("pom.xml")) or re.search(r"(?i)parent|\bbom\b", path)
        known = _run(was, commands) if was is not None and not above else set()
        found |= _run(pom, commands) - known
        managed = (each for each in pom.bindings if each.managed and not each.profile and each.phase != "none")
        found.update(each.name for each in managed if mine is not None and each.plugin in mine.plugins)
    return found


def _gone(was: Binding, new: Pom, run: set[tuple[str, str]], fresh: set[tuple[str, str]], after: Side) -> Iterator[Hit]:
    plugin, goal = was.name
    detail = f"{plugin}: {goal} is no longer run"
    if "failsafe" in plugin:
        if goal == "verify" and (plugin, "integration-test") not in run:
            return  # told of the tests themselves
        if goal == "integration-test" and not _may_hold(IT, after):
            return
        rule = IGNORED if goal == "verify" else NOT_RUN
    elif "surefire" in plugin:
        if not _may_hold(TEST, after) or not _are_off(plugin, new):
            return
        rule = NOT_RUN
    else:
        rule = REPLACED if fresh else OFF
    now = next((each.node for each in new.bindings if each.name == was.name), None)
    yield _hit(rule, now or was.node, detail, gone=now is None)


def _may_hold(tests: re.Pattern[str], after: Side) -> bool:
    """Whether such tests are in the tree; one without any source, as of a parent, stands for others that have some."""
    return any(map(tests.search, after.paths)) or not any(path.endswith(SOURCES) for path in after.paths)


def _are_off(plugin: str, pom: Pom) -> bool:
    """What Maven binds by itself is run, unless it is bound to nothing."""
    return any(each.plugin == plugin and each.phase == "none" for each in pom.bindings) or plugin not in pom.plugins


def _unit_tests_off(old: Pom, new: Pom) -> bool:
    return bool(_off(new)) and not _off(old)


def _off(pom: Pom) -> list[Binding]:
    return [each for each in pom.bindings if each.plugin == "maven-surefire-plugin" and each.phase == "none"]


def _tests_off(old: Pom, new: Pom, after: Side) -> Iterator[Hit]:
    """Tests that Maven would have run by itself."""
    mine = [each for each in new.bindings if each.plugin == "maven-surefire-plugin" and each.goal == "test"]
    known = any(each.name == ("maven-surefire-plugin", "test") for each in old.bindings)
    off = _unit_tests_off(old, new) and not known and all(each.phase == "none" for each in mine)
    if off and _may_hold(TEST, after):
        yield _hit(NOT_RUN, _off(new)[0].node, "the unit tests are bound to no phase", gone=False)


def _hit(rule: str, node: Node, detail: str, *, gone: bool) -> Hit:
    line = 0 if gone else node.line
    return hit_at(rule, node.path, line, detail)
