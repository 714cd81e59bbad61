"""Asks a registry from many connections, and holds every answer against two releases that it reads itself.

_operator_checker.py PORT RELEASE_A RELEASE_B CONNECTIONS STOP SEED: asks until the file STOP is there, then prints one JSON
object. An answer is of one release in all its parts, and of the one that its header states; what is refused or broken is
listed with its time, since only the caller knows what was done to the archives then.
"""

import asyncio
import collections
import csv
import gzip
import hashlib
import io
import json
import os
import random
import sys
import time

PORT, FOLDERS, CONNECTIONS, STOP, SEED = int(sys.argv[1]), sys.argv[2:4], int(sys.argv[4]), sys.argv[5], int(sys.argv[6])
METADATA = "registryv1_full_dataset_metadata.csv.gz"
SEQUENCES = "registryv1_full_dataset_sequence.csv.gz"
csv.field_size_limit(1 << 30)


class Release:
    """The archives of one release."""

    def __init__(self, folder):
        self.files = {}
        for name in os.listdir(folder):
            if name.endswith((".csv.gz", ".sha256")):
                with open(os.path.join(folder, name), "rb") as file:
                    self.files[name] = file.read()
        self.digests = {name: hashlib.sha256(data).hexdigest() for name, data in self.files.items()}
        self.rows = {row["Registry Accession"]: row for row in self.table(METADATA)}
        self.sequences = {row["Registry Accession"]: row["Sequence"] for row in self.table(SEQUENCES)}

    def table(self, name):
        return csv.DictReader(io.StringIO(gzip.decompress(self.files[name]).decode()))


RELEASES = [Release(folder) for folder in FOLDERS]
IDS = sorted(RELEASES[0].rows)
NAMES = sorted(RELEASES[0].files)
assert IDS == sorted(RELEASES[1].rows), "the two releases have the same accessions"

marks = {}
counts = collections.Counter()
wrong, refused, broken = [], [], []
longest = collections.Counter()


class Broken(Exception):
    """The connection ended before the answer did."""


async def ask(connection, method, path, body=None, headers=()):
    """Sends a request and reads its answer."""
    reader, writer = connection
    data = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{PORT}", *headers]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    try:
        writer.write("\r\n".join([*lines, "", ""]).encode() + data)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        if method == "HEAD" or status in (204, 304):
            return status, fields, b""
        if "content-length" in fields:
            return status, fields, await reader.readexactly(int(fields["content-length"]))
        parts = []
        while size := int(await reader.readuntil(b"\r\n"), 16):
            parts.append((await reader.readexactly(size + 2))[:-2])
        await reader.readexactly(2)
        return status, fields, b"".join(parts)
    except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
        raise Broken(f"{method} {path}: {error!r}") from error


def text_of(value):
    """A value of JSON as the archive has it, of fields that are text there."""
    return "" if value is None else str(value)


def of_row(release, hit):
    row = RELEASES[release].rows[hit["id"]]
    source = hit["source"]
    return all(text_of(source[field]) == row[field] for field in ("Sequence Name", "Isolate", "Country", "Cluster")) \
        and source["Sequence Length"] == int(row["Sequence Length"])


def in_one(holds):
    """The releases for which a statement holds."""
    return [release for release in (0, 1) if holds(release)]


async def search(connection, draw):
    accession = draw.choice(IDS)
    status, fields, body = await ask(connection, "POST", "/v2/search", {"query": accession})
    if status != 200:
        return status, fields, []
    # Others may name it too, as the representative of their cluster.
    hits = json.loads(body)["results"]
    return status, fields, in_one(
        lambda release: accession in {hit["id"] for hit in hits} and all(of_row(release, hit) for hit in hits)
    )


async def page(connection, draw):
    size = draw.choice([10, 100, 1000])
    request = {"query": "*", "pageSize": size, "pageNumber": draw.randint(1, max(1, len(IDS) // size))}
    if draw.random() < 0.5:
        request["sortColumn"] = "Sequence Length"
    status, fields, body = await ask(connection, "POST", "/v2/search", request)
    if status != 200:
        return status, fields, []
    answer = json.loads(body)
    return status, fields, in_one(
        lambda release: answer["total"] == len(IDS) and answer["results"]
        and all(of_row(release, hit) for hit in answer["results"])
    )


async def sequences(connection, draw):
    asked = draw.sample(IDS, draw.choice([1, 50, 500]))
    status, fields, body = await ask(connection, "POST", "/v2/sequence", {"registry_accessions": asked})
    if status != 200:
        return status, fields, []
    got = json.loads(body)
    return status, fields, in_one(lambda release: got == {key: RELEASES[release].sequences[key] for key in asked})


async def metadata(connection, draw):
    download = {"scope": "max", "information": "metadata", "fileType": "csv", "metadata": ["Isolate", "Country"]}
    status, fields, body = await ask(connection, "POST", "/v2/download", {"search": {"query": "*"}, "download": download})
    if status != 200:
        return status, fields, []
    rows = list(csv.DictReader(io.StringIO(body.decode())))
    found = sorted((row["Isolate"], row["Country"]) for row in rows)
    return status, fields, in_one(
        lambda release: found == sorted((row["Isolate"], row["Country"]) for row in RELEASES[release].rows.values())
    )


async def fasta(connection, draw):
    selected = draw.sample(IDS, 300)
    download = {"scope": "selection", "information": "sequences", "fileType": "fasta", "selected_ids": selected}
    status, fields, body = await ask(connection, "POST", "/v2/download", {"search": {"query": ""}, "download": download})
    if status != 200:
        return status, fields, []
    got = {}
    for record in body.decode().split(">")[1:]:
        header, _, sequence = record.partition("\n")
        got[header.split("|")[0]] = sequence.replace("\n", "")
    return status, fields, in_one(lambda release: got == {key: RELEASES[release].sequences[key] for key in selected})


async def dataset(connection, draw):
    name = draw.choice(NAMES)
    path = f"/v2/datasets_download?filename={name}"
    kind = draw.choice(["whole", "part", "head", "tag"])
    if kind == "tag":
        release = draw.randrange(2)
        tag = f'"{RELEASES[release].digests[name]}"'
        status, fields, body = await ask(connection, "GET", path, headers=[f"If-None-Match: {tag}"])
        if status == 304:
            return 200, fields, in_one(lambda other: RELEASES[other].digests[name] == RELEASES[release].digests[name])
    elif kind == "head":
        status, fields, body = await ask(connection, "HEAD", path)
        return status, fields, in_one(
            lambda release: fields.get("etag") == f'"{RELEASES[release].digests[name]}"'
            and fields.get("content-length") == str(len(RELEASES[release].files[name]))
        ) if status == 200 else []
    elif kind == "part":
        start = draw.randrange(min(len(release.files[name]) for release in RELEASES) - 10)
        status, fields, body = await ask(connection, "GET", path, headers=[f"Range: bytes={start}-{start + 9}"])
        if status == 206:
            return 200, fields, in_one(
                lambda release: fields.get("etag") == f'"{RELEASES[release].digests[name]}"'
                and body == RELEASES[release].files[name][start : start + 10]
            )
    else:
        status, fields, body = await ask(connection, "GET", path)
    if status != 200:
        return status, fields, []
    return status, fields, in_one(
        lambda release: body == RELEASES[release].files[name]
        and fields.get("etag") == f'"{RELEASES[release].digests[name]}"'
    )


KINDS = [search] * 8 + [page] * 3 + [sequences] * 3 + [dataset] * 6 + [fasta] + [metadata]


def hold(kind, fields, releases):
    """Whether the header states the release that the answer is of; what two releases have in common is of both."""
    mark = fields.get("registry-release")
    if not releases:
        wrong.append(f"{kind}: of no release")
    elif mark is None:
        wrong.append(f"{kind}: states no release")
    elif len(releases) == 1 and marks.setdefault(mark, releases[0]) != releases[0]:
        wrong.append(f"{kind}: states the release {marks[mark]}, is of {releases[0]}")
    else:
        counts[kind] += 1


async def client(number):
    draw = random.Random(SEED * 10_000 + number)
    connection = None
    while not os.path.exists(STOP):
        kind = draw.choice(KINDS)
        begun = time.time()
        try:
            if connection is None:
                connection = await asyncio.open_connection("127.0.0.1", PORT, limit=1 << 24)
            status, fields, releases = await asyncio.wait_for(kind(connection, draw), 120)
        except (Broken, OSError, asyncio.TimeoutError) as error:
            broken.append({"at": begun, "until": time.time(), "what": f"{kind.__name__}: {error!r}"[:200]})
            if connection is not None:
                connection[1].close()
            connection = None
            await asyncio.sleep(0.05)
            continue
        longest[kind.__name__] = max(longest[kind.__name__], time.time() - begun)
        if status in (200, 206):
            hold(kind.__name__, fields, releases)
        elif status == 503:
            refused.append({"at": begun, "until": time.time(), "what": kind.__name__})
        else:
            wrong.append(f"{kind.__name__}: status {status}")
        if fields.get("connection", "").lower() == "close":
            connection[1].close()
            connection = None
        await asyncio.sleep(draw.random() * CONNECTIONS / 500)


async def main():
    await asyncio.gather(*(client(number) for number in range(CONNECTIONS)))
    print(json.dumps({
        "answers": dict(counts), "wrong": wrong[:20], "wrongs": len(wrong), "refused": refused, "broken": broken,
        "longest": {kind: round(seconds, 2) for kind, seconds in longest.items()}, "marks": marks,
    }))


asyncio.run(main())
