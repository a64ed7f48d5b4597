"""The assertions of JavaScript tests: which there are, what they demand, whether they are reached (class G05)."""
