"""A proxy between a client of one protocol version and an agent of another.

    python proxy.py --client v2 --agent v1 -- COMMAND [ARGUMENT ...]

A client starts this program in place of the agent and speaks its own version on stdin and stdout. COMMAND is the real
agent; its stderr is passed on. All that happens to a message in between is the work of ``acp_schema.bridge.Bridge``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "generated"))

from acp_schema.bridge import Bridge  # noqa: E402

GRACE = 5.0  # seconds that an agent has to end by itself once it gets no more input
EXIT_CODES = "exit codes: 0 one side closed and the agent ended well, 1 the agent failed, 2 wrong usage"

Convert = Callable[[Any], list[tuple[str, Any]]]


class Proxy:
    """Two readers, which take turns at the bridge, and two writers.

    Each writer has a queue of its own: a side that is slow to read must not keep the other from being heard, or two
    full pipes would wait for each other forever.
    """

    def __init__(self, bridge: Bridge, agent: subprocess.Popen[bytes]) -> None:
        assert agent.stdin is not None and agent.stdout is not None
        self._agent = agent
        self._bridge = bridge
        self._bridge_is_free = threading.Lock()
        self._over = threading.Event()
        self._queues: dict[str, SimpleQueue[bytes | None]] = {"client": SimpleQueue(), "agent": SimpleQueue()}
        # Files of our own: the interpreter cannot end while a thread waits inside sys.stdin.
        client_in, client_out = open(0, "rb", closefd=False), open(1, "wb", closefd=False)
        self._client_reader = self._started(self._read, "client", client_in, bridge.from_client)
        self._agent_reader = self._started(self._read, "agent", agent.stdout, bridge.from_agent)
        self._client_writer = self._started(self._write, "client", client_out)
        self._agent_writer = self._started(self._write, "agent", agent.stdin)

    def run(self) -> int:
        """Work until one side closes, deliver what is still under way, and give the exit code."""
        self._over.wait()
        self._queues["agent"].put(None)
        try:
            status = self._agent.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._agent.kill()
            status = self._agent.wait()
            report(f"the agent was stopped: it was still running {GRACE:g} s after its input had ended")
        else:
            if status != 0:
                report(f"the agent ended with status {status}")
        self._agent_reader.join(GRACE)
        self._queues["client"].put(None)
        self._client_writer.join(GRACE)
        return 0 if status == 0 else 1

    def _read(self, side: str, source: BinaryIO, convert: Convert) -> None:
        try:
            for line in source:
                if line.strip():
                    self._pass_on(side, line, convert)
        finally:
            self._over.set()

    def _pass_on(self, side: str, line: bytes, convert: Convert) -> None:
        try:
            message = json.loads(line)
            with self._bridge_is_free:
                for destination, converted in convert(message):
                    self._queues[destination].put(json.dumps(converted, separators=(",", ":")).encode() + b"\n")
                self._tell_faults()
        except (ValueError, RecursionError) as error:
            report(f"a line from the {side} was skipped: {error}")

    def _tell_faults(self) -> None:
        for problem in self._bridge.problems:
            report(f"not passed on, from the {problem.sender}: {problem.code} at {problem.path}: {problem.message}")
        for loss in self._bridge.losses:
            report(f"left out: {loss.code} at {loss.path}: {loss.what}")
        self._bridge.problems.clear()
        self._bridge.losses.clear()

    def _write(self, side: str, target: BinaryIO) -> None:
        try:
            with target:
                while (line := self._queues[side].get()) is not None:
                    target.write(line)
                    target.flush()
        except OSError:  # nobody reads any more
            self._over.set()

    @staticmethod
    def _started(work: Callable[..., None], *args: object) -> threading.Thread:
        thread = threading.Thread(target=work, args=args, daemon=True)
        thread.start()
        return thread


def report(text: str) -> None:
    print(f"proxy: {text}", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Lets a client of one protocol version talk to an agent of another.", epilog=EXIT_CODES
    )
    editions = ["v1", "v2", "v2_2026_06"]
    parser.add_argument("--client", required=True, choices=editions, help="what the client speaks, on stdin and stdout")
    parser.add_argument("--agent", required=True, choices=editions, help="what the agent speaks")
    parser.add_argument(
        "--lossy", action="store_true", help="leave out what the other version cannot say, and tell it on stderr"
    )
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="starts the agent; write -- before it")
    options = parser.parse_args()
    try:
        bridge = Bridge(client=options.client, agent=options.agent, lossy=options.lossy)
    except ValueError as error:
        parser.error(str(error))
    try:
        agent = subprocess.Popen(options.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        report(f"the agent does not start: {error}")
        return 1
    return Proxy(bridge, agent).run()


if __name__ == "__main__":
    sys.exit(main())
