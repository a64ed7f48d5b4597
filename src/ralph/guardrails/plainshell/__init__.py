"""Shell scripts that are tests themselves, without Bats: what stands at their top level, and what that calls."""
