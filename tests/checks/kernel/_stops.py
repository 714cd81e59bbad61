"""Presses Stop at random moments, as an independent client; writes what was lost or came twice, one line a trial."""

import random
import sys
import time
from collections import Counter
from queue import Empty

from jupyter_client import BlockingKernelClient

connection_file, trials, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
CELLS = [
    "for (;;) await new Promise((resolve) => setTimeout(resolve, 50))",
    "for (;;) { const end = Date.now() + 120; while (Date.now() < end); await new Promise((go) => setTimeout(go, 10)) }",
    "await new Promise(() => {})",
]
LIMIT = 30
# How long the client still listens when every answer has come: a second one comes soon after the first.
QUIET = 1

client = BlockingKernelClient(connection_file=connection_file)
client.load_connection_file()
client.start_channels()
client.wait_for_ready(timeout=60)
chance = random.Random(seed)
# How often each answer to each request came.
came = Counter()


def listen(channel, until, deadline):
    while not until() and time.monotonic() < deadline:
        try:
            message = channel.get_msg(timeout=max(0.01, min(1, deadline - time.monotonic())))
        except Empty:
            continue
        request = message["parent_header"].get("msg_id")
        if message["msg_type"].endswith("_reply"):
            came[request, "reply"] += 1
        elif message["content"].get("execution_state") == "idle":
            came[request, "idle"] += 1


def wait_for(channel, request, answer, deadline):
    listen(channel, lambda: came[request, answer] > 0, deadline)


sent = []
for trial in range(trials):
    cell = trial % len(CELLS)
    asked = client.execute(CELLS[cell])
    delay = chance.uniform(0, 0.6)
    time.sleep(delay)
    message = client.session.msg("interrupt_request", {})
    client.control_channel.send(message)
    stop = message["header"]["msg_id"]
    label = f"trial {trial}, cell {cell}, Stop after {1000 * delay:.0f} ms"
    sent += [(label, "cell", asked), (label, "Stop", stop)]
    deadline = time.monotonic() + LIMIT
    wait_for(client.shell_channel, asked, "reply", deadline)
    wait_for(client.control_channel, stop, "reply", deadline)
    for request in (asked, stop):
        wait_for(client.iopub_channel, request, "idle", deadline)
    if not came[asked, "reply"]:
        client.control_channel.send(client.session.msg("interrupt_request", {}))
        time.sleep(2)
for channel in (client.shell_channel, client.control_channel, client.iopub_channel):
    listen(channel, lambda: False, time.monotonic() + QUIET)
client.stop_channels()
for label, request, id in sent:
    for answer in ("reply", "idle"):
        if came[id, answer] != 1:
            print(f"{label}: {came[id, answer]} times {answer} of the {request}", flush=True)
print(f"{trials} trials", flush=True)
