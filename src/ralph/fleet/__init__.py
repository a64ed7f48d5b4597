"""Many verifications and runs over many repositories and machines: jobs, workers, and the queue between them.

`ralph.fleet` itself needs nothing but Ralph; what stands on DBOS is loaded only where a queue is used.
"""
