"""Prints what `import seqreg` has of lakes, a line of JSON each: digests of columns by reader, ledgers, citations.

Arguments: LAKE, and so on. A lake that cannot be opened gives its error; the warnings of an opening are kept.
"""
import hashlib, json, struct, sys, warnings
import seqreg

def cell(value):
    """A value in words that tell types and values apart; the same words are made in the test."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"): return "null"
    if hasattr(value, "tolist") and not isinstance(value, (str, bytes)): value = value.tolist()
    if isinstance(value, bool): return f"bool {str(value).lower()}"
    if isinstance(value, int): return f"int {value}"
    if isinstance(value, float): return f"float {struct.pack('>d', value).hex()}"
    if isinstance(value, list): return f"list {json.dumps([cell(each) for each in value], ensure_ascii=False, separators=(',', ':'))}"
    return f"day {value.isoformat()[:10]}" if hasattr(value, "isoformat") else f"text {value}"

def digest(values):
    return hashlib.sha256("\0".join(map(cell, values)).encode()).hexdigest()

def readings(frames):
    polars, arrow, pandas = frames.polars(), frames.arrow(), frames.pandas()
    relation = frames.duckdb()
    rows = relation.fetchall()
    return {
        "polars": {name: digest(polars[name].to_list()) for name in polars.columns},
        "polars, lazily": {name: digest(frames.scan().select(name).collect()[name].to_list()) for name in polars.columns},
        "pyarrow": {name: digest(arrow[name].to_pylist()) for name in arrow.column_names},
        "pandas": {name: digest(pandas[name].tolist()) for name in pandas.columns},
        "DuckDB": {name: digest([row[at] for row in rows]) for at, name in enumerate(relation.columns)},
    }

def describe(ledger):
    entries = [
        {"code": e.code, "level": e.level, "count": e.count, "text": e.text, **({"ids": e.ids} if e.ids else {}),
         **({"field": e.field} if e.field else {})}
        for e in ledger.entries
    ]
    return {"received": ledger.received, "unique": ledger.unique, "unparsed": ledger.unparsed,
            "complete": ledger.complete, "entries": entries}

for path in sys.argv[1:]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            lake = seqreg.lake(path, verify=True)
        except seqreg.SeqregError as error:
            print(json.dumps({"error": str(error)}))
            continue
    print(json.dumps({
        "main": lake.main.name,
        "cite": lake.cite(),
        "warnings": [[type(each.message).__name__, str(each.message), each.filename == __file__] for each in caught],
        "tables": {name: {"ledger": describe(table.ledger), "columns": table.columns, "readings": readings(table),
                          "raw": readings(table.raw) if table.raw else {}} for name, table in lake.items()},
    }))
