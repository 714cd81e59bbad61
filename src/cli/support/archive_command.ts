/** What the commands that bring archives of a registry to disk have in common. */
import { LEDGER_OPTION, QUIET_OPTION } from "./ledger.ts";
import { REGISTRY_OPTIONS } from "./registry.ts";

/** Their options, beside those of their own. */
export const ARCHIVE_OPTIONS = { ...REGISTRY_OPTIONS, ...LEDGER_OPTION, ...QUIET_OPTION } as const;

/** What they must be allowed. */
export const ARCHIVE_PERMISSIONS: readonly string[] = [
  "--allow-read",
  "--allow-write",
  "--allow-net",
  "--allow-env",
  "--allow-sys (free space)",
  "--allow-ffi",
];
