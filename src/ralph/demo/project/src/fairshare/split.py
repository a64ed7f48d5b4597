"""Equal shares of an amount that cannot always be divided."""


def split(total_cents: int, people: int) -> list[int]:
    """Shares of `total_cents` for each of `people`; they add up to the total."""
    if people < 1:
        raise ValueError("a bill needs at least one person")
    share = total_cents // people
    return [share] * people
