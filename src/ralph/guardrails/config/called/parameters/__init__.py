"""What stands for the parameters of a pipeline's parts: of commands, jobs, templates and functions, and of matrices."""
