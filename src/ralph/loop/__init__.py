"""The loop around an agent: it acts, it claims, Ralph measures, Ralph decides."""
