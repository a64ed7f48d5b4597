"""Whether an assertion is reached and waited for, how often, and whether anybody hears of its failure."""
