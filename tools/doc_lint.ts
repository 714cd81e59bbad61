/**
 * `deno task doc`: every public symbol is documented, and every type that an entry's symbols mention, and every error
 * that they throw, can be imported from the same entry: each entry is judged by itself.
 *
 * A frame of polars is polars' own type, as are options of Observable Plot that library's. `deno doc --lint` takes them
 * for private ones wherever they are named, and would judge their own documentation were they exported from here: that
 * one complaint is left out.
 */
import config from "../deno.json" with { type: "json" };

const FOREIGN_TYPE = /references private type '(DataFrame|LazyDataFrame|Expr|PlotOptions)'/;

const entries = [...new Set(Object.values(config.exports))].sort();

async function lint(entry: string): Promise<string[]> {
  const complaints = (await runDoc("--lint", entry)).stderr.split(/^(?=error\[)/m)
    .filter((text) => text.startsWith("error[") && !FOREIGN_TYPE.test(text));
  const lacking = await errorsNotExported(entry);
  return [...complaints, ...lacking.map((name) => `error[private-error]: ${name} is thrown and not exported\n`)]
    .map((text) => `${entry}: ${text}`);
}

/** Errors that an entry's symbols throw as they are documented, and that it does not export; not the platform's. */
async function errorsNotExported(entry: string): Promise<string[]> {
  const { nodes }: { readonly nodes: Readonly<Record<string, Node>> } = JSON.parse(
    (await runDoc("--json", entry)).stdout,
  );
  const exported = new Set(Object.values(nodes).flatMap(({ symbols }) => symbols.map(({ name }) => name)));
  const thrown = new Set<string>();
  collectThrown(nodes, false, thrown);
  return [...thrown].filter((name) => !exported.has(name) && !(name in globalThis) && !name.startsWith("Deno."));
}

/** A module in the output of `deno doc --json`. */
interface Node {
  readonly symbols: readonly { readonly name: string }[];
}

/** Collects the names of types within the tags `@throws`. */
function collectThrown(value: unknown, isThrown: boolean, thrown: Set<string>): void {
  if (Array.isArray(value)) { for (const item of value) collectThrown(item, isThrown, thrown); }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  if (isThrown && "typeName" in value && typeof value.typeName === "string") thrown.add(value.typeName);
  const within = isThrown || "kind" in value && value.kind === "throws";
  for (const item of Object.values(value)) collectThrown(item, within, thrown);
}

async function runDoc(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", ...args],
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).output();
  return { stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

const left = [...entries];
const ours: string[] = [];
await Promise.all(Array.from({ length: 4 }, async () => {
  for (let entry = left.shift(); entry !== undefined; entry = left.shift()) ours.push(...await lint(entry));
}));
for (const text of ours) console.error(text);
console.log(`documentation: ${entries.length} entries, ${ours.length} complaints`);
Deno.exit(ours.length === 0 ? 0 : 1);
