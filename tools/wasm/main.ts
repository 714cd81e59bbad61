/**
 * `deno task wasm [NAME …]`: builds the modules of every room. Compiles each `NAME.as.ts` and writes the module next
 * to it, as text that any program can import; `--check` only reports whether the modules are up to date. Names, such as
 * `fasta/wasm/scan`, select some of them.
 */
import { sha256 } from "../../src/core/io/digest/sha256.ts";

const root = new URL("../../", import.meta.url);

/** The modules: each is a file of AssemblyScript. */
export const MODULES: readonly string[] = [
  "src/core/io/gzip/wasm/inflate",
  "src/core/fasta/wasm/scan",
  "src/core/fasta/wasm/sieve",
  "src/core/fasta/wasm/lines",
  "src/core/fasta/wasm/rewrap",
  "src/core/fasta/wasm/pairs",
  "src/core/tables/wasm/rows",
  "src/core/tables/wasm/columns",
  "src/core/registry/lock/wasm/record_sums",
  "src/cli/rows/wasm/number_rows",
  "src/alike/wasm/sketch",
  "src/alike/wasm/align",
  "src/alike/wasm/postings",
  "src/again/wasm/row_hashes",
];

const FLAGS = ["-O3", "--converge", "--runtime", "stub", "--enable", "simd", "--enable", "relaxed-simd", "--noAssert"];

async function compile(module: string): Promise<Uint8Array> {
  const place = await Deno.makeTempDir();
  const output = `${place}/module.wasm`;
  try {
    // The compiler of AssemblyScript wants imports without their extension, Deno with it.
    for (const [path, text] of await sourcesOf(`${module}.as.ts`, new Map())) {
      await Deno.mkdir(`${place}/${path.replace(/[^/]*$/, "")}`, { recursive: true });
      await Deno.writeTextFile(`${place}/${path}`, text.replaceAll('.as.ts";', '.as";'));
    }
    const { success, stdout, stderr } = await new Deno.Command("npx", {
      args: ["--yes", "-p", "assemblyscript@0.28.20", "asc", `${module}.as.ts`, ...FLAGS, "-o", output],
      cwd: place,
    }).output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    if (!success) throw new Error(`Cannot compile ${module}.as.ts:\n${said}`);
    return await Deno.readFile(output);
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}

/** SHA-256 of the sources: the built module carries it, so that a test can tell whether it is up to date. */
export async function sourceDigest(module: string): Promise<string> {
  const texts = await sourcesOf(`${module}.as.ts`, new Map());
  return await sha256(new TextEncoder().encode([...texts.values()].join("")));
}

/** Reads a source and the ones in its folder that it imports, each once. */
async function sourcesOf(path: string, texts: Map<string, string>): Promise<Map<string, string>> {
  if (texts.has(path)) return texts;
  const text = await Deno.readTextFile(new URL(path, root));
  texts.set(path, text);
  for (const [, name] of text.matchAll(/from "\.\/([a-z_.]+)";/g)) {
    await sourcesOf(path.replace(/[^/]*$/, name), texts);
  }
  return texts;
}

async function moduleText(module: string): Promise<string> {
  const wasm = await compile(module);
  const lines = btoa(String.fromCharCode(...wasm)).match(/.{1,110}/g) ?? [];
  return [
    `/** The compiled module: written by \`deno task wasm\` from \`${
      module.split("/").at(-1)
    }.as.ts\`; do not edit. */`,
    "",
    "/** SHA-256 of the source that this was compiled from. */",
    `export const SOURCE_SHA256 = "${await sourceDigest(module)}";`,
    "",
    `/** The module, ${wasm.length} bytes, in Base64. */`,
    "// deno-fmt-ignore",
    "export const WASM_BASE64 = [",
    ...lines.map((line) => `  "${line}",`),
    '].join("");',
    "",
  ].join("\n");
}

if (import.meta.main) {
  const chosen = Deno.args.filter((arg) => arg !== "--check");
  for (const module of chosen.length === 0 ? MODULES : chosen) {
    const target = new URL(`${module}_wasm.ts`, root);
    const text = await moduleText(module);
    if (!Deno.args.includes("--check")) await Deno.writeTextFile(target, text);
    else if (text !== await Deno.readTextFile(target)) {
      console.error(`${module}_wasm.ts is out of date: run deno task wasm`);
      Deno.exit(1);
    }
  }
}
