import { assertEquals, assertRejects } from "@std/assert";
import { interruptible } from "../../../../src/core/engine/local/_closed_duckdb.ts";

Deno.test("interruptible() does not begin a statement whose signal aborted while it was prepared", async () => {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  let begun = 0;
  const run = (signal?: AbortSignal) =>
    interruptible(connection, signal, () => connection.runAndReadAll(`SELECT ${++begun}`), (cause) => cause);
  await assertRejects(() => run(AbortSignal.abort(new Error("stopped"))), Error, "stopped");
  assertEquals([begun, (await run()).getRows()], [0, [[1]]]);
  connection.closeSync();
  instance.closeSync();
});
