"""The rules as data: one module a group."""
