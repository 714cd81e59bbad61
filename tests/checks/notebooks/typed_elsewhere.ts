/**
 * What lessons show to be typed elsewhere: in a shell, and in Python. Run by `deno task checks typed-elsewhere`.
 * `PYTHON` names a Python with pandas and pyarrow.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { inFolder, relative, walk } from "../../_files.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";
import { Kernel } from "../../notebooks/_kernel.ts";
import { readCells } from "../../notebooks/_notebook.ts";

const NOTEBOOKS = new URL("../../../notebooks/", import.meta.url);
const ROOT = new URL("../../../", import.meta.url).pathname;
const CELL_TIMEOUT_MS = 60_000;

/** Code of one language in the texts of a notebook. */
async function blocksOf(notebook: URL, language: string): Promise<string[]> {
  const texts = (await readCells(notebook)).filter(({ type }) => type === "markdown").map(({ source }) => source);
  const blocks = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return texts.flatMap((text) => [...text.matchAll(blocks)].map(([, code]) => code));
}

/** `seqreg` as a lesson's reader has it, over the sample; a server is left out, since it does not end. */
const SHELL = `seqreg() {
  [ "$1" = serve ] && return
  "${Deno.execPath()}" run --quiet --no-check --config "${ROOT}deno.json" --allow-all "${ROOT}src/cli/main.ts" "$@"
}
`;

/** Files that the commands read. */
const FILES = {
  "ids.txt": "vj000000000001\nvj999999999999\n",
  "sequences.fasta": ">a\nACGT\n",
  "metadata.csv": "strain,country\na,Kenya\n",
};

async function runIn(folder: string, program: string, ...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd: folder,
    env: { NO_COLOR: "1", SEQREG_URL: "", SEQREG_CWD: "", SEQREG_CACHE: `${folder}/cache` },
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout), errors: decoder.decode(stderr) };
}

Deno.test("commands of the lessons do what the lessons say", async (t) => {
  await inFolder(async (folder) => {
    for (const [name, text] of Object.entries(FILES)) await Deno.writeTextFile(`${folder}/${name}`, text);
    let tried = 0;
    for (const notebook of await walk(NOTEBOOKS, ".ipynb")) {
      for (const block of (await blocksOf(notebook, "sh")).filter((code) => code.includes("seqreg "))) {
        tried++;
        await t.step(`${relative(NOTEBOOKS, notebook)}: ${block.split("\n")[0]}`, async () => {
          const { code, errors } = await runIn(folder, "bash", "-c", SHELL + block);
          // With -e, what is incomplete stops a script before its next line, which needs R.
          assertEquals(code, block.startsWith("set -e") ? 4 : 0, errors);
        });
      }
    }
    assert(tried >= 5, `only ${tried} were found`);
    assertEquals(JSON.parse(await Deno.readTextFile(`${folder}/some.json`)).missing, ["vj999999999999"]);
  });
});

const PANDAS = needsModules("pandas", "pyarrow");

testNeeding(PANDAS, "pandas reads what the script of lesson 9 writes", async () => {
  const notebook = (await walk(NOTEBOOKS, ".ipynb")).find(({ pathname }) =>
    pathname.endsWith("09_from_notebook_to_script.ipynb")
  )!;
  const [code] = await blocksOf(notebook, "python");
  await inFolder(async (cache) => {
    await using kernel = await Kernel.start({ folder: NOTEBOOKS, env: { SEQREG_CACHE: cache, SEQREG_URL: "" } });
    const cells = (await readCells(notebook)).filter(({ type }) => type === "code").map(({ source }) => source);
    const ran = cells.findIndex((source) => source.includes("await run(permissions, ")) + 1;
    for (const cell of cells.slice(0, ran)) {
      assertEquals((await kernel.run(cell, CELL_TIMEOUT_MS)).filter(({ type }) => type === "error"), []);
    }
    const [{ text }] = await kernel.run("console.log(folder)", CELL_TIMEOUT_MS);
    const { code: exit, output, errors } = await runIn((text ?? "").trim(), PYTHON, "-c", code);
    assertEquals(exit, 0, errors);
    // Whole numbers, days, and the zeros of codes.
    assertMatch(output, /Sequence Length +Int64/);
    assertMatch(output, /Collection Date earliest +(object|date32)/);
    assertMatch(output, /\b00[0-9]{3}\b/);
    assertMatch(output, /ssRNA\(-\)/);
    await kernel.run(cells[cells.length - 1], CELL_TIMEOUT_MS);
  });
});
