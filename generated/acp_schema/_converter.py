"""The entry points of conversion, over the generated table of directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ._conversion import Link, Loss, convert_message
from ._plans import Converted


class Converter:
    """Converts one message at a time, without memory."""

    def __init__(self, links: Mapping[tuple[str, str], Callable[[], Link]]) -> None:
        self._makers = links
        self._links: dict[tuple[str, str], Link] = {}

    def convert(
        self,
        data: object,
        type: Any,
        *,
        source: str,
        target: str,
        lossy: bool = False,
        losses: list[Loss] | None = None,
    ) -> list[Any]:
        """JSON of the source edition as messages of the target edition: one, several, or none.

        ``type`` is a definition's name or class of the source edition. Raises ``DecodeError`` where ``data`` is none of
        it, and ``ConversionError`` for what the target cannot say. Whatever is left out instead, because of ``lossy`` or
        because the source's own schema tells readers to pass over it, is appended to ``losses``.
        """
        outputs = self.converted(
            data, type, source=source, target=target, lossy=lossy, losses=losses
        )
        return [output.data for output in outputs]

    def convert_value(
        self,
        value: object,
        type: Any = None,
        *,
        source: str,
        target: str,
        lossy: bool = False,
        losses: list[Loss] | None = None,
    ) -> list[Any]:
        """``convert`` for decoded objects; ``type`` as for ``encode``."""
        link = self.link(source, target)
        codec = link.source.codec
        name = codec.entry_of_value(value).name if type is None else type
        outputs = convert_message(link, name, codec.encode(value, type), lossy=lossy, losses=losses)
        return [link.target.codec.decode(output.type, output.data) for output in outputs]

    def converted(
        self,
        data: object,
        type: Any,
        *,
        source: str,
        target: str,
        lossy: bool = False,
        losses: list[Loss] | None = None,
    ) -> list[Converted]:
        """As ``convert``, with the target's definition of each output: it may depend on the data."""
        return convert_message(self.link(source, target), type, data, lossy=lossy, losses=losses)

    def target_method(
        self, method: str, handler: str, kind: str, *, source: str, target: str
    ) -> str | None:
        """The target's method for one of the source; None where there is none.

        ``handler`` is the side that handles it ("agent" or "client"), ``kind`` is "request" or "notification". Where the
        params decide, as for resuming a session, this is the method of params that say nothing special; ``converted``
        params and ``method_of`` tell exactly.
        """
        return self.link(source, target).target_method(method, handler, kind)

    def method_of(self, params: str, handler: str, kind: str, *, edition: str) -> str | None:
        """An edition's method whose params are of this definition."""
        pair = next((pair for pair in self._makers if edition == pair[0]), None)
        if pair is None:
            raise ValueError(f"{edition!r} takes part in no conversion")
        return self.link(*pair).source.method(params, handler, kind)

    def link(self, source: str, target: str) -> Link:
        """One direction; its editions are imported when it is first asked for."""
        pair = (source, target)
        if pair not in self._links:
            if pair not in self._makers:
                known = ", ".join(f"{one} to {other}" for one, other in self._makers)
                raise ValueError(
                    f"there is no conversion from {source!r} to {target!r}, only {known}"
                )
            self._links[pair] = self._makers[pair]()
        return self._links[pair]
