"""Hats: roles that an agent plays, which events wake them, and what they may publish."""
