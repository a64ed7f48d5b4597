"""What an agent may do: a pure decision about one action, and the sandbox that holds it."""
