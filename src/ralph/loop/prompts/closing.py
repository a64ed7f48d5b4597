"""The end of a prompt, in Ralph's own words: checks, tools, how completion works, rules, what is left. Pure.

An agent that has Ralph's tools is told their names; one that has none publishes with `ralph emit`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.events.gates import BUILTIN
from ralph.events.refusals import example
from ralph.loop.budget import Remaining
from ralph.loop.prompts.facts import PromptFacts
from ralph.loop.prompts.guides import GUIDES
from ralph.loop.prompts.parts import Part
from ralph.loop.prompts.quoting import code
from ralph.loop.words import Phase
from ralph.results import STEP_ORDER

ALWAYS = (
    "Git is for reading (`status`, `log`, `diff`, `show`, `blame`, `ls-files`). Ralph keeps the work; commit nothing.",
    "Packages are added only where the permissions allow it; where `uv` manages the project: `uv add`, `uv run …`.",
    "`.ralph/`, `ralph.yml`, `ralph.policy.json`, `ralph-context.yaml` and `state/` are Ralph's: do not write them.",
    "What is denied is denied for a reason that you are told. Take another way; do not try spellings.",
)
SIGNAL = "ralph_signal_phase_complete"
_TOOL = re.compile(r"(?:mcp__ralph__)?(ralph_\w+)")


def parts(facts: PromptFacts) -> Iterator[Part]:
    if facts.phase in (Phase.BUILDING, Phase.VALIDATION) and (checks := _checks(facts)):
        yield Part(title="Checks that Ralph runs itself", words=checks)
    yield Part(title="How to report", words=_report(facts))
    yield Part(title="What counts as complete", words=_complete(facts))
    yield Part(title="Rules", words="\n".join(f"- {rule}" for rule in ALWAYS))
    if facts.left and (left := _left(facts.left)):
        yield Part(title="What is left for the whole run", words=left)


def _checks(facts: PromptFacts) -> str:
    if facts.commands is None:
        return ""
    lines = [f"- {step}: {code(command)}" for step in STEP_ORDER if (command := _command(facts, step)) is not None]
    head = "On the files as they are when you claim; every one must hold:"
    return "\n".join([head, "", *lines]) if lines else ""


def _command(facts: PromptFacts, step: str) -> str | None:
    known = facts.commands
    return known.for_step(step) if known and hasattr(known, "test" if step == "tests" else step) else None


def _report(facts: PromptFacts) -> str:
    named = {found[1]: name for name in facts.tools if (found := _TOOL.fullmatch(name))}
    if facts.hat or facts.topology:
        return _publish(facts, named)
    if not named:
        return "\n".join(["Ralph reads what you publish with `ralph emit`:", "", *_emits(facts)])
    if facts.phase is Phase.BUILDING:
        named.pop(SIGNAL, None)  # building ends with its last task
    lines = [f"- {code(named[name])}: {use}" for name, use in _USES.items() if name in named]
    return "\n".join(["Ralph hears you through these tools, and through nothing else:", "", *lines])


def _publish(facts: PromptFacts, named: dict[str, str]) -> str:
    may = ", ".join(code(topic) for topic in facts.hat.publishes) if facts.hat else "any topic of a hat"
    tool = named.get("ralph_emit")
    how = f'the tool {code(tool)}, or `ralph emit TOPIC "PAYLOAD"`' if tool else '`ralph emit TOPIC "PAYLOAD"`'
    return f"You publish with {how}: {may}. A turn that publishes nothing changes nothing."


def _emits(facts: PromptFacts) -> list[str]:
    """The events of an agent that has none of Ralph's tools."""
    if facts.phase is Phase.BUILDING:
        return [
            f"- {code(example(BUILTIN['build.done']))}: the task is done. Write what you got, one value for each.",
            '- `ralph emit escalate.human "REASON"`: it cannot be done without a person.',
        ]
    adding = [f"- {code(_PLAN_TASK)}: add a task."] if facts.phase is Phase.PLANNING else []
    return [*adding, '- `ralph emit phase.done "SUMMARY"`: this phase is complete.']


_PLAN_TASK = (
    'ralph emit plan.task \'{"task_id": "total-1", "description": "…", "priority": 1, "dependencies": [], '
    '"verification_criteria": ["pytest tests/test_total.py passes"], "spec_files": ["specs/total.md"]}\''
)


_USES = {
    "ralph_get_next_task": "the task that Ralph chose, with its criteria.",
    "ralph_mark_task_in_progress": "say that you begin with it.",
    "ralph_mark_task_complete": "claim that it is done; Ralph then measures.",
    "ralph_mark_task_blocked": "say that it cannot be done, and why.",
    "ralph_increment_retry": "say that this attempt failed, and begin afresh.",
    "ralph_emit": "publish an event, such as `escalate.human` with a question that only a person can answer.",
    "ralph_verify": "have the checks run now, before you claim.",
    "ralph_add_task": "add a task to the plan; a refusal says what to correct.",
    "ralph_get_plan_summary": "how far the plan is.",
    "ralph_get_state_summary": "where the run stands, and what it has used.",
    "ralph_append_learning": "note what the next agent should know about this project.",
    "ralph_update_memory": "note where you are, for the next session.",
    "ralph_request_approval": "ask a person for something that needs one.",
    SIGNAL: "say that this phase is complete; Ralph then checks.",
}


def _complete(facts: PromptFacts) -> str:
    never = "Words in your answer count for nothing, whatever they say: only a call of a tool or an event is heard."
    if facts.phase is not Phase.BUILDING:
        return f"{GUIDES[facts.phase].done} {never}"
    return (
        "Your claim is not the completion: Ralph takes it, runs the checks and the measured criteria on the files as "
        "they are, and decides by that. A criterion marked `claimed` has no command; your word for it is written down "
        f"as your word, and compared with what shows later. {never}"
    )


def _left(left: Remaining) -> str:
    lines = []
    if left.cost_usd is not None:
        lines.append(f"- ${left.cost_usd:.2f}")
    if left.tokens is not None:
        lines.append(f"- {left.tokens:,} tokens")
    if left.iterations is not None:
        lines.append(f"- {left.iterations} iterations")
    if left.runtime_s is not None:
        lines.append(f"- {left.runtime_s / 60:.0f} minutes")
    return "\n".join(lines)
