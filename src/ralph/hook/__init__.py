"""The door that agent clients knock at before every use of a tool, and the room where what was allowed is run."""
