"""Thin adapter for CredentialMate: gives context, and neither reads the verdict nor changes the rules."""

from __future__ import annotations

from pathlib import Path

from ralph.context import AppContext
from ralph.contracts import AutonomyContract
from ralph.engine import RalphEngine
from ralph.verdict import Verdict


class CredentialMateAdapter:
    def __init__(self) -> None:
        self.context = AppContext.from_yaml(Path(__file__).parent / "ralph-context.yaml")

    def verify(self, engine: RalphEngine, contract: AutonomyContract) -> Verdict:
        return engine.verify(context=self.context, contract=contract, agent_type=contract.agent)
