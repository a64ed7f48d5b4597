"""Tests that are gone, tests that only have another name or place, and what excuses their loss."""
