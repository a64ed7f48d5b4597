"""What agents are told: one text for each turn, made of facts. Everything here is pure."""
