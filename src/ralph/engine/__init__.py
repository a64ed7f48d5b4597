"""The one way to a verdict."""

from ralph.engine.core import RalphEngine

__all__ = ["RalphEngine"]
