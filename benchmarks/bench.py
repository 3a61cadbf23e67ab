"""Cost of decoding, encoding and importing, as ratios to the json module in one interleaved run.

Every round times each contender on each set once, so that a slow moment of the machine hits all of them; the table shows the
ratio of the fastest rounds and, behind it, how far the median round is from the fastest.
"""

from __future__ import annotations

import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

GENERATED = Path(__file__).resolve().parent.parent / "generated"
sys.path.insert(0, str(GENERATED))

from acp_schema import v2  # noqa: E402

ROUNDS = 30
BATCH_SECONDS = 0.004


def update(body: dict[str, Any]) -> bytes:
    return json.dumps({"sessionId": "sess_1", "update": body}, separators=(",", ":")).encode()


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def entry(number: int) -> dict[str, Any]:
    return {"content": f"Step {number} of the plan", "priority": "medium", "status": "pending"}


TOOL_CONTENT = [
    {"type": "content", "content": text("def main() -> None:\n    print('hello')\n" * 5)},
    {"type": "terminal", "terminalId": "term_1"},
]
SETS: dict[str, bytes] = {
    "short chunk": update({"sessionUpdate": "agent_message_chunk", "messageId": "msg_1", "content": text("and then ")}),
    "tool patch": update({"sessionUpdate": "tool_call_update", "toolCallId": "call_1", "status": "in_progress"}),
    "tool content": update(
        {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "call_1",
            "title": "Read main.py",
            "status": "completed",
            "content": TOOL_CONTENT,
            "locations": [{"path": "/home/user/main.py", "line": 12}, {"path": "/home/user/util.py"}],
        }
    ),
    "plan of 10": update(
        {
            "sessionUpdate": "plan_update",
            "plan": {"type": "items", "planId": "plan_1", "entries": [entry(number) for number in range(10)]},
        }
    ),
    "unknown update": update({"sessionUpdate": "_vendor/progress", "percent": 40, "label": "indexing"}),
}


def measure(contenders: dict[str, Callable[[], object]]) -> dict[str, tuple[float, float]]:
    """Fastest and median seconds a call, from rounds in which every contender takes its turn."""
    batches = {name: _batch(call) for name, call in contenders.items()}
    rounds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, call in contenders.items():
            started = time.perf_counter()
            for _ in range(batches[name]):
                call()
            rounds[name].append((time.perf_counter() - started) / batches[name])
    return {name: (min(times), statistics.median(times)) for name, times in rounds.items()}


def _batch(call: Callable[[], object]) -> int:
    """How many calls fill a batch."""
    calls = 1
    while True:
        started = time.perf_counter()
        for _ in range(calls):
            call()
        if time.perf_counter() - started > BATCH_SECONDS:
            return calls
        calls *= 2


def import_seconds(statement: str) -> float:
    """What a statement adds to a fresh interpreter, fastest of several."""
    program = f"import time; s = time.perf_counter(); {statement}; print(time.perf_counter() - s)"
    runs = [
        float(subprocess.run([sys.executable, "-c", program], cwd=GENERATED, capture_output=True, check=True).stdout)
        for _ in range(10)
    ]
    return min(runs)


def show(title: str, name: str, fast: float, typical: float, unit: float) -> None:
    print(f"{title:<16}{name:<22}{fast / unit:>7.2f}  (median {typical / unit:.2f})")


def main() -> None:
    print(
        f"{platform.python_implementation()} {platform.python_version()} on {platform.machine()}, ratios: lower is better"
    )
    kind = v2.UpdateSessionNotification
    for title, wire in SETS.items():
        data = json.loads(wire)
        value = v2.loads(kind, wire)
        assert json.loads(v2.dumps(value)) == data, title
        results = measure(
            {
                "json.loads": lambda wire=wire: json.loads(wire),
                "loads": lambda wire=wire: v2.loads(kind, wire),
                "decode": lambda data=data: v2.decode(kind, data),
                "json.dumps": lambda data=data: json.dumps(data),
                "dumps": lambda value=value: v2.dumps(value),
            }
        )
        floor = results["json.loads"][0]
        show(title, "loads / json.loads", *results["loads"], floor)
        show(title, "decode / json.loads", *results["decode"], floor)
        show(title, "dumps / json.dumps", *results["dumps"], results["json.dumps"][0])
    print(f"{'import':<16}{'acp_schema.v2':<22}{import_seconds('import acp_schema.v2') * 1000:>7.1f} ms")


if __name__ == "__main__":
    main()
