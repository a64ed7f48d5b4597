"""Configuration that moved, was ported, or gave way to another tool or project: what is lost on the way."""
