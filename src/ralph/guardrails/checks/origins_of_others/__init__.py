"""Where the tools that check come from in ecosystems other than those of npm and Python: one file for each."""
