/** Options of a Spark Connect client. */
import { MOST_MS } from "@seqreg/core/io/tasks";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import type { SparkProgress } from "./_execute.ts";
import type { SparkFrame } from "./frame.ts";
import type { SparkParameters } from "./parameters.ts";

export type { SparkProgress };

/** How a Spark Connect server is reached. */
export interface SparkOptions {
  /** Bearer token; replaces that of the connection string. Never shown. */
  readonly token?: string;
  /** Header fields of every call, besides those of the connection string. Their values are never shown. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Certificates of authorities to trust in addition to those of the platform, as PEM. */
  readonly ca?: string;
  /** Ends opening. */
  readonly signal?: AbortSignal;
  /** Milliseconds that a short call may take, such as that for the version; 30,000 by default. */
  readonly timeoutMs?: number;
  /** Milliseconds in which a lost connection must be back; 60,000 by default. */
  readonly reconnectMs?: number;
  /** Takes a sentence when a statement runs a second time, because the server lost the session. */
  readonly onWarning?: (text: string) => void;
}

export const SPARK_OPTIONS = {
  token: rule.concealed(rule.text),
  headers: rule.concealed(rule.recordOf(rule.text, "texts by name")),
  ca: rule.text,
  signal: rule.signal,
  timeoutMs: rule.number({ above: 0, to: MOST_MS }),
  reconnectMs: rule.number({ from: 0, to: MOST_MS }),
  onWarning: rule.callback(),
} satisfies OptionRules<SparkOptions>;

/** Options of a statement. */
export interface SparkStatementOptions {
  /** Values of `?` in their order, or of `:name` by name. */
  readonly parameters?: SparkParameters;
  /** Frames that the statement reads by name. */
  readonly frames?: readonly SparkFrame[];
  /** Ends the statement, on the engine too, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Takes progress; must be quick and must not throw. */
  readonly onProgress?: (progress: SparkProgress) => void;
}

/** Options of a statement whose rows come to the client. */
export interface SparkQueryOptions extends SparkStatementOptions {
  /** Rows that may come to the client; 100,000 by default. */
  readonly maxRows?: number;
  /** Bytes of Arrow that may come to the client; 64 MiB by default. */
  readonly maxBytes?: number;
}
