"""The options of programs that make them check less, one table per program, and how they are judged."""
