"""Where the tools that check come from, and what stands in the place of one (classes G15 and G17)."""
