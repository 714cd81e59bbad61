"""Lakes: tables of archives in Parquet, as `seqreg lake ARCHIVES -o LAKE` writes them."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ._frames import Frames
from ._ledger import Entry, Ledger, SeqregError, read_entries, warn_incomplete

AGAIN = "build the lake again: seqreg lake ARCHIVE -o LAKE"


class Table(Frames):
    """One table of a lake. `manifest` is the lake's description of it.

    Words for a missing value, such as `not collected`, and values that do not fit their type are null in columns of
    numbers, booleans and lists; `raw` holds them as they came: row (from 1), field, value, and whether it fits. `raw`
    is `None` if no text had to be kept. A date column is text, since `2013-12` names a month; a lake that was built
    with dates as columns has the earliest day, the latest day and the precision after it.

    >>> import seqreg
    >>> table = seqreg.lake("lake")["full_dataset_metadata"]
    >>> table.columns["Host Age"], table.manifest["misfits"]["Host Age"] > 0
    ('Int64', True)
    >>> table.raw.polars().columns
    ['row', 'field', 'value', 'fits']
    """

    def __init__(self, folder: str, about: str, manifest: Mapping[str, Any]) -> None:
        files, raw = [
            [(os.path.join(place, file["name"]), file["bytes"]) for file in manifest[key]]
            for key, place in (("files", folder), ("raw", about))
        ]
        super().__init__(manifest["table"], files)
        self.manifest = manifest
        self.rows: int = manifest["rows"]
        self.columns: dict[str, str] = {column["name"]: column["dtype"] for column in manifest["columns"]}
        self.raw = Frames(self.name, raw) if raw else None
        self._all = Frames(self.name, files + raw)
        self._checks = [file.get("checks") for key in ("files", "raw") for file in manifest[key]]

    @property
    def ledger(self) -> Ledger:
        """Rows received, whether all could be read, and what is unusual about values."""
        reasons_first = sorted(self._entries(), key=lambda entry: entry.level)
        provenance = {key: self.manifest[key] for key in ("source", "toolkit", "built")}
        unique, unparsed = self.manifest["unique"], self.manifest["unparsed"]
        return Ledger(self.rows, unique, unparsed=unparsed, entries=reasons_first, provenance=provenance)

    def _entries(self) -> Iterator[Entry]:
        saved = read_entries(self.manifest)
        yield from saved
        types = {column["name"]: column["type"] for column in self.manifest["columns"]}
        for field, count in self.manifest["misfits"].items():
            kind, do = types.get(field, "string"), "value does" if count == 1 else "values do"
            fate = "kept as text" if kind == "date" else "empty in the frame, raw in the problems"
            text = f"{count} {do} not fit {field}, declared {kind}: {fate}"
            yield Entry("values-invalid", "warning", count, text, field=field)
        if None in self._checks:
            text = f"{self.name} carries no checksums: an older toolkit built it; build the lake again"
            yield Entry("checksums-absent", "warning", 1, text)
        for field, words in self.manifest.get("missingValues", {}).items():
            total, are = sum(words.values()), "is" if sum(words.values()) == 1 else "are"
            named = [(f'"{word}"' if word else "blank") + f" {count}" for word, count in words.items()]
            listed = ", ".join(named[:20]) + (f" and {len(named) - 20} more" if len(named) > 20 else "")
            fate = "kept as text" if types.get(field) == "date" else "null in the frame, as it came in the raw frame"
            text = f"{_count(total, 'value')} of {field} {are} missing ({listed}): {fate}"
            yield Entry("values-missing", "warning", total, text, field=field)
        again, unparsed = self.rows - self.manifest["unique"], self.manifest["unparsed"]
        if again > 0 and all(entry.code != "duplicates" for entry in saved):
            yield Entry("duplicates", "warning", again, f"{_count(again, 'record')} came more than once")
        if unparsed > 0:
            yield Entry("unreadable", "reason", unparsed, _describe_unread(unparsed, self.manifest["problems"]))

    def verify(self) -> None:
        """Compares every byte with the checksums in the manifest. Raises SeqregError if one differs or is absent."""
        for path, checks in zip(self._all.files, self._checks):
            if not checks:
                raise SeqregError(f"Cannot verify {path}: an older toolkit wrote it without a checksum; {AGAIN}")
            digest = hashlib.sha256()
            with open(path, "rb") as stream:
                while chunk := stream.read(1 << 20):
                    digest.update(chunk)
            if digest.hexdigest() != checks["sha256"]:
                raise SeqregError(f"Cannot read {path}: it is damaged, its SHA-256 is not the manifest's; {AGAIN}")


class Lake(dict[str, Table]):
    """The tables of a lake, by name. `seqreg.lake` opens one."""

    @property
    def main(self) -> Table:
        """All metadata, else the first table of metadata, else the first table."""
        metadata = [table for table in self.values() if table.manifest["kind"] == "metadata"]
        return self.get("full_dataset_metadata") or [*metadata, *self.values()][0]

    @property
    def ledger(self) -> Ledger:
        """The ledgers of all tables in one; each text begins with the name of its table."""
        ledgers = {name: table.ledger for name, table in self.items()}
        pairs = [(name, entry) for name, ledger in ledgers.items() for entry in ledger.entries]
        named = [replace(entry, text=f"{name}: {entry.text}") for name, entry in pairs]
        received, unique, unparsed = (
            sum(getattr(ledger, count) for ledger in ledgers.values()) for count in ("received", "unique", "unparsed")
        )
        return Ledger(received, unique, unparsed=unparsed, entries=sorted(named, key=lambda entry: entry.level))

    def cite(self) -> str:
        """A sentence for a methods section, which ends in a digest of the archives that the lake was made of.

        `sha256sum ARCHIVE… | LC_ALL=C sort -k 2 | sha256sum` prints that digest in the folder of the archives.

        >>> import seqreg
        >>> seqreg.lake("lake").cite()[:46]
        'Lake of archives of a sequence registry, built'
        """
        manifests = [table.manifest for table in self.values()]
        sources = sorted({(m["source"]["archive"].encode(), m["source"]["sha256"]) for m in manifests})
        lines = b"".join(digest.encode() + b"  " + archive + b"\n" for archive, digest in sources)
        names = ["".join(c if c.isprintable() else "�" for c in archive.decode()) for archive, _ in sources]
        listed = ", ".join(f"{name} (hash://sha256/{digest})" for name, (_, digest) in zip(names, sources))
        day, toolkits = max(m["built"] for m in manifests)[:10], ", ".join(sorted({m["toolkit"] for m in manifests}))
        rows = f"{_count(sum(m['rows'] for m in manifests), 'row')} of {_count(len(sources), 'archive')}"
        return (
            f"Lake of archives of a sequence registry, built on {day} with {toolkits}: {rows}: {listed}. The archives' "
            f"checksum lines, sorted by name: hash://sha256/{hashlib.sha256(lines).hexdigest()}"
        )


def lake(folder: str | os.PathLike[str], *, verify: bool = False) -> Lake:
    """Opens a lake. With `verify` every byte is compared with its checksum; sizes and manifests always are.

    Raises SeqregError if it is damaged or no lake; warns (IncompleteWarning) if rows of an archive were unreadable.

    >>> import seqreg
    >>> seqreg.lake("lake", verify=True)["full_dataset_sequence"].columns["length"]
    'Int64'
    """
    path = os.fspath(folder)
    if re.match(r"s3[an]?:", path, re.IGNORECASE):
        advice = f"copy it into one: aws s3 sync {path} FOLDER"
        raise SeqregError(f"Cannot open the lake {path}: expected a folder; {advice}")
    copies = _read_copies(path)
    names = sorted({*_folders(path), *_folders(os.path.join(path, "_lake")), *copies} - {"_lake"})
    found = ((name, _find_table(path, name) or copies.get(name)) for name in names)
    opened = Lake({name: table for name, table in found if table is not None})
    if not opened:
        raise SeqregError(f"Cannot open the lake {path}: no table is in it; build it: seqreg lake ARCHIVE -o LAKE")
    for table in opened.values():
        _ = table._all.files  # compares their sizes
        if verify:
            table.verify()
    warn_incomplete(f"The lake {path}", opened.ledger)
    return opened


def _find_table(lake: str, name: str) -> Table | None:
    """The newest build whose files are there. In lakes of form 2, the table's folder holds its manifest too."""
    folder, builds = os.path.join(lake, name), os.path.join(lake, "_lake", name)
    abouts = [*(os.path.join(builds, build) for build in sorted(_folders(builds), reverse=True)), folder]
    found = [Table(folder, about, manifest) for about in abouts if (manifest := _read_manifest(about)) is not None]
    whole = (table for table in found if all(os.path.exists(path) for path, _ in table._all._sizes))
    return next(whole, found[0] if found else None)


def _read_copies(lake: str) -> dict[str, Table]:
    """Tables of a lake that was copied out of an object store, where `lake.json` lists them, by name."""
    path = os.path.join(lake, "lake.json")
    if not os.path.exists(path):
        return {}
    try:
        value, summed = _read_summed(path)
        if value["objects"] != 1 or value["checksum"] != summed:
            raise ValueError("it is not as it was written, its SHA-256 differs")
        copies = {}
        for manifest, build in ((one["manifest"], one["build"]) for one in value["tables"]):
            name = manifest["table"]
            _check_names(manifest)
            if not re.fullmatch(r"[A-Za-z0-9_-]+/[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}", f"{name}/{build}"):
                raise ValueError("expected files of its own")
            folder, about = os.path.join(lake, name, build), os.path.join(lake, "_lake", name, build)
            # Those of form 2 have files of other names in a store.
            if manifest["lake"] == 3:
                copies[name] = Table(folder, about, manifest)
        return copies
    except (ValueError, KeyError, TypeError) as cause:
        raise SeqregError(f"Cannot read {path} as the list of a lake: {cause}; copy the lake again") from cause


def _read_manifest(about: str) -> dict[str, Any] | None:
    path = os.path.join(about, "manifest.json")
    if not os.path.exists(path):
        return None
    try:
        manifest, summed = _read_summed(path)
        files = _check_names(manifest)
        if manifest.get("checksum", None if files and "checks" in files[0] else summed) != summed:
            raise ValueError("it is not as it was written, its SHA-256 differs")
    except (ValueError, KeyError, TypeError) as cause:
        raise SeqregError(f"Cannot read {path} as the manifest of a lake: {cause}; {AGAIN}") from cause
    return manifest


def _read_summed(path: str) -> tuple[dict[str, Any], str]:
    """What a file of JSON holds, and its SHA-256 as its checksum should give it."""
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    # The checksum is of the text without itself and without white space between its parts.
    compact = re.sub(r'("(?:[^"\\]|\\.)*")|\s+', r"\1", text)
    summed = hashlib.sha256(re.sub(r',"checksum":"[^"]*"}$', "}", compact).encode()).hexdigest()
    return json.loads(text), summed


def _check_names(manifest: Mapping[str, Any]) -> list[Any]:
    """The files of a manifest, whose names lead nowhere else."""
    files = [*manifest["files"], *manifest["raw"]]
    names = all(re.fullmatch(r"part-[0-9]{5,}(-[0-9a-f]{16})?\.(parquet|raw)", file["name"]) for file in files)
    if manifest["lake"] not in (2, 3) or not names:
        raise ValueError("expected lake 2 or 3, and files of its own")
    return files


def _folders(folder: str) -> list[str]:
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return [name for name in names if not name.startswith(".") and os.path.isdir(os.path.join(folder, name))]


def _describe_unread(count: int, problems: Sequence[Mapping[str, Any]]) -> str:
    """Describes which rows could not be read: how many, and the first three of them."""
    places = [(f"line {one['line']}" if "line" in one else one.get("id"), one) for one in problems if not one["kept"]]
    named = [f"{place} ({one['reason']})" for place, one in places if place is not None][:3]
    text = f"{_count(count, 'row')} could not be read"
    if not named:
        return text
    more = f" and {count - len(named)} more" if count > len(named) else ""
    return f"{text}: {', '.join(named)}{more}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
