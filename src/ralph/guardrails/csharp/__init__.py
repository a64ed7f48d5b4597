"""C#: what the guardrails know of it."""
