"""Tests of JavaScript that are skipped or focused, and the conditions under which they are."""
