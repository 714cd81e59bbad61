/** What rows have in common. */

/** Arguments of Deno before the file of a check that is a program. */
export const RUN: readonly string[] = ["run", "--allow-all", "--no-check"];
/** Jupyter's programs. */
export const JUPYTER = ["jupyterlab", "notebook", "nbclient", "nbconvert"] as const;
/** Readers of Parquet for Python. */
export const FRAMES = ["pandas", "pyarrow", "polars", "duckdb"] as const;
