"""The plan: tasks, what may be done next, and the only ways in which a task changes."""
