"""Files, findings and tests that configuration leaves out, and what that takes away from a check."""
