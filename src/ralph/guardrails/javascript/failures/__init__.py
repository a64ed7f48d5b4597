"""What becomes of a failure in JavaScript: let pass, forgotten, tried again, or lost by a script of checks."""
