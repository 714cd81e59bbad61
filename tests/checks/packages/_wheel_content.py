"""Prints what a wheel holds as JSON: names and sizes of its files, texts of its metadata, first bytes of its libraries."""

import base64
import hashlib
import json
import sys
import zipfile

LIBRARIES = (".node", ".so", ".dylib", ".dll", ".exe")

with zipfile.ZipFile(sys.argv[1]) as wheel:
    damaged = wheel.testzip()
    names = wheel.namelist()
    info = next(name.split("/")[0] for name in names if name.split("/")[0].endswith(".dist-info"))
    recorded = {}
    for line in wheel.read(f"{info}/RECORD").decode().splitlines():
        path, digest, _ = line.rsplit(",", 2)
        recorded[path.strip('"').replace('""', '"')] = digest
    wrong = [
        name
        for name in names
        if recorded.get(name)
        and recorded[name]
        != "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).decode().rstrip("=")
    ]
    print(
        json.dumps(
            {
                "damaged": damaged,
                "unrecorded": sorted(set(names) ^ set(recorded)),
                "wrong": wrong,
                "files": {entry.filename: entry.file_size for entry in wheel.infolist()},
                "tags": [
                    line.split(": ")[1]
                    for line in wheel.read(f"{info}/WHEEL").decode().splitlines()
                    if line.startswith("Tag: ")
                ],
                "requires": [
                    line.split(": ")[1]
                    for line in wheel.read(f"{info}/METADATA").decode().split("\n\n")[0].splitlines()
                    if line.startswith("Requires-Dist: ")
                ],
                "libraries": {
                    name: wheel.open(name).read(1024).hex() for name in names if name.endswith(LIBRARIES)
                },
            }
        )
    )
