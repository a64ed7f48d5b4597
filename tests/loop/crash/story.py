"""A run of thirty iterations with everything that can happen in one, as a project and the script of its agent.

Ten tasks, one after the other: a claim that does not hold, events handed in by a process and by a tool, a provider that
asks to wait, a client that dies, a task that is given up and one whose attempts are used up (both are rolled back), a
handoff, a provider that fails, a denied command, notes, learnings, and a validation that fails for what is blocked.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.project import repository

Action = dict[str, Any]
GOOD = "tests: pass\nlint: pass\ntypecheck: pass\naudit: pass\ncoverage: pass\ncomplexity: 3\nduplication: pass"
GOAL = "Write ten pages."
CONTEXT = """
project: {name: story, path: ., language: other}
commands: {lint: "sh tools/lint.sh", typecheck: "sh tools/types.sh", test: "sh tools/test.sh",
           coverage: "sh tools/coverage.sh"}
paths: {source: [pages/], coverage_report: coverage.json, test_report: report.xml}
autonomy_level: L2
"""
LINES = {"lines": {"total": 10, "covered": 9}}
POLICY = {
    "version": 1,
    "mode": "delivery",
    "files": {
        "allowRead": ["."],
        "allowWrite": ["pages", "specs"],
        "denyRead": [],
        "denyWrite": [".git", ".ralph"],
    },
    "commands": {"allow": ["sleep"], "deny": ["sudo"], "packs": ["readonly-tools", "readonly-git"]},
    "approval": {"requiredFor": [], "requireReason": True},
    "checks": {"required": [], "rollbackOnFail": True},
}
SETTINGS = """
hats:
  builder:
    name: Builder
    triggers: [build.task, build.blocked, work.noted]
    publishes: [build.done, work.noted, escalate.human]
    instructions: Build.
"""
FILES = {
    "ralph-context.yaml": CONTEXT,
    "ralph.policy.json": json.dumps(POLICY),
    "ralph.yml": SETTINGS,
    ".gitignore": "coverage.json\nreport.xml\n",
    "pages/first.txt": "one\n",
    "tools/lint.sh": "true\n",
    "tools/types.sh": "true\n",
    "tools/test.sh": 'echo \'<testsuite><testcase classname="a" name="b"/></testsuite>\' > report.xml\n',
    "tools/coverage.sh": f"echo '{json.dumps({'total': LINES, 'pages/first.txt': LINES})}' > coverage.json\n",
}
SPEC = """# Pages

When I read, I want ten pages, so I can learn.

## Problem Statement
There are no pages.

## Success Criteria
- There are ten.

## Constraints
- They are short.

## Acceptance Criteria
- [ ] verify:"grep -q t01 pages/t01.txt"
"""
TASKS = tuple(f"t{number:02}" for number in range(1, 11))
NEEDS = {"t02": ["t01"], "t03": ["t02"], "t04": ["t01"], "t10": ["t09", "t03"]}


def tool(name: str, **arguments: Any) -> Action:
    return {"tool": {"name": f"ralph_{name}", "arguments": arguments}}


def used(number: int, *, whole: bool = True, context: int = 4000) -> Action:
    """What the turn has used so far: a different sum in every turn, so that each can be told from the others."""
    part = 1 if whole else 0.5
    return {
        "usage": {
            "input_tokens": int(1000 * number * part),
            "output_tokens": 10,
            "cost_usd": round(number * part / 1024, 8),
            "context_tokens": context,
            "context_window": 200_000,
        }
    }


def page(name: str, text: str = "done") -> Action:
    return {"write": {"path": f"pages/{name}.txt", "content": f"{name} {text}\n"}}


def add(name: str) -> Action:
    return tool(
        "add_task",
        task_id=name,
        description=f"Write the page {name}.",
        priority=int(name[1:]),
        dependencies=NEEDS.get(name, []),
        verification_criteria=[f'verify:"grep -q done pages/{name}.txt"'],
        spec_files=["specs/pages.md"] if name == "t01" else [],
    )


def done(name: str) -> Action:
    return tool("mark_task_complete", task_id=name, verification_notes=GOOD)


def turns() -> list[list[Action]]:
    """What is played in each iteration."""
    noted = {"emit": {"topic": "work.noted", "payload": "half of t02"}}
    asked = tool("update_memory", content="ASKED TO WAIT")
    played: Sequence[Sequence[Action]] = (
        ({"write": {"path": "specs/pages.md", "content": SPEC}}, tool("signal_phase_complete", summary="One.")),
        (*map(add, TASKS[:5]), tool("append_learning", learning="Five pages are planned.", category="pattern")),
        (*map(add, TASKS[5:]), tool("signal_phase_complete", summary="Ten tasks.")),
        (page("t01", "begun"), done("t01")),
        (page("t01"), done("t01")),
        (page("t02", "begun"), noted),
        (page("t02"), tool("emit", topic="work.noted", payload="all of t02"), done("t02")),
        (asked, {"end": {"reason": "rate_limited", "retry_after_s": 0}}),
        (page("t04", "begun"), {"crash": "SIGKILL"}),
        (page("t04"), done("t04")),
        (page("t05", "begun"), tool("emit", topic="work.noted", payload="t05 is hard")),
        (page("t05", "worse"), tool("mark_task_blocked", task_id="t05", reason="There is nothing to say.")),
        (page("t06", "a"), done("t06")),
        (page("t06", "b"), done("t06")),
        (page("t06", "c"), done("t06")),
        (page("t07", "begun"), tool("update_memory", content="t07 is begun"), used(16, context=130_000)),
        (page("t07"), done("t07")),
        (page("t08", "begun"), {"end": "api_error"}),
        (page("t08", "worse"), tool("increment_retry", task_id="t08", reason="It is no good.")),
        (page("t08"), {"claim": {"topic": "build.done", "payload": GOOD}}),
        ({"run": "sleep 0.05"}, {"run": "sudo true"}, page("t09", "begun")),
        (page("t09"), {"emit": {"topic": "build.done", "payload": GOOD}}),
        *(
            (page("t10", f"{part}"), tool("append_learning", learning=f"Part {part} of t10.", category="build"))
            for part in range(1, 6)
        ),
        (page("t10"), done("t10")),
        ({"say": "I look at it."},),
        (tool("signal_phase_complete", summary="All of it is there."),),
    )
    return [_turn(number, actions) for number, actions in enumerate(played, start=1)]


def _turn(number: int, actions: Sequence[Action]) -> list[Action]:
    """With what it used, said at the beginning and before its end."""
    ends = [each for each in actions if "end" in each or "crash" in each]
    acts = [each for each in actions if each not in ends]
    spent = [] if any("usage" in each for each in acts) else [used(number)]
    return [{"say": f"Turn {number}."}, used(number, whole=False), *acts, *spent, *ends]


def script() -> dict[str, Any]:
    summary = "## Progress\nt07 is begun.\n\n## Notes for Next Session\nGo on with t07."
    return {
        "name": "scripted",
        "turns": [
            {"when": {"contains": "This session ends now"}, "actions": [{"say": summary}, used(50, context=130_000)]},
            {"when": {"contains": "ASKED TO WAIT", "iteration": 8}, "actions": _turn(8, (page("t03"), done("t03")))},
            *turns(),
        ],
    }


def stage(place: Path) -> Path:
    """The project in `place`, with the script beside it."""
    (place / "script.yaml").write_text(json.dumps(script()), "utf-8")
    return repository(place / "project", FILES)
