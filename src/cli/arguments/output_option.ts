/** The option `-o` of every command that writes. */
import type { OptionSpec } from "./option_specs.ts";

/** Describes `--output`, whose value is a file, a folder, or a folder that may hold other files. */
export function outputOption(
  value: "FILE" | "DIR",
  describe: string,
  writes: OptionSpec["writes"] = value === "FILE" || "folder",
): { readonly output: OptionSpec } {
  return { output: { type: "string", short: "o", value, writes, describe } };
}
