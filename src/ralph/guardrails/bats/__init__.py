"""bats: tests written in shell, and what they ask."""
