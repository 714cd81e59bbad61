"""The peer of export.ts: reads the export as polars in Python does, and compares what we wrote with it."""
import sys

import polars as pl

path, mode, ours = sys.argv[1:4]


def anonymous() -> int:
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon:"))


def export() -> pl.DataFrame:
    return pl.read_csv(path, infer_schema=False).with_columns(pl.col("Sequence Length").cast(pl.Int64))


def sequences(fasta: str):
    header, parts = None, []
    with open(fasta) as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith(";"):
                continue
            if line.startswith(">"):
                if header is not None:
                    yield header, "".join(parts)
                header, parts = line, []
            else:
                parts.append(line)
    if header is not None:
        yield header, "".join(parts)


if mode == "read":
    print(export().height)
elif mode == "size":
    # What the frame takes, and not estimated_size(): that leaves out the 16 bytes that each text takes in addition to its own.
    before = anonymous()
    frame = pl.read_parquet(ours)
    print(anonymous() - before)
elif mode == "equal":
    print("equal" if export().equals(pl.read_parquet(ours)) else "different")
elif mode == "same":
    # Records in any order, of the columns that both have.
    mine, theirs = pl.read_parquet(ours), export()
    columns = [name for name in theirs.columns if name in mine.columns]
    mine, theirs = (frame.select(columns).sort(columns[0]) for frame in (mine, theirs))
    print("equal" if mine.equals(theirs) else "different")
else:
    pairs = zip(sequences(path), sequences(ours), strict=True)
    print("equal" if all(one == other for one, other in pairs) else "different")
