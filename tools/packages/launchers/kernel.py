"""The Jupyter kernel Deno (seqreg): `python -m seqreg_toolkit.kernel CONNECTION_FILE`."""

import os
import sys

from seqreg_toolkit.launcher import HERE, run_deno

if __name__ == "__main__":
    main = os.path.join(HERE, "toolkit", "src", "jupyter", "kernel", "main.js")
    sys.exit(run_deno(["--allow-all", main, *sys.argv[1:]]))
