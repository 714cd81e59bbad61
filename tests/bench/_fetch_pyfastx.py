"""The same as _fetch.ts with pyfastx."""
import sys
import time

import pyfastx

ids = open(sys.argv[2]).read().split()
started = time.perf_counter()
fasta = pyfastx.Fasta(sys.argv[1])
sequences = [fasta[name].seq for name in ids]
took = time.perf_counter() - started
for name, sequence in zip(ids, sequences):
    print(">" + name)
    print(sequence)
print(took * 1000, file=sys.stderr)
