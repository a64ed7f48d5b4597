"""What waits for the checks before something is merged or shipped, and whether it hears them (G10, G16)."""
