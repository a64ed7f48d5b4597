"""JavaScript product code that knows its tests or their answers, or no longer does its work."""
