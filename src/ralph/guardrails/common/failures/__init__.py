"""Whether a failure makes its test, or its script of checks, fail: waits, hooks, exits, runs again."""
