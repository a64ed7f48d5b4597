"""Ralph's tools for agents, over the Model Context Protocol."""
