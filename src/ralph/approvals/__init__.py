"""Actions that a person has to decide about: the queue, the signed answers, and the record of every decision."""
