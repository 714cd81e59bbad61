/**
 * The first lesson, cold, in the installed kernel, run by a client that others wrote (nbclient, by jupyter_client):
 * every cell shows what it states. `PYTHON=… deno test --allow-all tests/checks/notebooks/foreign_client.ts`.
 */
import { assert, assertEquals } from "@std/assert";
import { runCli } from "../../_cli.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";
import { readCells } from "../../notebooks/_notebook.ts";
import { inFolder } from "../../_files.ts";

const LESSON = new URL("../../../notebooks/01_first_contact.ipynb", import.meta.url);

/** Prints the outputs of each cell as JSON. */
const RUN = `
import json, os, sys, nbformat
from nbclient import NotebookClient
path = sys.argv[1]
notebook = nbformat.read(path, as_version=4)
client = NotebookClient(notebook, kernel_name="deno-seqreg", timeout=60, startup_timeout=60,
                        resources={"metadata": {"path": os.path.dirname(path)}})
client.execute()
print(json.dumps([cell.get("outputs", []) for cell in notebook.cells]))
`;

testNeeding(needsModules("nbclient"), "the first lesson runs in the installed kernel under nbclient", async () => {
  await inFolder(async (folder) => {
    const installed = await runCli(["kernel", "install", "--data-dir", `${folder}/data`]);
    assertEquals(installed.code, 0, installed.stderr);
    const { success, stdout, stderr } = await new Deno.Command(PYTHON, {
      args: ["-c", RUN, LESSON.pathname],
      env: {
        JUPYTER_PATH: `${folder}/data`,
        JUPYTER_RUNTIME_DIR: `${folder}/runtime`,
        SEQREG_CACHE: `${folder}/cache`,
        SEQREG_URL: "",
      },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    const outputs: unknown[] = JSON.parse(new TextDecoder().decode(stdout));
    const cells = await readCells(LESSON);
    assertEquals(outputs.length, cells.length);
    for (const [index, { type, expect }] of cells.entries()) {
      if (type !== "code") continue;
      const shown = textsIn(outputs[index]).join("\n");
      for (const text of expect) assert(shown.includes(text), `cell ${index} does not show ${text} but:\n${shown}`);
    }
  });
});

/** Every text in a value, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
