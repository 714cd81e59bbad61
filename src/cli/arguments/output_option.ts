/** The option `-o` of every command that writes. */
import type { OptionSpec } from "./option_specs.ts";

/** Describes `--output`, whose value is a file or a folder. */
export function outputOption(value: "FILE" | "DIR", describe: string): { readonly output: OptionSpec } {
  return { output: { type: "string", short: "o", value, writes: value === "FILE", describe } };
}
