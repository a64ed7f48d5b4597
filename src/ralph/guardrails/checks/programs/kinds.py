"""What sort of check a command is."""

from __future__ import annotations

from typing import Literal

Kind = Literal["test", "lint", "types", "build", "audit", "coverage", "named"]
