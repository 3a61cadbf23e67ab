"""The one exception that a user of the generator can cause."""

from __future__ import annotations


def printable(text: str) -> str:
    """Text from outside on one line: what a terminal or a source file would act on is shown as an escape."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


class CodegenError(Exception):
    """A mistake in the input: what is wrong, where it is, and what to do about it."""

    def __init__(self, message: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = printable(message)
        self.where = printable(where)
        self.hint = printable(hint)

    def in_file(self, file: str) -> CodegenError:
        """The same mistake with the file's name in front of its JSON Pointer."""
        return CodegenError(self.message, where=f"{file}#{self.where}", hint=self.hint)

    def __str__(self) -> str:
        lines = [self.message]
        if self.where:
            lines.append(f"  at {self.where}")
        if self.hint:
            lines.append(f"  fix: {self.hint}")
        return "\n".join(lines)
