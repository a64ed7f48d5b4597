"""The inputs and rows of cases that a test goes through, and the tests that became rows of one."""
