"""Python files that test without any framework: what stands at their top level asserts, and a run of the file is the
test (policy set v2, classes G04 and G05).

`files` says which files are such tests, `failures` reads what fails them as assertions, `calls` puts in what they call,
`statements` builds and unwraps pieces of code, and `top_level` gives the inventory one test for all of it.
"""
