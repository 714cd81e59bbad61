"""One table in Parquet files, for polars, pandas, pyarrow and DuckDB."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._ledger import SeqregError

if TYPE_CHECKING:
    import duckdb as db
    import pandas as pd
    import polars as pl
    import pyarrow as pa


class Frames:
    """A table in Parquet files, with the same rows, values and types whatever reads it; every column may hold nulls.

    >>> import seqreg
    >>> table = seqreg.lake("lake").main
    >>> table.polars(["Sequence Length", "Authors"]).dtypes
    [Int64, List(String)]
    >>> table.arrow(["Sequence Length"]).schema.types
    [DataType(int64)]
    >>> table.pandas(["Sequence Length"]).dtypes.tolist()
    [int64[pyarrow]]
    >>> table.duckdb().project('"Sequence Length", "Authors"').types
    [BIGINT, VARCHAR[]]
    """

    def __init__(self, name: str, files: Sequence[tuple[str, int]]) -> None:
        self.name = name
        self._sizes = files

    @property
    def files(self) -> list[str]:
        """Paths of the Parquet files, in the order of their rows; SeqregError if one is absent or of another size."""
        for path, size in self._sizes:
            found = os.path.getsize(path) if os.path.exists(path) else "no"
            if found != size:
                advice = f"open {self.name} again, and build it again if that does not help"
                raise SeqregError(f"Cannot read {path}: it has {found} bytes, expected {size}; {advice}")
        return [path for path, _ in self._sizes]

    def scan(self) -> pl.LazyFrame:
        """The table as a lazy frame of polars, which reads what a query needs."""
        import polars

        return polars.scan_parquet(self.files, glob=False, hive_partitioning=False)

    def polars(self, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The table, or some of its columns, as a frame of polars."""
        frame = self.scan()
        return (frame.select(columns) if columns else frame).collect()

    def arrow(self, columns: Sequence[str] | None = None) -> pa.Table:
        """The table, or some of its columns, as a table of Arrow."""
        import pyarrow.dataset

        return pyarrow.dataset.dataset(self.files, format="parquet").to_table(list(columns) if columns else None)

    def pandas(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The table, or some of its columns, as a frame of pandas with Arrow's types; needs pyarrow.

        With these types whole numbers stay whole where values are missing, and days stay days.
        """
        import pandas

        return self.arrow(columns).to_pandas(types_mapper=pandas.ArrowDtype)

    def duckdb(self, connection: db.DuckDBPyConnection | None = None) -> db.DuckDBPyRelation:
        """The table as a relation of DuckDB, in its default connection if none is given."""
        import duckdb

        # DuckDB takes these characters of a path for a pattern.
        paths = [re.sub(r"[*?[]", r"[\g<0>]", path) for path in self.files]
        return (connection or duckdb.default_connection()).read_parquet(paths, hive_partitioning=False)
