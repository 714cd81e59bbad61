"""Results of the commands of seqreg, each with its ledger."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from ._frames import Frames
from ._ledger import Ledger, SeqregError, read_ledger, warn_incomplete


class Result(Frames):
    """What a command printed (`text`, and `messages` for people), its `exit_code`, and its `ledger` if it has one.

    The exit code is 0, 3 (nothing matched), 4 (incomplete) or 5 (something differs). A result is a table if the command
    writes Parquet, as `search` and `sql` do, with the types of the definitions; its file is removed when Python ends.
    """

    def __init__(self, name: str, folder: str, done: subprocess.CompletedProcess[str]) -> None:
        table, ledger = os.path.join(folder, "table.parquet"), os.path.join(folder, "ledger.json")
        super().__init__(name, [(table, os.path.getsize(table))] if os.path.exists(table) else [])
        self.exit_code, self.text, self.messages = done.returncode, done.stdout, done.stderr.strip()
        self.ledger: Ledger | None = None
        if os.path.exists(ledger):
            with open(ledger, encoding="utf-8") as stream:
                self.ledger = read_ledger(json.load(stream))

    @property
    def files(self) -> list[str]:
        """The Parquet file."""
        if not self._sizes:
            raise SeqregError(f"{self.name} gave no table (exit code {self.exit_code}): read its text and messages")
        return super().files


def run(args: Sequence[str], *, cwd: str | os.PathLike[str] | None = None, timeout: float | None = None) -> Result:
    """Runs a command of seqreg and returns its result; `timeout` is in seconds.

    Raises SeqregError if it fails; warns (IncompleteWarning) if something requested is absent, and names why.

    >>> import seqreg
    >>> hits = seqreg.run(["search", "country:Kenya", "--limit", "3"])
    >>> hits.polars().height, hits.ledger.received
    (3, 3)
    >>> seqreg.run(["search", "--count"]).text
    '5000\\n'
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     genomes = seqreg.run(["sequence", "vj000000000001", "vj999999999999"])
    >>> print(caught[0].message)
    seqreg sequence is incomplete: 1 of 2 asked for is missing: vj999999999999
    """
    from seqreg_toolkit.permissions import PERMISSIONS  # type: ignore[import-not-found,unused-ignore]

    words = tuple(args[: 2 if " ".join(args[:2]) in PERMISSIONS else 1])
    name = " ".join(["seqreg", *words])
    folder = tempfile.mkdtemp(dir=_folder().name)
    options, known = [], _call([*words, "--help"]).stdout
    if "--ledger FILE" in known and not _has(args, "--ledger"):
        options += ["--ledger", os.path.join(folder, "ledger.json")]
    if "|parquet" in known and not _has(args, "-o", "--output", "--format", "--count", "--explain"):
        options += ["--format", "parquet", "--output", os.path.join(folder, "table.parquet")]
    result = Result(name, folder, _call([*words, *options, *args[len(words) :]], cwd, timeout))
    if result.exit_code not in (0, 3, 4, 5):
        raise SeqregError(result.messages or f"{name} ended with exit code {result.exit_code}", result.exit_code)
    if result.ledger is not None:
        warn_incomplete(name, result.ledger)
    return result


def _call(
    args: Sequence[str], cwd: str | os.PathLike[str] | None = None, timeout: float | None = None
) -> subprocess.CompletedProcess[str]:
    command, out = [sys.executable, "-m", "seqreg_toolkit", *args], subprocess.PIPE
    return subprocess.run(
        command, cwd=cwd, timeout=timeout, check=False, stdout=out, stderr=out, encoding="utf-8", errors="replace"
    )


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="seqreg-", ignore_cleanup_errors=True)


def _has(args: Sequence[str], *names: str) -> bool:
    return any(arg.split("=")[0] in names for arg in args)
