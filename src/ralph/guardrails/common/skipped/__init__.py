"""Tests that are skipped, tagged out, or made by no runner any more (classes G02 and G04)."""
