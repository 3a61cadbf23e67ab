"""Explain a name of the protocol: what it is in the schema, in Python, on the wire and in a session."""
