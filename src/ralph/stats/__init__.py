"""What it costs to get a task proven, and how often that works at once (`ralph stats`; docs/commands.md)."""
