/**
 * The heavy checks: what each shows, what it needs, what changes call for it. `deno task checks --list` prints them,
 * `_runner/` runs them, and the table of `README.md` is written from them.
 */
import type { Check } from "./_runner/check.ts";
import { ANALYSES } from "./_rows/analyses.ts";
import { CLUSTER } from "./_rows/cluster.ts";
import { DATA } from "./_rows/data.ts";
import { NOTEBOOKS } from "./_rows/notebooks.ts";
import { PROJECT } from "./_rows/project.ts";
import { REGISTRY } from "./_rows/registry.ts";

export const CHECKS: readonly Check[] = [
  ...REGISTRY,
  ...DATA,
  ...ANALYSES,
  ...CLUSTER,
  ...NOTEBOOKS,
  ...PROJECT,
];
