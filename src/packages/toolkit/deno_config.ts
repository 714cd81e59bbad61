/** The checkout's `deno.json`, as far as packages are made of it. */
import { join } from "node:path";

/** Parts of `deno.json`. */
export interface DenoConfig {
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
  readonly compilerOptions: { readonly types: readonly string[] };
}

/** Reads the configuration of a checkout. */
export async function readDenoConfig(root: string): Promise<DenoConfig> {
  return JSON.parse(await Deno.readTextFile(join(root, "deno.json")));
}
