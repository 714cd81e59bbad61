"""Tables of seqreg in Python: lakes on disk and results of commands, each with the ledger that explains it.

Python alone opens a lake; polars, pandas, pyarrow and DuckDB read its tables where they are installed.

>>> import seqreg
>>> lake = seqreg.lake("lake")
>>> lake.main.polars().height == lake.main.rows
True
"""

from ._frames import Frames
from ._lake import Lake, Table, lake
from ._ledger import Entry, IncompleteWarning, Ledger, SeqregError
from ._run import Result, run

__all__ = ["Entry", "Frames", "IncompleteWarning", "Lake", "Ledger", "Result", "SeqregError", "Table", "lake", "run"]
