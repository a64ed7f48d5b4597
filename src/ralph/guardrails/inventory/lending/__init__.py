"""What a test takes from around it: the helpers that it calls, what it hands them, and what its file defines."""
