/**
 * `deno task help-index`: writes the index from which the kernel answers `name?`, Shift+Tab and Tab; with `--check`
 * says whether it is what the documentation comments and the checks of options say now.
 */
import { openForCalls, refusalOf, requiredOf } from "../../tests/_public_options_calls.ts";
import { readDocNodes } from "../../tests/_public_options.ts";
import { type Expectations, readEntries } from "./read_entries.ts";

const ROOT = new URL("../../", import.meta.url);
const INDEX = new URL("src/jupyter/kernel/help/help_index.json", ROOT);

/** What users import from, by the module's address. */
async function readModules(): Promise<Map<string, string>> {
  const { name, exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const modules = new Map<string, string>();
  for (const [key, path] of Object.entries<string>(exports)) {
    const href = new URL(path, ROOT).href;
    // `seqreg/spec` is another name of `seqreg/contract`: the first stands.
    if (!path.includes("/cli/") && !modules.has(href)) {
      modules.set(href, key === "." ? name : `${name}/${key.slice(2)}`);
    }
  }
  return modules;
}

/** Asks every check of options what it allows: each is given a value that nothing allows. */
async function readExpectations(nodes: Awaited<ReturnType<typeof readDocNodes>>): Promise<Expectations> {
  const opened = await openForCalls(nodes);
  const expectations = new Map<string, Record<string, string>>();
  try {
    for (const callable of opened.callables) {
      const required = requiredOf(callable);
      const said: Record<string, string> = {};
      for (const { name } of callable.keys) {
        const error = await refusalOf(opened, callable, { ...required, [name]: Symbol("wrong") });
        const expected = error instanceof Error ? / must be (.*), not a symbol$/s.exec(error.message)?.[1] : undefined;
        if (expected !== undefined) said[name] = expected;
      }
      expectations.set(`${callable.file} ${callable.name}`, said);
    }
  } finally {
    await opened.close();
  }
  return expectations;
}

const nodes = await readDocNodes();
const entries = readEntries(nodes, await readModules(), await readExpectations(nodes));
// One line each, so that a change is seen where it is.
const lines = Object.entries(entries).map(([name, list]) => `${JSON.stringify(name)}:${JSON.stringify(list)}`);
const text = `{\n${lines.join(",\n")}\n}\n`;
if (Deno.args.includes("--check")) {
  const isCurrent = await Deno.readTextFile(INDEX).catch(() => "") === text;
  console.log(
    `index of help: ${lines.length} names, ${isCurrent ? "up to date" : "out of date: deno task help-index"}`,
  );
  Deno.exitCode = isCurrent ? 0 : 1;
} else {
  await Deno.writeTextFile(INDEX, text);
  console.log(`index of help: ${lines.length} names, ${text.length} bytes`);
}
