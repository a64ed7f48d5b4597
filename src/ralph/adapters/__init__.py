"""Adapters that come with Ralph: an application's context, kept outside the application's repository."""
