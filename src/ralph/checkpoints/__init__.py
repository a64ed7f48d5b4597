"""Checkpoints of a working copy, and the way back to one that loses nothing."""
