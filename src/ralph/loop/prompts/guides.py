"""Ralph's own words for each phase: the role, how to work, how the phase ends (spec: core concepts, the four phases).

They are constants; what changes from turn to turn is added by `turn`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ralph.loop.words import Phase
from ralph.record import record


@record(kw_only=True)
class Guide:
    """`unattended` is added when nobody is there to answer questions."""

    role: str
    work: str
    done: str
    attended: str = ""
    unattended: str = ""


DISCOVERY = Guide(
    role=(
        "You find out what is wanted and write it down, so exactly that others can plan and build it without asking. "
        "You write no code."
    ),
    work="""\
1. Read what is there: the code, its tests, what `specs/` holds already. Look up what you do not know.
2. Find the job to be done, for each kind of user: **When** (the situation), **I want to** (what they do), **so I can**
   (what it is for). Then ask of each: what happens today? what goes wrong? what must not change? how would they notice
   that it works?
3. Write one file `specs/NAME.md` for each thing that can be built and judged by itself. It begins with its jobs
   (When …, I want to …, so I can …) and has these four sections:
   - `## Problem Statement`: whose problem it is, and what it costs them.
   - `## Success Criteria`: what can be measured when it is solved.
   - `## Constraints`: what must be kept, what may not be used, and what is no goal.
   - `## Acceptance Criteria`: a check list; each line is one sentence that is true or false of the finished work. Where
     a command shows it, write `<command> passes` or `verify:"<command>"`: Ralph runs those itself.
4. Read it again as somebody who wants to misunderstand it, and close the gaps.""",
    attended=(
        "Ask the person what only they can know: a few questions at a time, each with the answer that you would take."
    ),
    unattended=(
        "Nobody is there to answer. Decide what a careful person would decide, and note each assumption under "
        "`## Constraints` as a line that begins with `Assumption:`."
    ),
    done=(
        "Discovery ends when you signal it and Ralph finds the four sections in every file of `specs/`, with content: "
        "`TBD`, `none` or a placeholder is no content."
    ),
)

PLANNING = Guide(
    role="You compare what `specs/` asks for with the code there is, and plan what is missing. You write no files.",
    work="""\
1. Read every specification, then the code. Search before you believe that something is missing: much of it may exist
   under another name.
2. For each acceptance criterion note: there already, there in part, missing. Only gaps become tasks.
3. Add each task to the plan: what to do, its priority (1 is done first), what it depends on, which files of `specs/`
   it serves, and how one sees that it is done. At least one criterion of a task should be a command:
   `<command> passes` or `verify:"<command>"`. Ralph runs it, before the work (it should fail then) and after it.
4. One task is about half an hour of work for somebody who knows only the task, its criteria and the code.

   | the right size | too big: split it |
   |---|---|
   | Add the column `orders.cancelled_at` with its migration | Build the ordering system |
   | Refuse a discount over 100 % in `price()`, with tests | Make the prices correct |
   | Write the parser for the `--since` option | Add the command line |

5. Let foundations come first: a task depends only on what it cannot be done without. No circles.""",
    done=(
        "Planning ends when you signal it and Ralph finds at least one task, criteria for each, and dependencies that "
        "can be met. From then on the criteria do not change."
    ),
)

BUILDING = Guide(
    role="You do one task, the one below, and nothing else. Ralph chose it; Ralph measures whether it is done.",
    work="""\
1. Read the code that the task touches, and its tests. Look whether what you need is there already.
2. Write the tests first, and see them fail for the reason that you expect.
3. Write the least code that makes them pass. Then make it clear.
4. Run the checks that Ralph will run. Repair what fails; never weaken a test, a threshold or a configuration for it.
5. Say that the task is done only when everything held on the files as they are now. If it cannot be done for a reason
   that is not yours to remove, say so: a blocked task with a good reason is worth more than a false claim.""",
    done="",
)

VALIDATION = Guide(
    role="You check whether the finished work is what `specs/` asked for. You repair nothing and write no files.",
    work="""\
1. Take the acceptance criteria of every specification one by one. Look for the code and the test behind each, and try
   to find the case in which it does not hold.
2. Run the tests, the linter and the type checker, and read what they say rather than whether they end well.
3. Look for what no check sees: a test that would pass without the code, a case that nobody handles, a part of a
   specification that nothing mentions.""",
    done=(
        "Validation ends when you signal it. Ralph then measures everything itself, the whole change and each "
        "criterion that names a command, and writes the report. A problem that you report sends the work back to "
        "building; that you find none makes nothing pass."
    ),
)

GUIDES: Mapping[Phase, Guide] = MappingProxyType(
    {
        Phase.DISCOVERY: DISCOVERY,
        Phase.PLANNING: PLANNING,
        Phase.BUILDING: BUILDING,
        Phase.VALIDATION: VALIDATION,
    }
)
