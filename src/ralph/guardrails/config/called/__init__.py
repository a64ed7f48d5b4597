"""What the commands of a task come to when it is called with arguments: one module per runner of tasks."""
