"""Cost of folding one update as the session grows, beside the official SDK's accumulator on the equivalent v1 stream."""

from __future__ import annotations

import gc
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "generated"))

from acp_schema import v2  # noqa: E402

SIZES = (1_000, 5_000, 20_000)
SDK_SIZES = (250, 1_000)
SAMPLE = 200  # updates that are timed once the session has its size
ROUNDS = 5


def v2_updates(count: int) -> list[Any]:
    """A stream like an agent's: mostly chunks of growing messages, some tool calls."""
    return [v2.decode(v2.SessionUpdate, _wire(number, {"messageId": f"m{number // 50}"})) for number in range(count)]


def _wire(number: int, message: dict[str, Any]) -> dict[str, Any]:
    if number % 6 == 5:
        return {"sessionUpdate": "tool_call_update", "toolCallId": f"t{number // 60}", "status": "in_progress"}
    return {"sessionUpdate": "agent_message_chunk", **message, "content": {"type": "text", "text": "word "}}


def cost_at(size: int, stream: list[Any], start: Callable[[], Callable[[Any], Any]]) -> float:
    """Seconds an update takes when ``size`` updates went before; fastest of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        fold = start()
        for update in stream[:size]:
            fold(update)
        gc.collect()
        started = time.perf_counter()
        for update in stream[size : size + SAMPLE]:
            fold(update)
        best = min(best, (time.perf_counter() - started) / SAMPLE)
    return best


def our_fold() -> Callable[[Any], Any]:
    state = v2.SessionState()
    return lambda update: v2.apply_update(state, update)


def sdk_costs() -> dict[int, float] | None:
    """The official SDK on the same stream in v1; None where it is not installed."""
    try:
        from acp.contrib.session_state import SessionAccumulator
        from acp.schema import SessionNotification
    except ImportError:
        return None
    stream: list[Any] = [
        SessionNotification.model_validate(
            {"sessionId": "s", "update": {"sessionUpdate": "tool_call", "toolCallId": "t0", "title": "x"}}
        )
    ]
    for number in range(max(SDK_SIZES) + 60):
        wire = _wire(number, {})
        if wire["sessionUpdate"] == "tool_call_update":
            wire["toolCallId"] = "t0"  # v1 must hear of a tool call before it is updated
        stream.append(SessionNotification.model_validate({"sessionId": "s", "update": wire}))
    costs: dict[int, float] = {}
    for size in SDK_SIZES:
        accumulator = SessionAccumulator()
        for notification in stream[:size]:
            accumulator.apply(notification)
        started = time.perf_counter()
        for notification in stream[size : size + 20]:
            accumulator.apply(notification)
        costs[size] = (time.perf_counter() - started) / 20
    return costs


def main() -> None:
    print(
        f"{platform.python_implementation()} {platform.python_version()} on {platform.machine()}: microseconds an update"
    )
    stream = v2_updates(max(SIZES) + SAMPLE)
    costs = {size: cost_at(size, stream, our_fold) for size in SIZES}
    for size, seconds in costs.items():
        print(f"apply_update after {size:>6} updates: {seconds * 1e6:9.2f}")
    print(f"growth {SIZES[-1]} / {SIZES[0]}: {costs[SIZES[-1]] / costs[SIZES[0]]:.2f}  (goal: at most 1.3)")
    sdk = sdk_costs()
    if sdk is None:
        print("the official SDK is not installed: `make bench` installs it")
        return
    for size, seconds in sdk.items():
        print(f"official SDK, SessionAccumulator after {size:>6}: {seconds * 1e6:9.2f}")


if __name__ == "__main__":
    main()
