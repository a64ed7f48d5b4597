"""Ralph's own tools, as agents are offered them: what they may know, claim, note and ask for (spec: MCP tools).

Rules (design decisions 16 to 20, 28 to 33):

- A tool never decides: what an agent says about its task or phase is a claim in the inbox of its turn, judged when the
  turn is over. Python selects the task, so a claim about another one is refused at once.
- What a tool writes itself (a new task, a note, a learning) is on the disk when it answers, under the file's own lock:
  nobody saves an older copy over it.
- Whatever is refused changed nothing, and the refusal says what to do. Doing a thing twice is the same as once.
"""

from ralph.loop.toolbox.desk import Desk, Seat
from ralph.loop.toolbox.offer import for_phase, tools

__all__ = ["Desk", "Seat", "for_phase", "tools"]
