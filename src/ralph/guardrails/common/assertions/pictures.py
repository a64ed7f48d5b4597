"""How much a picture may differ from the one that is kept, in the words of the tools that compare them (class G05).

Each option is a share of the picture, a number of its points, or how far apart two colours may be. Some more is for a
person, since browsers draw differently; a share of a tenth that is several times what it was lets anything through.
"""

from __future__ import annotations

MANIFOLD = 3
SHARES = {
    **dict.fromkeys(("maxDiffPixelRatio", "allowedMismatchedPixelRatio", "thresholdRate", "errorThreshold"), 0.0),
    "failureThreshold": 0.0,
    "diffThreshold": 0.063,
}
PERCENTS = {
    **dict.fromkeys(("misMatchThreshold", "misMatchTolerance", "mismatchThreshold"), 0.1),
    "saveAboveTolerance": 0,
}
POINTS = dict.fromkeys(("maxDiffPixels", "allowedMismatchedPixels", "thresholdPixel", "maxDiffPoints"), 0.0)
COLOURS = {"threshold": 0.2, "matchingThreshold": 0.0}
TOLERANCES = {**SHARES, **PERCENTS, **POINTS, **COLOURS}
"""The options, and what holds without them."""
FAR_SHARE, FAR_POINTS, FAR_COLOUR = 0.1, 2_000, 0.5


def raised(option: str, was: float | None, now: float | None) -> bool | None:
    """True if the option lets anything through now, False if only more than before, None if no more."""
    usual = TOLERANCES[option]
    before, after = (usual if each is None else float(each) for each in (was, now))
    if after <= before:
        return None
    scale = 0.01 if option in PERCENTS else 1.0
    in_points = option in POINTS or after * scale > 1
    far = FAR_POINTS if in_points else FAR_COLOUR if option in COLOURS else FAR_SHARE
    enough = after * scale >= far
    return enough and (after >= MANIFOLD * before or (option in COLOURS and before < FAR_COLOUR))
