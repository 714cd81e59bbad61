/** What the commands of curation share: sources, fields by role, lists in files. */
import { isDiskFault } from "@seqreg/core/io/files";
import { RegistryError } from "@seqreg/core/errors";
import type { Flags } from "../arguments/flags.ts";
import { once } from "../arguments/once.ts";
import { PROGRESS_OPTION } from "../progress/progress_option.ts";
import { type OptionSpecs, UsageError } from "../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION } from "../support/ledger.ts";
import { REGISTRY_OPTIONS } from "../support/registry.ts";
import { TABLE_OPTIONS } from "../tables/table_options.ts";

/** Options about the source, and about what is reported. */
export const SOURCE_OPTIONS = {
  table: { type: "string", value: "NAME", describe: "table of the lake (default: its main one)" },
  field: {
    type: "string",
    multiple: true,
    value: "ROLE=NAME",
    describe: "field that plays a role, such as country='Country of sample'",
  },
  ...TABLE_OPTIONS,
  naming: REGISTRY_OPTIONS.naming,
  ...PROGRESS_OPTION,
  ...LEDGER_OPTION,
  ...QUIET_OPTION,
} satisfies OptionSpecs;

/** What the commands need: the database is a native library. */
export const CURATION_PERMISSIONS = ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-ffi"];

/** Fields by role, of `--field ROLE=NAME`. */
export function readFields(flags: Flags): Record<string, string> {
  return once(
    "the field for",
    flags.texts("field").map((text) => {
      const at = text.indexOf("=");
      if (at > 0 && at < text.length - 1) return [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const;
      throw new UsageError(`Option --field expects ROLE=NAME, not "${text}"`);
    }),
  );
}

export async function readTextOption(file: string): Promise<string> {
  try {
    return (await Deno.readTextFile(file)).replace(/^\uFEFF/, "");
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound) && !isDiskFault(cause)) throw cause;
    throw new RegistryError("disk", `Cannot read ${file}: the file does not exist or cannot be read; check its name`, {
      cause,
    });
  }
}
