"""Prints 100,000 lines in a cell of IPython's kernel; writes time, growth of memory and text as JSON."""

import json
import sys
import time

from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(kernel_name="python3")


def run(code):
    texts = []
    client.execute_interactive(
        code,
        timeout=120,
        output_hook=lambda message: texts.append(message["content"]["text"]) if message["msg_type"] == "stream" else None,
    )
    return "".join(texts)


def megabytes():
    pages = run("print(open('/proc/self/statm').read().split()[1])")
    return int(pages) * 4096 / 1e6


before = megabytes()
started = time.perf_counter()
text = run("for i in range(100_000): print('line', i)")
ms = 1000 * (time.perf_counter() - started)
json.dump({"ms": ms, "megabytes": megabytes() - before, "text": text}, sys.stdout)
client.stop_channels()
manager.shutdown_kernel(now=True)
