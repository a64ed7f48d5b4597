"""The karematch application's context."""
