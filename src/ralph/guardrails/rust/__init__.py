"""Rust: what the guardrails know of it."""
