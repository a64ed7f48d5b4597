"""Every error that Ralph raises on purpose.

One root, few families. A message is one clear sentence that says what is wrong, where, and what to do.
`cli.main` is the one place that turns an error into an exit code; each family carries its own.
"""


class RalphError(Exception):
    """Root of the errors that a person is meant to read; anything else that escapes is a defect of Ralph."""

    exit_code = 3


class UsageError(RalphError):
    """A command was called with arguments that do not make sense together."""


class ConfigError(RalphError):
    """A file that governs Ralph (context, contract, policy set, configuration) cannot be used."""


class PolicyOverrideError(ConfigError):
    """An application's context tries to set what only Ralph's policy may set."""


class PolicyTamperedError(ConfigError):
    """A released policy set is not, byte for byte, what was released."""


class RepositoryError(RalphError):
    """The directory is not a git repository that can be judged, or git could not answer."""


class StorageError(RalphError):
    """A file of Ralph's own could not be written, or what it holds is damaged."""


class EvidenceError(RalphError):
    """Recorded evidence is incomplete, changed, or not signed by a known key."""


class MissingToolError(RalphError):
    """This machine lacks something that Ralph itself needs."""


class ApprovalError(RalphError):
    """An approval is unknown, answered, used, expired or not to be trusted: what it was asked for does not happen."""


class SandboxUnavailable(RalphError):
    """What was demanded of the sandbox cannot be enforced on this machine: the action is BLOCKED, never run without."""

    exit_code = 2
