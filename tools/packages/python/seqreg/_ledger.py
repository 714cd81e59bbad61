"""What was requested and received, whether it is complete, and why not."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


class SeqregError(Exception):
    """A lake cannot be read, or a command failed; then `exit_code` is that of the command."""

    def __init__(self, message: str, exit_code: int | None = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class IncompleteWarning(UserWarning):
    """Something that was requested is absent or could not be read; the text names what."""


@dataclass(frozen=True)
class Entry:
    """One finding. Programs decide by its `code`, since texts may be reworded in any version.

    `level` is "reason" (the result is incomplete) or "warning" (it is complete all the same); `count` is the number of
    records, values, fields or files concerned, and `ids` names the first 100 of them.
    """

    code: str
    level: str
    count: int
    text: str
    ids: Sequence[str] = ()
    field: str | None = None


@dataclass(frozen=True)
class Ledger:
    """Counts of records, and the entries that explain them. `provenance` is what else the ledger's file holds.

    >>> import seqreg
    >>> ledger = seqreg.run(["search", "country:Kenya", "--limit", "3"]).ledger
    >>> ledger.received, ledger.complete, ledger.reasons, ledger.provenance["operation"]
    (3, True, [], 'search')
    """

    received: int
    unique: int
    asked: int | None = None
    promised: int | None = None
    missing: Sequence[str] = ()
    unasked: Sequence[str] = ()
    unparsed: int = 0
    truncated: bool = False
    entries: Sequence[Entry] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether everything requested is present."""
        return not self.reasons

    @property
    def reasons(self) -> list[str]:
        """Why it is incomplete, in words."""
        return [entry.text for entry in self.entries if entry.level == "reason"]

    @property
    def warnings(self) -> list[str]:
        """What is unusual, in words, although nothing is missing."""
        return [entry.text for entry in self.entries if entry.level == "warning"]


def read_ledger(saved: Mapping[str, Any]) -> Ledger:
    """Reads what `--ledger FILE` wrote."""
    counts = ("received", "unique", "asked", "promised", "missing", "unasked", "unparsed", "truncated")
    rest = {name: value for name, value in saved.items() if name not in counts and name != "entries"}
    return Ledger(**{name: saved[name] for name in counts}, entries=read_entries(saved), provenance=rest)


def read_entries(saved: Mapping[str, Any]) -> list[Entry]:
    """Reads entries; a manifest of an older toolkit has warnings alone, without codes."""
    if "entries" in saved:
        return [Entry(**entry) for entry in saved["entries"]]
    return [Entry("without-code", "warning", 1, text) for text in saved.get("warnings", [])]


def warn_incomplete(what: str, ledger: Ledger) -> None:
    """Warns at the line that called `seqreg`, unless everything is present."""
    if not ledger.complete:
        warnings.warn(f"{what} is incomplete: {'; '.join(ledger.reasons)}", IncompleteWarning, stacklevel=3)
