"""What a Python test takes from around it: names, constants, fixtures and helpers of its file or beside."""
