"""What decoding and encoding raise and report; every path is an RFC 6901 JSON Pointer."""

from __future__ import annotations

from typing import NamedTuple


class DecodeError(ValueError):
    """JSON that the schema does not accept."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(path, message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return f"{self.path or '(root)'}: {self.message}"


class EncodeError(TypeError):
    """A Python value that the schema has no JSON for."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(path, message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return f"{self.path or '(root)'}: {self.message}"


class Issue(NamedTuple):
    """Something malformed that the schema tells a reader to pass over."""

    path: str
    message: str


def step(path: str, key: str | int) -> str:
    """The pointer one step below ``path``."""
    if isinstance(key, int):
        return f"{path}/{key}"
    return f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
