"""Gates in a prompt: `:: verify:"cmd"` is proved by a real exit 0, criteria are answered by a judge."""
