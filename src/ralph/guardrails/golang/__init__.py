"""Go: what the guardrails know of it."""
