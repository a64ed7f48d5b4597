"""Rules that several languages share."""
