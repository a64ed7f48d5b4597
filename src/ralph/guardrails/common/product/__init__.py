"""Product code that knows its tests: that it is tested, their inputs, their answers (class G07)."""
