"""The names that are sent, pinned: OpenTelemetry's conventions for generative AI are not stable yet, and a newer
library must not rename what people look for. `ralph.*` are ours."""

from __future__ import annotations

OPERATION = "gen_ai.operation.name"
WORKFLOW = "gen_ai.workflow.name"
AGENT = "gen_ai.agent.name"
AGENT_VERSION = "gen_ai.agent.version"
PROVIDER = "gen_ai.provider.name"
MODEL = "gen_ai.response.model"
CONVERSATION = "gen_ai.conversation.id"
INPUT = "gen_ai.usage.input_tokens"
OUTPUT = "gen_ai.usage.output_tokens"
CACHE_READ = "gen_ai.usage.cache_read.input_tokens"
CACHE_WRITE = "gen_ai.usage.cache_creation.input_tokens"
TOOL = "gen_ai.tool.name"
TOOL_CALL = "gen_ai.tool.call.id"
TOKEN_TYPE = "gen_ai.token.type"
ERROR = "error.type"
EXIT_CODE = "process.exit.code"

RUN = "ralph.run.id"
PHASE = "ralph.phase"
ITERATION = "ralph.iteration"
TASK = "ralph.task"
HAT = "ralph.hat"
COST = "ralph.cost_usd"
DECISION = "ralph.policy.decision"
OUTCOME = "ralph.outcome"
VERDICT = "ralph.verdict"
VERDICT_RUN = "ralph.verdict.id"
STEP = "ralph.step.name"
STATUS = "ralph.step.status"
END = "ralph.run.end"

TOKENS_METRIC = "gen_ai.client.token.usage"
DURATION_METRIC = "gen_ai.client.operation.duration"
VERDICTS_METRIC = "ralph.verdicts"
COST_METRIC = "ralph.cost"

PROVIDERS = {"claude": "anthropic", "claude-cli": "anthropic", "codex": "openai"}


def kind(agent: str) -> str:
    """An agent's name without the place that some have (`scripted:FILE`), which would grow without end."""
    return agent.partition(":")[0][:60]
