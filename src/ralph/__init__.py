"""Ralph: a governed, deterministic loop around coding agents, in which "done" is never believed without proof."""

__version__ = "0.1.0"
