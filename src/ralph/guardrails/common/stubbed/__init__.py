"""Product code that no longer does its work, accepts everything, or drops a failure (class G19)."""
