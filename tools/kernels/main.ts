/**
 * `deno task kernels [NAME …]`: builds the kernels of every room. Compiles each `NAME.as.ts` and writes the module next
 * to it, as text that any program can import; `--check` only reports whether the modules are up to date. Names, such as
 * `fasta/kernel/scan`, select some of them.
 */
import { sha256 } from "../../src/core/io/digest/sha256.ts";

const root = new URL("../../", import.meta.url);

/** The kernels: each is a file of AssemblyScript. */
export const KERNELS: readonly string[] = [
  "src/core/io/gzip/kernel/inflate",
  "src/core/fasta/kernel/scan",
  "src/core/fasta/kernel/sieve",
  "src/core/fasta/kernel/lines",
  "src/core/fasta/kernel/rewrap",
  "src/core/fasta/kernel/pairs",
  "src/core/tables/kernel/rows",
  "src/core/tables/kernel/columns",
  "src/cli/rows/kernel/number_rows",
  "src/alike/kernel/sketch",
  "src/alike/kernel/align",
  "src/alike/kernel/postings",
  "src/again/kernel/row_hashes",
];

const FLAGS = ["-O3", "--converge", "--runtime", "stub", "--enable", "simd", "--enable", "relaxed-simd", "--noAssert"];

async function compile(kernel: string): Promise<Uint8Array> {
  const place = await Deno.makeTempDir();
  const output = `${place}/kernel.wasm`;
  try {
    // The compiler of AssemblyScript wants imports without their extension, Deno with it.
    for (const [path, text] of await sourcesOf(`${kernel}.as.ts`, new Map())) {
      await Deno.mkdir(`${place}/${path.replace(/[^/]*$/, "")}`, { recursive: true });
      await Deno.writeTextFile(`${place}/${path}`, text.replaceAll('.as.ts";', '.as";'));
    }
    const { success, stdout, stderr } = await new Deno.Command("npx", {
      args: ["--yes", "-p", "assemblyscript@0.28.20", "asc", `${kernel}.as.ts`, ...FLAGS, "-o", output],
      cwd: place,
    }).output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    if (!success) throw new Error(`Cannot compile ${kernel}.as.ts:\n${said}`);
    return await Deno.readFile(output);
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}

/** SHA-256 of the sources: the built module carries it, so that a test can tell whether it is up to date. */
export async function sourceDigest(kernel: string): Promise<string> {
  const texts = await sourcesOf(`${kernel}.as.ts`, new Map());
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

async function moduleText(kernel: string): Promise<string> {
  const wasm = await compile(kernel);
  const lines = btoa(String.fromCharCode(...wasm)).match(/.{1,110}/g) ?? [];
  return [
    `/** The compiled kernel: written by \`deno task kernels\` from \`${
      kernel.split("/").at(-1)
    }.as.ts\`; do not edit. */`,
    "",
    "/** SHA-256 of the source that this was compiled from. */",
    `export const SOURCE_SHA256 = "${await sourceDigest(kernel)}";`,
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
  for (const kernel of chosen.length === 0 ? KERNELS : chosen) {
    const target = new URL(`${kernel}_wasm.ts`, root);
    const text = await moduleText(kernel);
    if (!Deno.args.includes("--check")) await Deno.writeTextFile(target, text);
    else if (text !== await Deno.readTextFile(target)) {
      console.error(`${kernel}_wasm.ts is out of date: run deno task kernels`);
      Deno.exit(1);
    }
  }
}
