"""Hooks of git and of coding agents, and the commands and variables that pass by them (class G16)."""
