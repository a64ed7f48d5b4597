"""What survives a context: memories captured at fixed moments, and what of them goes into the next prompt."""
