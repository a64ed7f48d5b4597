"""What became of a check that is gone, and what excuses that it is: who does its work now (G09, G16)."""
