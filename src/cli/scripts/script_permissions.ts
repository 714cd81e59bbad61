/** Permissions of a script: what the toolkit needs without a network, and what the command line adds. */
import { tmpdir } from "node:os";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { resolveTarget } from "@seqreg/core/registry/connect";
import type { CommandContext } from "../support/command.ts";

/** Options of `seqreg run` that allow more. */
export const PERMISSION_OPTIONS = {
  "allow-net": {
    type: "boolean",
    inlineValue: true,
    value: "HOST,…",
    describe: "allow the network, or these hosts alone (default: the host of SEQREG_URL)",
  },
  "allow-write": {
    type: "boolean",
    inlineValue: true,
    value: "PATH,…",
    describe: "allow writing anywhere, or to these paths too (default: the working directory, the cache and the " +
      "temporary directory)",
  },
  "allow-run": {
    type: "boolean",
    inlineValue: true,
    value: "PROGRAM,…",
    describe: "allow starting programs, or these alone (default: none)",
  },
  "allow-import": {
    type: "boolean",
    inlineValue: true,
    value: "HOST,…",
    describe: "allow importing code from these hosts (default: those that Deno allows)",
  },
  "allow-all": { type: "boolean", short: "A", describe: "allow everything" },
} as const;

/**
 * Lists the permissions of a script as arguments of `deno run`.
 *
 * Reading, the environment, `sys` and `ffi` are allowed (polars and DuckDB are native libraries); writing where
 * results, the cache and temporary files go; the network only to the registry that `SEQREG_URL` names.
 */
export function scriptPermissions({ flags, env }: Pick<CommandContext, "flags" | "env">): string[] {
  if (flags.has("allow-all")) return ["--allow-all"];
  // Deno splits the list at commas and knows no way to write one: the working directory may have them in its name.
  const own = [".", ...[cacheFolder(env), tmpdir()].filter((folder) => !folder.includes(","))];
  const hosts = hostOf(env("SEQREG_URL"));
  return [
    "--allow-read",
    "--allow-env",
    "--allow-sys",
    "--allow-ffi",
    ...granted("allow-write", own),
    ...granted("allow-net", hosts),
    ...granted("allow-run", []),
    ...granted("allow-import", []),
  ];

  /** A bare flag allows all; a list is added to what is allowed anyway. */
  function granted(name: keyof typeof PERMISSION_OPTIONS, always: readonly string[]): string[] {
    if (flags.has(name)) return [`--${name}`];
    const listed = flags.text(name);
    const all = [...always, ...listed === undefined ? [] : [listed]];
    return all.length === 0 ? [] : [`--${name}=${all.join(",")}`];
  }
}

/** The host of the registry that an address names; what is not one is for the script to report. */
function hostOf(url: string | undefined): string[] {
  try {
    const target = resolveTarget(url);
    return target.kind === "live" ? [new URL(target.url).host] : [];
  } catch {
    return [];
  }
}
