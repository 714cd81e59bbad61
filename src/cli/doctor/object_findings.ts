/** What `seqreg doctor` reports about lakes in object stores: DuckDB's extension, and as whom a store is asked. */
import { messageOf } from "@seqreg/core/errors";
import { findHttpfs, installHttpfs } from "@seqreg/core/engine/local/find_httpfs";
import { duckdbVersion } from "@seqreg/core/engine/local/lake_sql";
import { findStoreAccess } from "@seqreg/core/io/objects";
import type { Finding } from "../support/cache_finding.ts";

/** Looks for the extension and for credentials; shows no key, and asks no store. */
export async function findObjectSupport(env: (name: string) => string | undefined): Promise<Finding[]> {
  return [await extensionFinding(env), await storeFinding(env)];
}

async function extensionFinding(env: (name: string) => string | undefined): Promise<Finding> {
  const subject = "httpfs";
  const version = await duckdbVersion().catch(() => undefined);
  if (version === undefined) return { subject, state: "not looked for, since DuckDB does not load" };
  const path = await findHttpfs(version, env);
  if (path !== undefined) return { subject, state: path };
  return { subject, state: "not found", advice: `SQL over a lake on s3:// needs it: ${installHttpfs(version)}` };
}

async function storeFinding(env: (name: string) => string | undefined): Promise<Finding> {
  const subject = "store";
  try {
    const { origin, region, endpoint } = await findStoreAccess("a lake on s3://", {}, env);
    const as = origin === "anonymous" ? "requests are not signed" : `key of ${origin}`;
    return { subject, state: `${as}, ${endpoint ?? "AWS"}, region ${region}` };
  } catch (cause) {
    const [state, ...advice] = messageOf(cause).replace(/^Cannot use a lake on s3:\/\/: /, "").split("; ");
    return { subject, state, ...advice.length > 0 && { advice: `for a lake on s3:// ${advice.join("; ")}` } };
  }
}
