"""The dashboard: what Ralph knows, in a browser, and the decisions that a person makes there.

Rules: pages show what the functions behind the commands give (`data`, one module for each page) and decide nothing.
`guard` says who may speak to the server, `shown` how text of agents is shown. Nothing is written but approvals, through
the same desk as `ralph approvals`.
"""
