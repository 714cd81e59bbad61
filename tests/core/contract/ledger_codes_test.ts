/** Holds the list of codes to the code that makes them, and `src` to codes: nothing decides by a reason's words. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { isLedgerCode, LEDGER_CODES } from "../../../src/core/contract/ledger_codes.ts";
import { PROVOKED_CODES } from "./_provoked_codes.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Files whose `reasons` or `warnings` are none of a ledger: of signals, of a server, of the chart library. */
const OTHERS = ["src/jupyter/kernel/inside/stopping.ts", "src/spark/connect/client.ts", "src/analysis/chart/"];
const WORDS = "includes|startsWith|endsWith|match|matchAll|search|indexOf|slice|split|replace|replaceAll|test";
const READINGS: readonly RegExp[] = [
  // A list of texts is shown, each of them, and asked for nothing else.
  /(?<![.\w]\.\.)\b(?:reasons|warnings)\b\)?\]?!?\s*\??\.\s*(?!map\b|push\b)\w+/g,
  /\b(?:reasons|warnings)\b!?(?:\?\.)?\[/g,
  new RegExp(`\\b(?:reason|warning)\\b!?\\s*\\??\\.\\s*(?:${WORDS})\\(`, "g"),
  /\.(?:test|exec)\((?:reason|warning)\b/g,
  // Of entries, where a file has any.
  new RegExp(`\\b(?:entry|entries\\[[^\\]]*\\])\\.text\\b!?\\s*\\??\\.\\s*(?:${WORDS})\\(`, "g"),
  /\(\{[^}()]*\btext\b[^}()]*\}\) =>[^,\n]*\btext\b\.(?:includes|startsWith|endsWith|match|search|indexOf)\(/g,
];

/** Code without its comments. */
function codeOf(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}

function readingsIn(source: string): string[] {
  const code = codeOf(source);
  return READINGS.flatMap((pattern) => Array.from(code.matchAll(pattern), ([found]) => found.trim()));
}

async function* sources(folder: string): AsyncGenerator<{ readonly path: string; readonly source: string }> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    const path = `${folder}${name}`;
    if (isDirectory) yield* sources(`${path}/`);
    else if (/(?<!_wasm)\.ts$/.test(name)) yield { path, source: await Deno.readTextFile(new URL(path, ROOT)) };
  }
}

const files = await Array.fromAsync(sources("src/"));

Deno.test("each code has a level, a meaning and what to do, in sentences", () => {
  for (const [code, { level, meaning, advice }] of Object.entries(LEDGER_CODES)) {
    assertMatch(code, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert(level === "reason" || level === "warning", code);
    for (const sentence of [meaning, advice]) assertMatch(sentence, /^[A-Z`].*\.$/, code);
  }
  assertEquals(["missing", "mislaid", "toString"].map(isLedgerCode), [true, false, false]);
});

Deno.test("each code is made somewhere in src", () => {
  const made = files.filter(({ path }) => path !== "src/core/contract/ledger_codes.ts").map(({ source }) =>
    codeOf(source)
  );
  const unused = Object.keys(LEDGER_CODES).filter((code) => !made.some((source) => source.includes(`"${code}"`)));
  assertEquals(unused, []);
});

Deno.test("each code has a test that provokes it", async (t) => {
  assertEquals(
    Object.keys(PROVOKED_CODES).toSorted(),
    Object.keys(LEDGER_CODES).toSorted(),
    "add it to PROVOKED_CODES",
  );
  for (const [code, [file, words]] of Object.entries(PROVOKED_CODES)) {
    await t.step(code, async () => {
      assertStringIncludes(await Deno.readTextFile(new URL(`tests/${file}`, ROOT)), words);
    });
  }
});

Deno.test("nothing in src decides by the text, the place or the number of reasons and warnings", () => {
  const found = files.filter(({ path }) =>
    !OTHERS.some((other) => path.startsWith(other)) && path !== "src/core/contract/ledger.ts"
  )
    .flatMap(({ path, source }) => readingsIn(source).map((reading) => `${path}: ${reading}`));
  assertEquals(found, [], "switch on the codes of entries");
});

Deno.test("the search for such decisions finds them", () => {
  const decisions = [
    'ledger.warnings.filter((warning) => !warning.includes("more than once"))',
    "ledger.reasons.at(-1)",
    "reasons.slice(0, -1)",
    "this.#fasta!.reasons[0]",
    "if (reasons.length > 0) fail();",
    'if (reason.startsWith("requested")) fail();',
    "/separated by/.test(warning)",
    'entries.find(({ text }) => text.includes("separated by"))',
    'if (entry.text.startsWith("not in the index")) fail();',
  ];
  assertEquals(decisions.filter((code) => readingsIn(code).length === 0), []);
  const allowed = [
    "for (const reason of ledger.reasons) context.note(reason);",
    "...ledger.reasons.map((reason) => ({ text: reason })),",
    "// The last of reasons.at(-1) is not read.",
  ];
  assertEquals(allowed.filter((code) => readingsIn(code).length > 0), []);
});
