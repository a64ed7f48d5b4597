"""A person's signed exceptions: what is not held against the work, why, and until when."""
