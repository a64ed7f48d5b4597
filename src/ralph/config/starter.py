"""The `ralph.yml` that `ralph init` writes: every key of a run with its default, for a person to change."""

TEXT = """\
# How Ralph works on this project. Every key may be left out; what stands here are the defaults.

# Who works when `ralph run` names nobody: claude, claude-cli, codex, "command:PROGRAM ARGUMENTS", or one of `agents`.
# agent: claude

# Claims that read well are then measured. `claimed` is for work that is no code.
# evidence: measured

# US dollars. `total` counts over all runs of this project.
cost_limits:
  per_iteration: 2.0
  per_session: 50.0
  total: 200.0

# What one run may use. `tokens` has no limit until you set one.
limits:
  iterations: 100
  runtime_s: 14400

# When a run stops because it breaks again and again, or goes in circles.
breaker:
  failures: 3
  stagnation: 5
  cooldown_s: 300

# A person must agree before a phase ends: discovery, planning, building, validation.
# phases:
#   validation:
#     require_human_approval: true

# Settings of agents, by name.
# agents:
#   claude:
#     model: claude-sonnet-5
#     fallback: [codex]
"""
