"""The peer of export.ts: reads the export as polars in Python does, and compares our frame with it."""
import sys

import polars as pl

path, mode, ours = sys.argv[1:4]
frame = pl.read_csv(path, infer_schema=False).with_columns(pl.col("Sequence Length").cast(pl.Int64))
if mode == "read":
    print(frame.height)
elif mode == "size":
    print(frame.estimated_size())
else:
    print("equal" if frame.equals(pl.read_parquet(ours)) else "different")
