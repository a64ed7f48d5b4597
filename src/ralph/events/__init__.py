"""Events: what agents claim, how a claim is read and gated, and where an event goes."""
