"""The demonstration: a bundled project with a real bug, and an agent that lies, cheats and then does its work."""
