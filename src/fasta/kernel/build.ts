/**
 * Builds the scanner: compiles `scan.as.ts` and writes the module beside it, as text that any program can import.
 *
 * Run it with `deno run -A src/fasta/kernel/build.ts`; with `--check` it only says whether the module is up to date.
 */
const folder = new URL("./", import.meta.url);
const source = new URL("scan.as.ts", folder);
const target = new URL("scan_wasm.ts", folder);

const FLAGS = ["-O3", "--converge", "--runtime", "stub", "--enable", "simd", "--noAssert"];

async function compile(): Promise<Uint8Array> {
  const output = await Deno.makeTempFile({ suffix: ".wasm" });
  try {
    const { success, stdout, stderr } = await new Deno.Command("npx", {
      args: ["--yes", "-p", "assemblyscript@0.28.20", "asc", "scan.as.ts", ...FLAGS, "-o", output],
      cwd: folder,
    }).output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    if (!success) throw new Error(`Cannot compile ${source.pathname}:\n${said}`);
    return await Deno.readFile(output);
  } finally {
    await Deno.remove(output);
  }
}

/** SHA-256 of the source: the built module carries it, so that a test can tell whether it is up to date. */
export async function sourceDigest(): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(source));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function moduleText(): Promise<string> {
  const wasm = await compile();
  const lines = btoa(String.fromCharCode(...wasm)).match(/.{1,110}/g) ?? [];
  return [
    "/** The compiled scanner: written by `build.ts` from `scan.as.ts`; do not edit. */",
    "",
    "/** SHA-256 of the source that this was compiled from. */",
    `export const SOURCE_SHA256 = "${await sourceDigest()}";`,
    "",
    `/** The module, ${wasm.length} bytes, in Base64. */`,
    "// deno-fmt-ignore",
    "export const SCAN_WASM = [",
    ...lines.map((line) => `  "${line}",`),
    '].join("");',
    "",
  ].join("\n");
}

if (import.meta.main) {
  const text = await moduleText();
  if (!Deno.args.includes("--check")) await Deno.writeTextFile(target, text);
  else if (text !== await Deno.readTextFile(target)) {
    console.error("src/fasta/kernel/scan_wasm.ts is out of date: run deno run -A src/fasta/kernel/build.ts");
    Deno.exit(1);
  }
}
