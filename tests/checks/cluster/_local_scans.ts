/** Notices queries of polars that read files in this process, from any caller. */
import { createRequire } from "node:module";

/** What ends a lazy query, and so reads its files. */
const ENDINGS = ["collect", "collectSync", "fetchSync", "sinkCsv", "sinkIpc", "sinkJson", "sinkParquet"];

type Method = (this: { describePlan(): string }, ...args: unknown[]) => unknown;

const scans: string[] = [];
watchPolars();

/** Counts the scans of files while work is done in this process. */
export async function countLocalScans(work: () => Promise<void>): Promise<number> {
  scans.length = 0;
  await work();
  return scans.length;
}

/** Puts a counter before what ends lazy queries and what reads Parquet at once, in polars' own native module. */
function watchPolars(): void {
  const require = createRequire(import.meta.resolve("nodejs-polars"));
  const native = require("nodejs-polars/bin/native-polars.js");
  const lazy: Record<string, Method> = native.JsLazyFrame.prototype;
  for (const name of ENDINGS) {
    const own = lazy[name];
    if (typeof own !== "function") throw new Error(`polars has no ${name}()`);
    lazy[name] = function (...args) {
      const plan = this.describePlan();
      if (/ SCAN /.test(plan)) scans.push(plan);
      return own.apply(this, args);
    };
  }
  const readParquet: (...args: unknown[]) => unknown = native.readParquet;
  native.readParquet = (...args: unknown[]) => {
    scans.push(String(args[0]));
    return readParquet(...args);
  };
}
