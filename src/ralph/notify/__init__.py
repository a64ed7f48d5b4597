"""Tells people what happens in a run: webhooks, apprise, a command (`notify` of `ralph.yml`; docs/notifications.md)."""
