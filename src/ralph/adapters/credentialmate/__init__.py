"""The credentialmate application's context."""
