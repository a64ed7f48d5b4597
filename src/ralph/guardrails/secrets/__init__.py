"""Secrets: found on added lines (`detect`), and taken out of whatever Ralph writes down (`redact`)."""
