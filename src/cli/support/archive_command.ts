/** What the commands that write archives of a registry to disk have in common. */
import { LEDGER_OPTION, QUIET_OPTION } from "./ledger.ts";
import { REGISTRY_OPTIONS } from "./registry.ts";

export const ARCHIVE_OPTIONS = { ...REGISTRY_OPTIONS, ...LEDGER_OPTION, ...QUIET_OPTION } as const;

export const ARCHIVE_PERMISSIONS: readonly string[] = [
  "--allow-read",
  "--allow-write",
  "--allow-net",
  "--allow-env",
  "--allow-sys (free space)",
  "--allow-ffi",
];
