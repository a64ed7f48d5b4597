"""What the assertions of a Go test demand, and which of them demand nothing new."""
