/** FASTA as it is written: as gzip where the file's name says so. */
import type { CommandContext } from "./command.ts";
import { OUTPUT_OPTION } from "./output.ts";

/** The option of a command that compresses. */
export const COMPRESSED_OUTPUT_OPTION = {
  output: { ...OUTPUT_OPTION.output, describe: `${OUTPUT_OPTION.output.describe}; gzip if its name ends with .gz` },
} as const;

/** The text as it is, or compressed for `--output NAME.gz`; what compresses is loaded for that alone. */
export async function* fastaBytes(
  context: CommandContext,
  text: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (!context.flags.text("output")?.endsWith(".gz")) return yield* text;
  const { gzipBytes } = await import("../../io/gzip/gzip_bytes.ts");
  yield* gzipBytes(text, { signal: context.signal });
}
