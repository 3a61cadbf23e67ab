"""The two ends of a bridge: what came from one side goes in, what to send to either comes out."""

from __future__ import annotations

from typing import Any

from ._conversion import Loss, Side
from ._converter import Converter
from ._new_agent import NewAgent
from ._old_agent import OldAgent
from ._relay import Out, Problem


class Proxy:
    """A connection between a client of one edition and an agent of another."""

    def __init__(self, converter: Converter, client: str, agent: str, lossy: bool) -> None:
        self.problems: list[Problem] = []
        """Messages that were not passed on, or not whole."""
        self.losses: list[Loss] = []
        """What conversions left out."""
        self._relay: NewAgent | OldAgent | None = None  # between equals everything passes as it is
        if client != agent:
            to_agent, to_client = converter.link(client, agent), converter.link(agent, client)
            is_old = to_agent.target.protocol_version < to_agent.source.protocol_version
            self._relay = (OldAgent if is_old else NewAgent)(
                _edition(to_agent.source),
                _edition(to_agent.target),
                to_agent,
                to_client,
                lossy=lossy,
            )
            self.problems = self._relay.problems
            self.losses = self._relay.losses

    def from_client(self, message: Any) -> Out:
        """What to send for one message of the client, in order, as ("client" or "agent", message) pairs."""
        return (
            [("agent", message)] if self._relay is None else self._relay.handle("client", message)
        )

    def from_agent(self, message: Any) -> Out:
        """What to send for one message of the agent, in order, as ("client" or "agent", message) pairs."""
        return (
            [("client", message)] if self._relay is None else self._relay.handle("agent", message)
        )


def _edition(side: Side) -> Any:
    if not hasattr(side.edition, "SessionState"):
        raise ValueError(f"{side.name} was generated without session folding, which a bridge needs")
    return side.edition
