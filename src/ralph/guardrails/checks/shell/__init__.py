"""A shell text as the guardrails read it, and run it in thought: words, tests, loops, what it would do."""
