"""What assertions and helpers of tests compare, and how near it has to come (class G05)."""
