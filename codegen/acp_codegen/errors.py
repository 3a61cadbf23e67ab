"""The one exception that a user of the generator can cause."""

from __future__ import annotations

from dataclasses import dataclass


def printable(text: str) -> str:
    """Text from outside on one line: what a terminal or a source file would act on is shown as an escape."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


@dataclass(frozen=True)
class Fault:
    """The one annotation to blame for a mistake, so that ``decisions`` can put a safe one in its place."""

    where: str  # pointer to the schema that carries it, or should
    keyword: str
    is_superfluous: bool = False  # nothing reads it there, whatever it says


class CodegenError(Exception):
    """A mistake in the input: what is wrong, where it is, and what to do about it."""

    def __init__(self, message: str, *, where: str = "", hint: str = "", fault: Fault | None = None) -> None:
        super().__init__(message)
        self.fault = fault
        self.message = printable(message)
        self.where = printable(where)
        self.hint = printable(hint)

    def in_file(self, file: str) -> CodegenError:
        """The same mistake with the file's name in front of its JSON Pointer."""
        return CodegenError(self.message, where=f"{file}#{self.where}", hint=self.hint, fault=self.fault)

    def __str__(self) -> str:
        lines = [self.message]
        if self.where:
            lines.append(f"  at {self.where}")
        if self.hint:
            lines.append(f"  fix: {self.hint}")
        return "\n".join(lines)
