"""Under which conditions a test of Go fails, and what keeps a failure from being told."""
