"""Reads folders of Parquet with every reader, without options, and compares types and values with a file.

Arguments: FOLDER FILE, and so on; folders of this machine, or BUCKET/PREFIX in the store of AWS_ENDPOINT_URL. Prints a
line of JSON for each reading: reader, folder, names and types, and what differs in values.
"""
import json, os, sys
import duckdb, pandas, polars, pyarrow as pa, pyarrow.dataset as ds, pyarrow.fs as fs, pyarrow.parquet as pq

TYPES = {"string": "String", "large_string": "String", "string_view": "String", "int64": "Int64", "double": "Float64",
         "bool": "Bool", "date32[day]": "Date"}

def type_of(kind):
    name = str(kind)
    return f"List({type_of(kind.value_type)})" if name.startswith(("list", "large_list")) else TYPES.get(name, name)

def compare(reader, folder, table, expected):
    types = {name: type_of(table.schema.field(name).type) for name in table.column_names}
    differing = [f"{table.num_rows} rows instead of {expected.num_rows}"] if table.num_rows != expected.num_rows else []
    for name in expected.column_names:
        if name in types and not differing:
            found = table.column(name).cast(expected.schema.field(name).type)
            if not found.combine_chunks().equals(expected.column(name).combine_chunks()): differing.append(name)
    print(json.dumps([reader, folder, types, differing]))

for folder, file in zip(sys.argv[1::2], sys.argv[2::2]):
    expected = pq.read_table(file)
    by = lambda reader, table: compare(reader, folder, table, expected)
    options = {}
    if "AWS_ENDPOINT_URL" in os.environ:
        options["filesystem"] = fs.S3FileSystem(
            endpoint_override=os.environ["AWS_ENDPOINT_URL"], region=os.environ["AWS_REGION"],
            access_key=os.environ["AWS_ACCESS_KEY_ID"], secret_key=os.environ["AWS_SECRET_ACCESS_KEY"])
    by("pyarrow.dataset", ds.dataset(folder, **options).to_table())
    frame = pandas.read_parquet(folder, dtype_backend="pyarrow", **options)
    by("pandas", pa.Table.from_pandas(frame, preserve_index=False))
    if options: continue
    by("polars", polars.read_parquet(folder).to_arrow())
    by("polars, lazily", polars.scan_parquet(folder).collect().to_arrow())
    by("DuckDB", duckdb.sql(f"from read_parquet('{folder}/*')").to_arrow_table())
    by("DuckDB, all below", duckdb.sql(f"from read_parquet('{folder}/**')").to_arrow_table())
