/** The option that chooses who computes. */
import type { Engine } from "../../engine/engine.ts";
import { type CommandContext, type OptionSpecs, UsageError } from "./command.ts";

/** `--engine` of commands that read lakes. */
export const ENGINE_OPTION = {
  engine: {
    type: "string",
    value: "URL",
    describe:
      "Spark Connect server that computes, sc://HOST:PORT; SEQREG_SPARK_TOKEN is its token (default: no server)",
  },
} satisfies OptionSpecs;

/** The engine of `--engine`; `undefined` for this process. @throws {UsageError} If the URL is wrong. */
export async function readEngine({ flags, env, note }: CommandContext): Promise<Engine | undefined> {
  const url = flags.text("engine");
  if (url === undefined) return undefined;
  const { spark } = await import("../../engine/spark_engine/spark.ts");
  const token = env("SEQREG_SPARK_TOKEN");
  try {
    return spark(url, { onWarning: note, ...token !== undefined && { token } });
  } catch (cause) {
    throw cause instanceof TypeError ? new UsageError(cause.message, { cause }) : cause;
  }
}
