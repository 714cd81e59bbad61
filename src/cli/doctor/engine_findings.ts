/** What `seqreg doctor` reports about Spark: the client here, and with `--engine` the server. */
import { messageOf } from "@seqreg/core/errors";
import type { SparkClient } from "@seqreg/spark/connect/client";
import type { SparkEndpoint } from "@seqreg/spark/connect/connection_string";
import { isTried, TRIED_VERSION } from "@seqreg/spark/connect/version";
import type { Finding } from "../support/cache_finding.ts";
import type { EngineAddress } from "../support/engine.ts";

type Env = (name: string) => string | undefined;

/** The variable that holds the token; its value is never shown. */
const TOKEN = "SEQREG_SPARK_TOKEN";

/** Milliseconds that a cluster has to compute four rows: a task has to be sent to an executor. */
const COMPUTE_MS = 30_000;

/** Two tasks whose sum Spark cannot know without running them. */
const PROBE = "SELECT sum(id * 2) AS n FROM range(0, 4, 1, 2)";
const PROBE_SUM = 12;

/** Looks for the client's packages and for a token; asks no server. */
export async function findSparkSupport(env: Env): Promise<Finding[]> {
  return [await clientFinding(), await tokenFinding(env)];
}

async function clientFinding(): Promise<Finding> {
  const subject = "Spark";
  try {
    const { SparkClient } = await import("@seqreg/spark/connect/client");
    await SparkClient.load();
    return { subject, state: `the client loads, tried with Spark ${TRIED_VERSION}` };
  } catch (cause) {
    const why = messageOf(cause).split("\n", 1)[0];
    return { subject, state: `the client does not load (${why})`, advice: "install seqreg again, with its packages" };
  }
}

async function tokenFinding(env: Env): Promise<Finding> {
  const subject = "Spark token";
  const token = env(TOKEN);
  if (!token) return { subject, state: `${TOKEN} is not set` };
  const { SparkEndpoint } = await import("@seqreg/spark/connect/connection_string");
  try {
    SparkEndpoint.parse("sc://localhost", { token });
    return { subject, state: `${TOKEN} is set` };
  } catch {
    const advice = "set it again: printable ASCII without spaces or line breaks";
    return { subject, state: `${TOKEN} is set and cannot be sent`, advice };
  }
}

export interface ExaminedEngine extends EngineAddress {
  readonly signal: AbortSignal;
  /** Milliseconds that the cluster has to compute something; 30,000 by default. */
  readonly computeMs?: number;
}

/**
 * Asks a Spark Connect server for its version and for a small sum.
 *
 * @throws {SparkError} If it is not reached, refuses the token or is too old; the message includes what to do.
 */
export async function examineEngine({ url, endpoint, token, signal, computeMs }: ExaminedEngine): Promise<Finding[]> {
  const { SparkClient } = await import("@seqreg/spark/connect/client");
  const started = performance.now();
  await using client = await SparkClient.open(url, { token, signal });
  const ms = performance.now() - started;
  return [
    { subject: "engine", state: `${endpoint.address} answers in ${ms.toFixed(0)} ms` },
    versionFinding(await client.version(signal)),
    tlsFinding(endpoint),
    sentTokenFinding(endpoint),
    await computeFinding(client, signal, computeMs ?? COMPUTE_MS),
  ];
}

function versionFinding(version: string): Finding {
  const subject = "version";
  if (isTried(version)) return { subject, state: `Spark ${version}, tried` };
  return {
    subject,
    state: `Spark ${version}, not tried: ${TRIED_VERSION} is`,
    advice: "compare one analysis before you rely on others: lake.check(recipe)",
  };
}

function tlsFinding({ isSecure, isLoopback }: SparkEndpoint): Finding {
  const subject = "TLS";
  if (isSecure) return { subject, state: "used, and the certificate is trusted" };
  if (isLoopback) return { subject, state: "not used: the server is on this machine" };
  return {
    subject,
    state: "not used: queries and results are sent in plain text",
    advice: "add ;use_ssl=true to the address if the server has a certificate",
  };
}

function sentTokenFinding({ hasToken, isLoopback }: SparkEndpoint): Finding {
  const subject = "token";
  if (hasToken) return { subject, state: "sent, and not refused" };
  if (isLoopback) return { subject, state: "not sent, and not asked for" };
  return {
    subject,
    state: "not sent, and not asked for: all who reach the server can run programs on it",
    advice: `set spark.connect.authenticate.token on the server, and ${TOKEN} here`,
  };
}

async function computeFinding(client: SparkClient, signal: AbortSignal, computeMs: number): Promise<Finding> {
  const subject = "computes";
  const started = performance.now();
  try {
    const { sparkFrame } = await import("@seqreg/spark/connect/frame");
    const limit = AbortSignal.timeout(computeMs);
    const result = await client.collect(PROBE, { signal: AbortSignal.any([signal, limit]) });
    const sum = Number((await sparkFrame(result.batches)).toRecords()[0]?.n);
    if (sum === PROBE_SUM) return { subject, state: `a sum in ${(performance.now() - started).toFixed(0)} ms` };
    return { subject, state: `a sum is ${sum} instead of ${PROBE_SUM}`, advice: "do not use this server" };
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof DOMException)) return { subject, state: "no", advice: messageOf(cause) };
    return {
      subject,
      state: `no result in ${computeMs / 1000} s`,
      advice: "look in Spark's web page whether executors run and have free cores",
    };
  }
}
