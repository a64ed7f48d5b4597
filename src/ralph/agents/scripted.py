"""The scripted agent: plays a YAML script of files, commands, calls and claims, and stands in for every other agent.

    ralph run --agent scripted:FILE

A script is `name` and `turns`. A turn is a list of actions, played in the iteration of its number (counted from 1,
over such turns alone). With `repeat: true` the last of them is played in every later iteration; without it a turn
beyond the end says that there is nothing left. A turn may instead say for which prompts it is: those are looked at
first, from top to bottom, and the first that fits is played. It may name a text that must stand in the prompt, or
several, those that must not, and an iteration.

    name: example
    repeat: true
    turns:
      - - say: I begin.
      - when: {contains: TEXT, lacks: [TEXT, TEXT], iteration: 3}
        actions:
          - say: This is for the task I know.

An action is a mapping with one key:

    say: TEXT                                         claim: {topic: build.done, payload: TEXT}
    write: {path: P, content: TEXT}                   emit: {topic: build.done, payload: TEXT}
    replace: {path: P, old: TEXT, new: TEXT}          tool: {name: ralph_next_task, arguments: {...}}
    delete: P                                         usage: {input_tokens: 900, output_tokens: 80, cost_usd: 0.02,
    run: COMMAND LINE                                         cache_read_tokens: 0, cache_write_tokens: 0,
    commit: MESSAGE                                           context_tokens: 900, context_window: 200000,
    wait_s: 1.5                                               model_calls: 1}
    end: completed | error | rate_limited | ...       end: {reason: rate_limited, retry_after_s: 30, detail: TEXT}
    crash: SIGKILL

Rules:

- It acts for real: files are written, commands run. Where a turn has a court, every action is judged before as that of
  any client: files as Write and Edit, commands as Bash (what is allowed runs as the ticket that comes back, in the
  sandbox), deleting as the command `rm`, Ralph's tools by their names. What is denied does not happen, and the script
  goes on.
- `emit` hands the event in where `ralph emit` does; without an inbox it is a claim. `claim` is what the agent says.
- `usage` is that of the whole turn so far; the last one counts. Above the turn's limit of cost the turn ends.
- `replace` wants the old text exactly once, or with `all: true` at least once.
- Waiting and commands end early when the turn is told to stop, and at its limits.
- A turn that is played twice does what it does once: what is replaced, or written, already, stays. So a run that was
  killed can be gone on with. Nothing is remembered between turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ralph.agents import script
from ralph.agents.acting import Stage
from ralph.agents.base import End, Record, Started, Text, Turn
from ralph.agents.script import Action, Answer
from ralph.record import record


@record
class ScriptedAgent:
    """Plays turn `n` of `turns` in iteration `n`, unless one of `answers` fits the prompt."""

    name: str
    turns: tuple[tuple[Action, ...], ...]
    answers: tuple[Answer, ...] = ()
    repeat: bool = False

    @classmethod
    def from_yaml(cls, path: Path) -> ScriptedAgent:
        """Read a script. Raises ConfigError that says which turn and action is wrong."""
        found = script.read(path)
        return cls(found.name, found.turns, found.answers, found.repeat)

    def run(self, turn: Turn) -> Iterator[Record]:
        actions = self.actions(turn)
        yield Started(session=turn.session or f"{self.name}-{turn.iteration}", agent=self.name, detail="scripted")
        if actions is None:
            yield Text("The script has no turn left.")
            yield End("completed")
            return
        yield from Stage(turn, self.name).play(actions)

    def actions(self, turn: Turn) -> tuple[Action, ...] | None:
        """What is played in this turn; None if the script has nothing for it."""
        for answer in self.answers:
            if answer.when.fits(turn.prompt, turn.iteration):
                return answer.actions
        if turn.iteration <= len(self.turns):
            return self.turns[turn.iteration - 1]
        return self.turns[-1] if self.repeat and self.turns else None
