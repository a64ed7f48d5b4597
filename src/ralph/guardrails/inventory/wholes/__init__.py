"""Lists, records and other wholes, their lengths, their order, and what is asked of them or only of their parts."""
