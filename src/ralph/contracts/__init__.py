"""Autonomy contracts: what one kind of agent may change, enforced at verification."""

from ralph.contracts.loader import available, breaches, load, read
from ralph.contracts.schema import AutonomyContract, ControlMode, Controls, Limits, StepExemption

__all__ = [
    "AutonomyContract",
    "ControlMode",
    "Controls",
    "Limits",
    "StepExemption",
    "available",
    "breaches",
    "load",
    "read",
]
