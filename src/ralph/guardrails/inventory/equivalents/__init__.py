"""Which new assertion answers for one that is gone: the same question in other words or in another place."""
