/** Lost connections, killed servers, Stop, and results that must not come to the client. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { SparkClient } from "../../../src/spark/connect/client.ts";
import { sparkFrame } from "../../../src/spark/connect/frame.ts";
import { SparkError } from "../../../src/spark/connect/spark_error.ts";
import { batchAnswers } from "./_batches.ts";
import { type Fault, StubServer } from "./_stub_server.ts";

const BATCHES = [..."abcdefghij"].map((letter) => [letter]);

async function until(isReady: () => boolean): Promise<void> {
  while (!isReady()) await new Promise((resolve) => setTimeout(resolve, 2));
}

async function lettersOf(client: SparkClient): Promise<string> {
  const result = await client.collect("SELECT n FROM v");
  return (await sparkFrame(result.batches)).getColumn("n").toArray().join("");
}

Deno.test("after a lost connection each batch comes once", async (t) => {
  for (const fault of ["drop", "half", "end"] satisfies Fault[]) {
    await t.step(fault, async () => {
      await using stub = await StubServer.start({
        answers: () => batchAnswers(...BATCHES),
        fault: (index, attempt) => attempt < 3 && index === 2 * attempt + 1 ? fault : undefined,
      });
      await using client = await SparkClient.open(stub.url);
      assertEquals(await lettersOf(client), "abcdefghij");
      const [operation] = stub.operations.values();
      assertEquals([operation.attempts, operation.isReleased, operation.isInterrupted], [4, true, false]);
      const reattached = stub.calls.filter(({ method }) => method === "reattachExecute");
      assertEquals(reattached.length, 3);
      for (const { request } of reattached) assert(request.lastResponseId !== "", "begins anew");
    });
  }
});

Deno.test("a connection that is lost before the request came through executes it, once", async () => {
  let drops = 1;
  await using stub = await StubServer.start({
    answers: () => batchAnswers(...BATCHES),
    refuse: (method) => {
      if (method === "executePlan" && drops-- > 0) stub.drop();
      return undefined;
    },
  });
  await using client = await SparkClient.open(stub.url);
  assertEquals(await lettersOf(client), "abcdefghij");
  assertEquals(stub.operations.size, 1);
});

Deno.test("short calls are made again after a lost connection", async () => {
  await using stub = await StubServer.start();
  await using client = await SparkClient.open(stub.url);
  stub.drop();
  assertEquals(await client.version(), "4.3.0");
});

Deno.test("a server that shuts down while nothing runs is called again", async () => {
  await using stub = await StubServer.start();
  await using client = await SparkClient.open(stub.url);
  for (let round = 0; round < 3; round++) {
    await stub.replace();
    assertEquals(await client.version(), "4.3.0");
  }
});

Deno.test("a result that runs while its server shuts down comes whole, and the next one from another server", async () => {
  await using stub = await StubServer.start({ answers: () => batchAnswers(...BATCHES) });
  await using client = await SparkClient.open(stub.url);
  const letters = lettersOf(client);
  await until(() => stub.operations.size > 0);
  const replaced = stub.replace();
  assertEquals(await letters, "abcdefghij");
  await replaced;
  assertEquals(await lettersOf(client), "abcdefghij");
});

Deno.test("a killed server that comes back runs the statement once more, with a warning", async () => {
  const answers = () => batchAnswers(...BATCHES);
  const stub = await StubServer.start({ answers, fault: (index) => index === 4 ? "hang" : undefined });
  const warnings: string[] = [];
  await using client = await SparkClient.open(stub.url, { onWarning: (text) => warnings.push(text) });
  await client.configure({ "spark.sql.ansi.enabled": "true" });
  await client.createView("v", ["/a.parquet"]);
  const collected = client.collect("SELECT n FROM v");
  await until(() => [...stub.operations.values()].some(({ sent }) => sent === 4));
  await stub.kill();
  // The one in its place knows neither the session nor the operation.
  await using next = await StubServer.start({
    answers,
    port: stub.port,
    refuse: (_method, request) =>
      request.sessionId === stub.calls[0].request.sessionId
        ? {
          code: 13,
          message: "[INVALID_HANDLE.SESSION_NOT_FOUND] The handle is invalid.",
          info: { reason: "x", metadata: { errorClass: "INVALID_HANDLE.SESSION_NOT_FOUND" } },
        }
        : undefined,
  });
  const result = await collected;
  assertEquals(result.rows, 10);
  assertEquals(warnings.length, 1);
  assertEquals(result.warnings, warnings);
  assert(warnings[0].includes("was restarted or had ended the session"), warnings[0]);
  const commands = [...next.operations.values()].map(({ request }) => request.plan.opType.case);
  assertEquals(commands, ["command", "root"]);
  assert(next.methods.includes("config"));
});

Deno.test("a session that is lost again and again is an error", async () => {
  let isLost = false;
  const lost = {
    code: 13,
    message: "[INVALID_HANDLE.SESSION_CHANGED] gone",
    info: { reason: "x", metadata: { errorClass: "INVALID_HANDLE.SESSION_CHANGED" } },
  };
  await using stub = await StubServer.start({
    answers: () => batchAnswers(...BATCHES),
    refuse: (method) => isLost && method === "executePlan" ? lost : undefined,
  });
  await using client = await SparkClient.open(stub.url);
  await client.collect("SELECT 1");
  isLost = true;
  const error = await assertRejects(() => client.collect("SELECT 1"), SparkError, "no longer has this session");
  assertEquals([error.reason, error.errorClass], ["session", "INVALID_HANDLE.SESSION_CHANGED"]);
  assertEquals(stub.methods.filter((method) => method === "executePlan").length, 3);
});

Deno.test("a server that stays away is distinguished from Stop, and named", async () => {
  const stub = await StubServer.start({ answers: () => batchAnswers(...BATCHES), fault: () => "drop" });
  await using client = await SparkClient.open(stub.url, { reconnectMs: 60 });
  const collected = client.collect("SELECT 1");
  await stub.kill();
  const error = await assertRejects(() => collected, SparkError, "the connection was lost");
  assertEquals([error.reason, error.code, error.endpoint], ["lost", "network", stub.url]);
});

Deno.test("Stop interrupts exactly this operation, and rejects with the signal's reason", async () => {
  await using stub = await StubServer.start({
    answers: () => batchAnswers(...BATCHES),
    fault: (index) => index === 3 ? "hang" : undefined,
  });
  await using client = await SparkClient.open(stub.url);
  const [controller, otherController] = [new AbortController(), new AbortController()];
  const reason = new DOMException("Stop was pressed", "AbortError");
  const other = assertRejects(() => client.collect("SELECT 2", { signal: otherController.signal }));
  const sent = (count: number) => [...stub.operations.values()].filter(({ sent }) => sent === 3).length === count;
  await until(() => sent(1));
  const stop = client.collect("SELECT 1", { signal: controller.signal });
  await Promise.race([stop, until(() => sent(2))]);
  controller.abort(reason);
  const error = await assertRejects(() => stop);
  assertEquals(error, reason);
  const [running, stopped] = stub.operations.values();
  assertEquals([stopped.isInterrupted, stopped.isReleased], [true, true]);
  assertEquals([running.isInterrupted, running.isReleased], [false, false]);
  assertEquals(stub.methods.filter((method) => method === "interrupt").length, 1);
  otherController.abort(reason);
  await other;
  assertEquals([running.isInterrupted, running.isReleased], [true, true]);
  await assertRejects(() => client.collect("SELECT 1", { signal: AbortSignal.abort(reason) }), DOMException, "pressed");
});

Deno.test("Stop ends the wait for a lost server", async () => {
  const stub = await StubServer.start();
  await using client = await SparkClient.open(stub.url);
  await stub.kill();
  const signal = AbortSignal.timeout(30);
  await assertRejects(() => client.collect("SELECT 1", { signal }), DOMException, "timeout");
});

Deno.test("an operation that another client ended on the server is not run again", async () => {
  const info = { reason: "org.apache.spark.SparkSQLException", metadata: { errorClass: "OPERATION_CANCELED" } };
  await using stub = await StubServer.start({
    answers: () => batchAnswers(...BATCHES),
    fault: (index) => index === 2 ? { code: 13, message: "[OPERATION_CANCELED] canceled", info } : undefined,
  });
  await using client = await SparkClient.open(stub.url);
  const error = await assertRejects(() => client.collect("SELECT 1"), SparkError, "was ended on the server");
  assertEquals([error.reason, stub.operations.size], ["stopped", 1]);
});

Deno.test("a result beyond the limits ends on the engine, or is written by it", async (t) => {
  await using stub = await StubServer.start({ answers: () => batchAnswers(...BATCHES) });
  await using client = await SparkClient.open(stub.url);
  for (const limit of [{ maxRows: 4 }, { maxBytes: 500 }]) {
    await t.step(Object.keys(limit)[0], async () => {
      stub.operations.clear();
      const error = await assertRejects(() => client.collect("SELECT 1", limit), SparkError, "its result exceeds");
      assertEquals(error.reason, "too-large");
      assert(error.message.includes("option spill"), error.message);
      const [operation] = stub.operations.values();
      assertEquals([operation.isInterrupted, operation.isReleased], [true, true]);
    });
  }
  await t.step("a limit that is infinite is not named", async () => {
    const error = await assertRejects(() => client.collect("SELECT 1", { maxRows: Infinity, maxBytes: 1500 }));
    assert(error instanceof SparkError && error.message.includes("exceeds 1,500 bytes; count"), String(error));
    const other = await assertRejects(() => client.collect("SELECT 1", { maxRows: 4, maxBytes: Infinity }));
    assert(other instanceof SparkError && other.message.includes("exceeds 4 rows; count"), String(other));
  });
  await t.step("spill", async () => {
    stub.operations.clear();
    const { location, rows } = await client.spill("SELECT ?", "s3a://bucket/results", { parameters: [1] });
    assertEquals([location, rows], ["s3a://bucket/results/attempt-1", 7]);
    const { value } = [...stub.operations.values()][0].request.plan.opType.value.commandType;
    assertEquals([value.saveType.value, value.mode], [location, 3]);
    const { input, metrics } = value.input.relType.value;
    assertEquals([input.relType.value.posArguments.length, metrics.length], [1, 1]);
  });
  await t.step("within the limits", async () => {
    assertEquals((await client.collect("SELECT 1", { maxRows: 10 })).rows, 10);
  });
});
