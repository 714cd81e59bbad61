/** The option that chooses who computes. */
import { isOffline } from "@seqreg/core/options/is_offline";
import type { Engine } from "@seqreg/core/engine/engine";
import type { SparkEndpoint } from "@seqreg/spark/connect/connection_string";
import { RegistryError } from "@seqreg/core/errors";
import { type CommandContext, type OptionSpecs, readGiven, UsageError } from "./command.ts";

/** `--engine` of commands that read lakes. */
export const ENGINE_OPTION = {
  engine: {
    type: "string",
    value: "URL",
    describe:
      "Spark Connect server that computes, sc://HOST:PORT; SEQREG_SPARK_TOKEN is its token (default: no server)",
  },
  spill: {
    type: "string",
    value: "DIR|URL",
    describe: "folder or s3://BUCKET/PREFIX that Spark and this machine share, for results over 100,000 rows or " +
      "64 MiB (default: none, an error)",
  },
} satisfies OptionSpecs;

/** Permissions of a command that reads a lake, here or by an engine. */
export const LAKE_PERMISSIONS: readonly string[] = [
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-sys",
  "--allow-ffi",
  "--allow-net (with --engine, or a lake in an object store)",
];

export interface EngineAddress {
  readonly url: string;
  /** The same, read, with the token. */
  readonly endpoint: SparkEndpoint;
  /** Token; replaces that of the connection string. */
  readonly token?: string;
}

/**
 * Reads `--engine`; `undefined` without it. Nothing is asked yet.
 *
 * @throws {UsageError} If the URL is wrong.
 * @throws {RegistryError} With code `offline` if `SEQREG_OFFLINE` is set and the server is not on this machine.
 */
export async function readEngineAddress({ flags, env }: CommandContext): Promise<EngineAddress | undefined> {
  const url = flags.text("engine");
  if (url === undefined) return undefined;
  const { SparkEndpoint } = await import("@seqreg/spark/connect/connection_string");
  const token = env("SEQREG_SPARK_TOKEN") || undefined;
  const endpoint = readGiven(() => SparkEndpoint.parse(url, { token }));
  if (isOffline(env("SEQREG_OFFLINE")) && !endpoint.isLoopback) {
    throw new RegistryError(
      "offline",
      `Cannot use ${endpoint.address}: SEQREG_OFFLINE forbids the network; unset it`,
    );
  }
  return { url, endpoint, token };
}

/** The engine of `--engine`; `undefined` for this process. @throws {UsageError} If an option is wrong. */
export async function readEngine(context: CommandContext): Promise<Engine | undefined> {
  const spill = context.flags.text("spill");
  const address = await readEngineAddress(context);
  if (address === undefined && spill !== undefined) {
    throw new UsageError("Option --spill needs --engine: results of this process are not written to a folder");
  }
  if (address === undefined) return undefined;
  const { url, token } = address;
  const { spark } = await import("@seqreg/spark/engine/spark");
  return readGiven(() => spark(url, { onWarning: context.note, token, spill }));
}
