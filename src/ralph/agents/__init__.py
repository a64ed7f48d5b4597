"""Agents: the clients that act. What they say is a claim; Ralph measures."""
