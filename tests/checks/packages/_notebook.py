"""Runs a notebook by nbclient in the kernel Deno (seqreg), in the working directory, and prints what its cells print.

Arguments are more cells.
"""

import sys

import nbformat
from nbclient import NotebookClient

CELLS = [
    'import pl from "nodejs-polars";\nimport { Registry } from "seqreg";\nconst registry = await Registry.open();',
    'import { mine } from "./mine.ts";\nconst hits = await registry.search("country:Kenya", { pageSize: 3 });',
    'const folder = Deno.cwd().split("/").at(-1);\n'
    "console.log(`${hits.total} records, ${pl.DataFrame({ a: [1] }).height} row, ${mine}, ${folder}`);",
]

notebook = nbformat.v4.new_notebook()
notebook.metadata.kernelspec = {"name": "deno-seqreg", "display_name": "Deno (seqreg)", "language": "typescript"}
notebook.cells = [nbformat.v4.new_code_cell(source) for source in [*CELLS, *sys.argv[1:]]]
NotebookClient(notebook, timeout=120).execute()
for cell in notebook.cells:
    for output in cell.outputs:
        if output.output_type == "stream":
            print(output.text)
