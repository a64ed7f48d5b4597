"""Tests of languages that are read line by line: what they are called, and what they ask (classes G04 and G05)."""
