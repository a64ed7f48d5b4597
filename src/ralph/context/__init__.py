"""Application contexts: facts from the application, never rules."""

from ralph.context.loader import CONTEXT_FILE, parse_context, read_context
from ralph.context.schema import AppContext, Commands, Paths, Project, Tools

__all__ = ["CONTEXT_FILE", "AppContext", "Commands", "Paths", "Project", "Tools", "parse_context", "read_context"]
