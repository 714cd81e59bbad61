/** What a contributor adds, section by section of CONTRIBUTING.md. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Scratch } from "./_scratch.ts";
import { addEndpoint } from "./_endpoint.ts";
import { addRecipe } from "./_recipe.ts";

/** One section followed. */
export interface Addition {
  /** Makes the change by the section alone. */
  add(scratch: Scratch): Promise<void>;
  /** Tasks that the section says to run. */
  readonly tasks?: readonly string[];
  /** Tests that the section adds to, or that find the addition by themselves. */
  readonly tests: readonly string[];
  /** Shows that the addition works. */
  show?(scratch: Scratch): Promise<void>;
}

/** By heading, without "How to add ". */
export const ADDITIONS: Readonly<Record<string, Addition>> = {
  "a command": {
    async add(scratch) {
      await scratch.write(
        "src/cli/commands/greet.ts",
        `/** \`seqreg greet\`: greets. */
import { type Command, EXIT } from "../support/command.ts";
import { QUIET_OPTION } from "../support/ledger.ts";

const command: Command = {
  name: "greet",
  summary: "Greet a virologist",
  operands: "NAME",
  operandCount: [1, 1],
  options: { ...QUIET_OPTION },
  examples: ["seqreg greet Ada"],
  permissions: ["--allow-read", "--allow-env"],
  async run({ operands: [name], stdout }) {
    await stdout.write(\`Good morning, \${name}\\n\`);
    return EXIT.done;
  },
};

export default command;
`,
      );
      await scratch.insert(
        "src/cli/_commands.ts",
        '["search", ',
        '  ["greet", "greet.ts", "Greet a virologist"],',
      );
    },
    tasks: ["commands"],
    tests: ["tests/cli/main_test.ts", "tests/cli/completions"],
    async show(scratch) {
      assertEquals(
        await scratch.deno("run", "--quiet", "--allow-read", "--allow-env", "src/cli/main.ts", "greet", "Ada"),
        GREETING,
      );
      assertStringIncludes(await Deno.readTextFile(`${scratch.folder}/docs/commands.md`), "## greet");
    },
  },
  "a recipe": {
    add: addRecipe,
    tasks: ["snapshots"],
    tests: ["tests/analysis/options_test.ts", "tests/analysis/recipes_test.ts", "tests/cli/commands/chart_test.ts"],
  },
  "an option": {
    async add(scratch) {
      const file = "src/analysis/recipes/taxa/top_taxa.ts";
      const options = "export interface TopTaxaOptions extends AnalysisOptions {";
      await scratch.replace(
        file,
        options,
        `${options}\n  /** What the bars count, below them. */\n  readonly unit?: string;`,
      );
      await scratch.replace(file, "  ...ANALYSIS_OPTIONS,", "  ...ANALYSIS_OPTIONS,\n  unit: rule.text,");
      await scratch.replace(file, '        label: "records",', '        label: options.unit ?? "records",');
    },
    tests: ["tests/analysis/options_test.ts"],
  },
  "a role": {
    async add(scratch) {
      await scratch.insert(
        "src/analysis/source/roles.ts",
        "  segment: {",
        '  vaccine: { meaning: "vaccine that was given", names: ["vaccine", "vaccine_name"], types: TEXT },',
      );
    },
    tests: ["tests/analysis/source"],
  },
  "an endpoint": {
    add: addEndpoint,
    tests: ["tests/core/contract/unused", "tests/embedded/service/openapi", "tests/embedded/service/registry"],
  },
  "a door": {
    async add(scratch) {
      await scratch.insert(
        "src/core/deno.json",
        '"./contract/validation":',
        '    "./contract/tally": "./contract/tally.ts",',
      );
    },
    tests: ["tests/architecture_test.ts"],
  },
  "a compression": {
    async add(scratch) {
      await scratch.write(
        "src/core/io/deflate/undeflate.ts",
        `/** Zlib data (RFC 1950) decompressed. */
import { createInflate } from "node:zlib";
import { messageOf, ParseError } from "../../errors.ts";

/** Zlib data that is damaged or cut short. */
export class DeflateError extends ParseError {
  override name = "DeflateError";
}

/**
 * Decompresses zlib data.
 *
 * @throws {DeflateError} If the data is damaged or cut short.
 */
export async function* undeflate(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const inflate = createInflate();
  const fed = (async () => {
    for await (const chunk of chunks) {
      if (!inflate.write(chunk.slice())) await new Promise((resolve) => inflate.once("drain", resolve));
    }
    inflate.end();
  })();
  fed.catch((error) => inflate.destroy(error));
  try {
    yield* inflate;
    await fed;
  } catch (cause) {
    throw new DeflateError(\`Cannot decompress \${name}: \${messageOf(cause)}\`, {}, { cause });
  } finally {
    inflate.destroy();
  }
}
`,
      );
      const table = "src/core/io/compression/compression.ts";
      await scratch.replace(table, '"gzip" | "Zstandard";', '"gzip" | "Zstandard" | "zlib";');
      await scratch.replace(
        table,
        "];\n\nasync function* gunzipped",
        `  {
    name: "zlib",
    begins: [[0x78, 0x01], [0x78, 0x9c], [0x78, 0xda]],
    ending: ".zz",
    codings: [],
    async *decompress(chunks, name) {
      const { undeflate } = await import("../deflate/undeflate.ts");
      yield* undeflate(chunks, name);
    },
  },
];

async function* gunzipped`,
      );
    },
    tests: ["tests/core/io/compression", "tests/core/io/bytes"],
    async show(scratch) {
      const { deflateSync } = await import("node:zlib");
      await Deno.writeFile(`${scratch.folder}/a.fasta.zz`, deflateSync(">a\nACGT\n"));
      const counted = ["src/cli/main.ts", "fasta", "stats", "a.fasta.zz"];
      assertStringIncludes(
        await scratch.deno("run", "--quiet", "--allow-read", "--allow-env", ...counted),
        "ACGT".length + "",
      );
    },
  },
  "a reason or a warning": {
    async add(scratch) {
      await scratch.replace(
        "src/core/options/ledger_code.ts",
        "export type LedgerCode =\n",
        'export type LedgerCode =\n  | "moon-is-full"\n',
      );
      await scratch.insert(
        "src/core/contract/ledger_codes.ts",
        "  // Requested, promised, received.",
        '  "moon-is-full": warning("The moon is full.", "Wait for a night."),',
      );
      await scratch.insert(
        "tests/core/contract/_provoked_codes.ts",
        '  "missing": [',
        '  "moon-is-full": ["core/contract/moon_test.ts", "moon-is-full"],',
      );
      await scratch.write(
        "tests/core/contract/moon_test.ts",
        `import { assertEquals } from "@std/assert";
import { noteEntry } from "../../../src/core/contract/ledger_entries.ts";

Deno.test("a full moon is a warning", () => {
  assertEquals(noteEntry("moon-is-full", "the moon is full", {}).level, "warning");
});
`,
      );
    },
    tasks: ["commands"],
    tests: ["tests/core/contract/ledger_codes_test.ts", "tests/core/contract/moon_test.ts", "tests/docs"],
  },
  "a WebAssembly module": {
    async add(scratch) {
      await scratch.write(
        "src/core/fasta/wasm/count_a.as.ts",
        `// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Counts one byte. Memory: the bytes, from the address that is passed. */
export function countByte(from: usize, length: i32, byte: u8): i32 {
  let count = 0;
  for (let at = 0; at < length; at++) if (load<u8>(from + at) === byte) count++;
  return count;
}
`,
      );
      await scratch.insert(
        "tools/wasm/main.ts",
        '  "src/core/fasta/wasm/scan",',
        '  "src/core/fasta/wasm/count_a",',
      );
    },
    tasks: ["wasm src/core/fasta/wasm/count_a"],
    tests: ["tests/tools/wasm/build_test.ts"],
  },
};

const GREETING = "Good morning, Ada\n";
