"""What starts the checks, when and how often: triggers, matrices, calls, targets (classes G09 and G16)."""
