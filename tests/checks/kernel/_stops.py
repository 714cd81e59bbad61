"""Presses Stop at random moments, as an independent client; writes what was lost, one line a trial."""

import random
import sys
import time
from queue import Empty

from jupyter_client import BlockingKernelClient

connection_file, trials, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
CELLS = [
    "for (;;) await new Promise((resolve) => setTimeout(resolve, 50))",
    "for (;;) { const end = Date.now() + 120; while (Date.now() < end); await new Promise((go) => setTimeout(go, 10)) }",
    "await new Promise(() => {})",
]
LIMIT = 30

client = BlockingKernelClient(connection_file=connection_file)
client.load_connection_file()
client.start_channels()
client.wait_for_ready(timeout=60)
chance = random.Random(seed)


def wait_for(get, is_it, deadline):
    while time.monotonic() < deadline:
        try:
            if is_it(get(timeout=max(0.01, deadline - time.monotonic()))):
                return True
        except Empty:
            pass
    return False


for trial in range(trials):
    cell = trial % len(CELLS)
    asked = client.execute(CELLS[cell])
    delay = chance.uniform(0, 0.6)
    time.sleep(delay)
    stop = client.session.msg("interrupt_request", {})
    client.control_channel.send(stop)
    deadline = time.monotonic() + LIMIT
    answers = lambda request: lambda message: message["parent_header"].get("msg_id") == request
    idle = lambda message: answers(asked)(message) and message["content"].get("execution_state") == "idle"
    lost = [
        name
        for name, came in (
            ("execute_reply", wait_for(client.get_shell_msg, answers(asked), deadline)),
            ("idle", wait_for(client.get_iopub_msg, idle, deadline)),
            ("interrupt_reply", wait_for(client.get_control_msg, answers(stop["header"]["msg_id"]), deadline)),
        )
        if not came
    ]
    if lost:
        print(f"trial {trial}, cell {cell}, Stop after {1000 * delay:.0f} ms: lost {', '.join(lost)}", flush=True)
        client.control_channel.send(client.session.msg("interrupt_request", {}))
        time.sleep(2)
client.stop_channels()
print(f"{trials} trials", flush=True)
