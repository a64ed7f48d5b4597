"""Results that are kept, doctored or forged, and findings that are accepted (G11, G12, G13 and G17)."""
