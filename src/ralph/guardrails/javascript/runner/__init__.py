"""Runner hijack in JavaScript: what a test runner loads, and what that makes of the run (class G08)."""
