"""Python product code that knows its tests or their answers, or only pretends to work."""
