"""The same as _frames.ts with polars-bio, which makes one frame of all."""
import sys

import polars_bio as pb

frame = pb.scan_fasta(sys.argv[1]).collect()
if "--print" in sys.argv:
    for name, description, sequence in frame.select("name", "description", "sequence").iter_rows():
        print(f"{name} {description}", sequence, sep="\t")
else:
    print(frame.height, frame["sequence"].str.len_bytes().sum())
