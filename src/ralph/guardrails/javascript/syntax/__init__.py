"""What a JavaScript file says without being run: its nodes, names, calls, constants and origins."""
