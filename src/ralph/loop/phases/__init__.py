"""The four phases: what an agent may do in each, what it is told, and what must be there before the next."""
