"""Ralph in the pipelines of code hosts: what a change is judged against there, and how the verdict gets back."""
