"""Texts and patterns that a test wants, as a whole or in part, and what a program prints."""
