"""Tests of Python that are skipped, expected to fail or never collected, and why."""
