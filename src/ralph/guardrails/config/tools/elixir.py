"""Elixir: which tests ExUnit leaves out, floors of coverage, Credo's checks, Dialyzer's flags and what it passes over.

Its files are programs: they are read as texts, without their comments.

- A tag that ExUnit now leaves out takes away tests that have it, where no command asks for them (`--only`,
  `--include`). One that only new files have, that a command asks for, or that hangs on a condition, is for a person.
- A check of Credo that was on and is off, or that no list names any more, is lost. Flags of Dialyzer come and go with
  its releases: a person looks.
- An alias for `test` that runs no tests runs none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.command_files.aliases import of_mix
from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.filters import no_fewer_tests
from ralph.guardrails.config.lattice import flag, floor, no_less, no_more
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Loss, Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named
from ralph.system.patterns import later

IGNORED, NOT_RUN, EXCLUDED = "cfg.check.failures-ignored", "cfg.test.not-run", "cfg.test.excluded"
PARTLY, FILTERED, THRESHOLD = "cfg.test.partly", "cfg.test.filtered", "cfg.coverage.threshold"
OMITTED = "cfg.coverage.exclude"
COMMENT = later(r"(?m)(\"(?:\\.|[^\"\\\n])*\")|(?<!\?)#(?!\{)[^\n]*")
ASKS = later(
    r"\bExUnit\.(?:start|configure)\s*\(|\bput_env\(\s*:ex_unit\s*,\s*:(?P<key>\w+)\s*,|\bconfig\s+:ex_unit\s*,"
    r"|\bExUnit\.(?:start|configure)[ \t]+(?=\w+:)"
)
GIVEN = later(r"\b(?P<key>exclude|only|include|exit_status):\s*(?P<value>\[[^\]]*\]|:?\w+)")
TAG = later(r":(?P<atom>[a-z_]\w*[?!]?)|(?P<word>[a-z_]\w*):")
CONDITION = later(r"\b(?:if|unless|case|cond)\b|\bget_env\b|&&|\|\|")
ENDS_WELL = later(
    r"\bSystem\.(?:halt|stop)\(\s*(?:0\s*)?\)|:erlang\.halt\(\s*0?\s*\)|\bexit\(\s*(?:\{:shutdown,\s*0\}|:normal)\s*\)"
)
NUMBER = later(r"\bsummary:\s*\[[^\]]*?\bthreshold:\s*(?P<value>\d+(?:\.\d+)?)|\bminimum_coverage:\s*(?P<other>[\d.]+)")
NO_SUMMARY = later(r"\btest_coverage:\s*\[[^\]]*?\bsummary:\s*(?P<value>false)")
LISTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("unmeasured", later(r"\bignore_modules:\s*\[(?P<list>[^\]]*)\]")),
    ("paths", later(r"\btest_paths:\s*\[(?P<list>[^\]]*)\]")),
    ("flags", later(r"(?s)\bdialyzer:\s*\[.*?\bflags:\s*\[(?P<list>[^\]]*)\]")),
)
WORD = later(r"~r\S+|\"[^\"\n]*\"|:?[\w.]+")
STRICT = later(r"\bwarnings_as_errors:\s*(?P<value>true|false)")
CREDO_CHECK = later(
    r"\{\s*(?P<name>Credo\.Check\.[\w.]+)\s*(?:,\s*(?P<value>false)\b)?|(?P<bare>\bCredo\.Check\.[\w.]+)"
)
DISABLED = later(r"(?s)\bdisabled:\s*\[(?P<list>.*?)\n\s{0,12}\]")
STRICT_CREDO = later(r"\bstrict:\s*(?P<value>true|false)")
NO_EXIT = later(r"(?P<name>Credo\.Check\.[\w.]+)\s*,\s*\[[^\]]*\bexit_status:\s*0\b")
LEFT_OUT = later(r"\bexcluded:\s*\[(?P<list>[^\]]*)\]")


def _plain(side: Side, path: str) -> str:
    return COMMENT.sub(lambda match: match[1] or "", side.text(path) or "")


def _list(name: str, items: list[tuple[str, int]], path: str) -> dict[Key, Node]:
    nodes = [Node(text, path, line, 1) for text, line in items]
    return {(name,): nodes[0].with_value(nodes)} if nodes else {}


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _tests(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in [path for name in HELPERS for path in files_named(side, name)]:
        text = _plain(side, path)
        left_out: dict[str, list[tuple[str, int]]] = {"exclude": [], "at times": [], "only": [], "exit": []}
        for call in ASKS.finditer(text):
            end = text.find("\n\n", call.end())
            part = text[call.end() : end if end > 0 else len(text)]
            if call["key"] in ("exclude", "only"):
                part = f"{call['key']}: {part}"
            for said in GIVEN.finditer(part):
                line = _line(text, call.start())
                if said["key"] == "exit_status":
                    left_out["exit"] += [("exit_status 0", line)] if said["value"] == "0" else []
                elif said["key"] != "include":
                    for tag, asked in _tags(said["value"], text):
                        left_out["only" if said["key"] == "only" else asked or _weight(tag, side)].append((tag, line))
        left_out["exit"] += [(match[0], _line(text, match.start())) for match in ENDS_WELL.finditer(text)]
        settings = {key: node for name, items in left_out.items() for key, node in _list(name, items, path).items()}
        found[path] = Unit(settings, (path,))
    return found


def _tags(value: str, text: str) -> Iterator[tuple[str, str]]:
    """The tags of a list, or of the one that a name stands for; with `at times` where a condition decides."""
    where = ""
    if not value.startswith(("[", ":")):
        given = re.search(rf"(?m)^[ \t]*@?{re.escape(value)}\s*=(?P<said>(?:[^\n]|\n(?!\n))*)", text)
        value = given["said"] if given is not None else ""
        where = "at times" if CONDITION.search(value) else ""
    for match in TAG.finditer(value):
        name = match["atom"] or match["word"]
        if name not in ("do", "else", "skip", "true", "false", "nil", "ok", "os"):
            yield name, where


def _weight(tag: str, side: Side) -> str:
    """Whether tests have a tag that no command of the tree asks for."""
    tagged = re.compile(rf"tag\b[ (\[]*:?{re.escape(tag)}\b")
    tests = [path for path in side.paths if path.endswith("_test.exs")]
    if tag not in ("test", "module") and not any(tagged.search(side.text(path) or "") for path in tests):
        return "at times"
    asked = re.compile(rf"--(?:only|include)[ =]+[\"']?{re.escape(tag)}\b")
    files = [*command_files(side), *side.by_name.get("mix.exs", ())]
    return "at times" if any(asked.search(side.text(path) or "") for path in files) else "exclude"


def _project(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in files_named(side, "mix.exs"):
        text, settings = _plain(side, path), dict[Key, Node]()
        for match in (*NUMBER.finditer(text), *NO_SUMMARY.finditer(text)):
            value = next(each for each in match.groups() if each is not None)
            settings[("threshold",)] = Node("0" if value == "false" else value, path, _line(text, match.start()), 1)
        for match in STRICT.finditer(text):
            settings[("strict",)] = Node(match["value"], path, _line(text, match.start()), 1)
        for name, form in LISTS:
            for match in form.finditer(text):
                line = _line(text, match.start("list"))
                settings |= _list(name, [(word.strip('"'), line) for word in WORD.findall(match["list"])], path)
        settings |= _no_tests(text, path)
        found[path] = Unit(settings, (path,))
    return found


def _no_tests(text: str, path: str) -> dict[Key, Node]:
    tasks = [(command, line) for name, command, line in of_mix(text) if name.split()[0] == "test"]
    if not tasks or any(re.search(r"\btest\b|coveralls", command) for command, _ in tasks):
        return {}
    return {("no tests",): Node(tasks[0][0], path, tasks[0][1], 1)}


def _credo(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in files_named(side, ".credo.exs"):
        text, settings = _plain(side, path), dict[Key, Node]()
        said_off = {name for block in DISABLED.finditer(text) for name in re.findall(r"Credo\.Check\.[\w.]+", block[0])}
        on: list[tuple[str, int]] = []
        off: list[tuple[str, int]] = []
        for match in CREDO_CHECK.finditer(text):
            name = match["name"] or match["bare"]
            (off if match["value"] or name in said_off else on).append((name, _line(text, match.start())))
        off += [(f"{match['name']} exit_status 0", _line(text, match.start())) for match in NO_EXIT.finditer(text)]
        settings |= _list("on", on, path) | _list("off", off, path)
        for match in STRICT_CREDO.finditer(text):
            settings[("strict",)] = Node(match["value"], path, _line(text, match.start()), 1)
        for match in LEFT_OUT.finditer(text):
            line = _line(text, match.start())
            names = [re.sub(r"^~r.|[^\w/]$", "", word.strip('"')) for word in WORD.findall(match["list"])]
            settings |= _list("excluded", [(name, line) for name in names], path)
        found[path] = Unit(settings, (path,))
    return found


def _switched_off(before: Settings, after: Settings, paths: Sequence[str]) -> Iterator[Loss]:
    """A check that is off now and was on, by its name or because nothing was named. Others came with a release."""
    was = {canonical(item) for item in before[("on",)].items} if ("on",) in before else set()
    for worse in no_more()(before.get(("off",)), after.get(("off",)), paths):
        name = canonical(worse.node).partition(" ")[0] if worse.node is not None else ""
        rule = IGNORED if not was or name in was else MINOR_EXCLUSION
        yield Loss(rule=rule, key="checks", text=worse.text, node=worse.node, old=None)


def _passed_over(side: Side) -> Mapping[str, Unit]:
    found: dict[str, Unit] = {}
    for path in [path for name in PASSED_OVER for path in files_named(side, name)]:
        lines = enumerate(_plain(side, path).split("\n"), 1)
        said = [(line.strip(" ,"), number) for number, line in lines if re.search(r"\w", line)]
        found[posixpath.dirname(path)] = Unit(_list("passed over", said, path), (path,))
    return found


HELPERS = ("test_helper.exs", "test.exs")
PASSED_OVER = (".dialyzer_ignore.exs", "dialyzer.ignore-warnings", ".dialyzer-ignore-warnings")
NO_PRODUCT = r".*\b(?:_build|deps|node_modules|tests?|assets|priv|generated|vendor)\b.*"
SUFFIXES = (".ex", ".exs")
ELIXIR: tuple[Tool, ...] = (
    Tool(
        name="ExUnit",
        places=tuple(Place(name) for name in HELPERS),
        rows=(
            Row("exclude", no_more(), EXCLUDED),
            Row("at times", no_more(), PARTLY),
            Row("only", no_more(), FILTERED),
            Row("exit", no_more(), IGNORED),
        ),
        suffixes=SUFFIXES,
        units=_tests,
        units_are_files=True,
        runs_tests=True,
    ),
    Tool(
        name="mix",
        places=(Place("mix.exs"),),
        rows=(
            Row("threshold", floor(), THRESHOLD),
            Row("strict", flag(good=True), IGNORED),
            Row("unmeasured", no_more(), OMITTED),
            Row("paths", no_fewer_tests(("test",), folders=True), "cfg.test.collection"),
            Row("flags", no_less(), PARTLY),
            Row("no tests", no_more(), NOT_RUN),
        ),
        suffixes=SUFFIXES,
        units=_project,
        units_are_files=True,
    ),
    Tool(
        name="credo",
        places=(Place(".credo.exs"),),
        rows=(
            Row("on", no_less(), IGNORED),
            Row("strict", flag(good=True), IGNORED),
            Row("excluded", no_more(usual=NO_PRODUCT), IGNORED),
        ),
        suffixes=SUFFIXES,
        judge=_switched_off,
        units=_credo,
        units_are_files=True,
    ),
    Tool(
        name="dialyzer",
        places=tuple(Place(name) for name in PASSED_OVER),
        rows=(Row("passed over", no_more(), IGNORED),),
        suffixes=SUFFIXES,
        units=_passed_over,
    ),
    Tool(
        name="excoveralls",
        places=(Place("coveralls.json"),),
        rows=(
            Row("coverage_options.minimum_coverage", floor(), THRESHOLD),
            Row("skip_files", no_more(usual=NO_PRODUCT), OMITTED, "cfg.coverage.exclude-minor"),
        ),
        suffixes=SUFFIXES,
    ),
)
