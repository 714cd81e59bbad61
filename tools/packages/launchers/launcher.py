"""Starts the toolkit in the Deno that pip installed with it, with the permissions that its command needs."""

import os
import sys

from .permissions import PERMISSIONS

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    """The program seqreg."""
    args = sys.argv[1:]
    permissions = PERMISSIONS.get(" ".join(args[:2])) or PERMISSIONS.get(args[0] if args else "") or PERMISSIONS[""]
    if args[:1] == ["lab"]:
        # JupyterLab of the same environment, which need not be activated.
        os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")
    return run_deno([*permissions, os.path.join(HERE, "toolkit", "src", "cli", "main.js"), *args])


def run_deno(args):
    """Replaces this process by Deno; Windows cannot do that, and waits for it."""
    command = [find_deno(), "run", "--quiet", "--no-prompt", "--no-lock", *args]
    if os.name != "nt":
        os.execv(command[0], command)
    import signal
    import subprocess

    # Ctrl-C reaches Deno, too, which decides how to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.call(command)


def find_deno():
    """In a virtual environment Deno is next to Python: looking there takes no time. Elsewhere its package finds it."""
    if sys.prefix != sys.base_prefix:
        path = os.path.join(os.path.dirname(sys.executable), "deno.exe" if os.name == "nt" else "deno")
        if os.path.isfile(path):
            return path
    from deno import find_deno_bin

    return os.fsdecode(find_deno_bin())
