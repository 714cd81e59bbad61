import { assertEquals, assertRejects } from "@std/assert";
import { execute, type ExecuteOptions } from "../../../src/spark/connect/_execute.ts";
import { rowsPlan } from "../../../src/spark/connect/_relations.ts";
import { openRpc } from "../../../src/spark/connect/_rpc.ts";
import { Session } from "../../../src/spark/connect/_session.ts";
import { SparkEndpoint } from "../../../src/spark/connect/connection_string.ts";
import { SparkError } from "../../../src/spark/connect/spark_error.ts";
import { batchAnswers } from "./_batches.ts";
import { type Fault, type StubOperation, type StubOptions, StubServer } from "./_stub_server.ts";

/** Cases of the answers of a query at a stub whose streams fall silent. */
async function answersOf(fault: (index: number, attempt: number) => Fault | undefined, reconnectMs: number) {
  await using stub = await StubServer.start({ answers: () => batchAnswers(["a"], ["b"], ["c"]), fault });
  const endpoint = SparkEndpoint.parse(stub.url);
  const rpc = await openRpc(endpoint, undefined);
  const session = new Session({ rpc, endpoint, timeoutMs: 5000, reconnectMs });
  const rows: (bigint | undefined)[] = [];
  try {
    const plan = rowsPlan({ sql: "SELECT 1" });
    for await (const { responseType } of execute(session, { task: "run the query", plan, silenceMs: 150 })) {
      if (responseType.case === "arrowBatch") rows.push(responseType.value.startOffset);
    }
  } finally {
    rpc.close();
  }
  return { rows, attempts: [...stub.operations.values()][0].attempts };
}

Deno.test("a connection that falls silent is taken up again, however often, while answers come", async () => {
  const { rows, attempts } = await answersOf((index, attempt) => index > attempt ? "hang" : undefined, 400);
  assertEquals([rows, attempts], [[0n, 1n, 2n], 4]);
});

Deno.test("a connection that stays silent is an error after its time", async () => {
  const error = await assertRejects(() => answersOf((index) => index === 1 ? "hang" : undefined, 100), SparkError);
  assertEquals(error.reason, "lost");
});

/** Rows of a result that one stream cannot hold, read with a pause after the first batch until something is so. */
async function rowsAfterPause(
  server: StubOptions,
  reader: Pick<ExecuteOptions, "keepMs" | "maxPauseMs">,
  isOver: (operation: StubOperation) => boolean,
) {
  const wide = "x".repeat(512 * 1024);
  const answers = batchAnswers(...Array(20).fill([wide]));
  await using stub = await StubServer.start({ answers: () => answers, ...server });
  const endpoint = SparkEndpoint.parse(stub.url);
  const rpc = await openRpc(endpoint, undefined);
  const session = new Session({ rpc, endpoint, timeoutMs: 5000, reconnectMs: 5000 });
  const rows: (bigint | undefined)[] = [];
  let thrown: unknown;
  try {
    for await (
      const { responseType } of execute(session, {
        task: "run the query",
        plan: rowsPlan({ sql: "SELECT 1" }),
        ...reader,
      })
    ) {
      if (responseType.case === "arrowBatch") rows.push(responseType.value.startOffset);
      const [operation] = stub.operations.values();
      while (rows.length === 1 && !isOver(operation)) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } catch (error) {
    thrown = error;
  } finally {
    rpc.close();
  }
  const [operation] = stub.operations.values();
  return { rows, thrown, operation };
}

Deno.test("a reader may pause for longer than a server keeps what no stream is attached to", async () => {
  const server = { streamMs: 100, detachedMs: 1000 };
  const begun = performance.now();
  const { rows, thrown, operation } = await rowsAfterPause(
    server,
    { keepMs: 50 },
    () => performance.now() - begun > 2500,
  );
  assertEquals(thrown, undefined);
  assertEquals(rows, Array.from({ length: 20 }, (_, row) => BigInt(row)));
  assertEquals([operation.isAbandoned, operation.isReleased, operation.isInterrupted], [false, true, false]);
});

Deno.test("a result that the server gave up during a pause is an error that says so", async () => {
  const server = { streamMs: 30, detachedMs: 60 };
  const { rows, thrown } = await rowsAfterPause(server, {}, ({ isAbandoned }) => isAbandoned);
  assertEquals(rows.length < 20, true);
  assertEquals(thrown instanceof SparkError && [thrown.reason, thrown.code], ["abandoned", "timeout"], String(thrown));
});

Deno.test("a pause beyond its limit ends the operation on the engine, and then is an error", async () => {
  const { rows, thrown, operation } = await rowsAfterPause(
    {},
    { keepMs: 20, maxPauseMs: 50 },
    ({ isReleased }) => isReleased,
  );
  assertEquals(rows, [0n]);
  assertEquals(thrown instanceof SparkError && thrown.reason, "abandoned", String(thrown));
  assertEquals(String(thrown).includes("was not read for too long"), true, String(thrown));
  assertEquals([operation.isInterrupted, operation.isReleased], [true, true]);
});
