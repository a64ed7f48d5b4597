"""What an agent may do at all in a phase, whichever client it is (design decision 33).

The policy says what is allowed in the project; capabilities only take away from that.
"""

from __future__ import annotations

from ralph.record import record


@record(kw_only=True)
class Capabilities:
    """`write`: paths or globs to which writing is narrowed; None leaves it to the policy, () closes everything.

    `shell` runs commands, `web` searches and fetches, `delegate` starts subagents, `ask` puts questions to a person.
    `look` lets commands run that only read, without a shell: for a client that has no other way to read. `name` is the
    phase, for the reasons that agents and people read.
    """

    name: str = ""
    read: bool = True
    write: tuple[str, ...] | None = None
    shell: bool = True
    web: bool = True
    delegate: bool = True
    ask: bool = True
    look: bool = False


ALL = Capabilities()
