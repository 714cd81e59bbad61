import { assertEquals, assertRejects } from "@std/assert";
import { SparkClient } from "../../../src/spark/connect/client.ts";
import { sparkFrame } from "../../../src/spark/connect/frame.ts";
import type { SparkProgress } from "../../../src/spark/connect/options.ts";
import { batchAnswers } from "./_batches.ts";
import { type Fields, StubServer } from "./_stub_server.ts";

/** A stub whose every query has two batches, and a client of it. */
async function withTwoBatches() {
  const stub = await StubServer.start({ answers: () => batchAnswers(["a", "b"], ["c"]) });
  return { stub, client: await SparkClient.open(stub.url) };
}

Deno.test("a statement's batches come in order, and become a frame", async () => {
  const { stub, client } = await withTwoBatches();
  await using _stub = stub;
  await using _client = client;
  const result = await client.collect("SELECT n FROM v");
  assertEquals([result.rows, result.batches.length, result.warnings], [3, 2, []]);
  assertEquals((await sparkFrame(result.batches)).getColumn("n").toArray(), ["a", "b", "c"]);
  assertEquals([client.endpoint, await client.version()], [stub.url, "4.3.0"]);
  const [operation] = stub.operations.values();
  assertEquals([operation.isReleased, operation.isInterrupted, operation.attempts], [true, false, 1]);
});

Deno.test("every call carries session, user and headers, and the session that the server has", async () => {
  const stub = await StubServer.start({ answers: () => batchAnswers(["a"]) });
  await using _stub = stub;
  {
    await using client = await SparkClient.open(`${stub.url}/;user_id=ada;x-lab=7;use_ssl=false;token=SECRET`);
    await client.collect("SELECT 1");
    assertEquals(Deno.inspect(client, { depth: 9 }).includes("SECRET"), false);
  }
  assertEquals(stub.methods.filter((method) => method !== "releaseExecute"), [
    "analyzePlan",
    "executePlan",
    "releaseSession",
  ]);
  for (const [index, { method, request, headers }] of stub.calls.entries()) {
    assertEquals(request.userContext.userId, "ada");
    assertEquals([headers.authorization, headers["x-lab"]], ["Bearer SECRET", "7"]);
    assertEquals(request.sessionId, stub.calls[0].request.sessionId);
    // Without it, a restarted server would begin a session without the settings and views of the lost one.
    const observed = request.clientObservedServerSideSessionId ?? "";
    if (method !== "releaseSession") assertEquals(observed === "", index === 0, method);
  }
});

Deno.test("values and names are sent as such, never as text of the statement", async () => {
  const { stub, client } = await withTwoBatches();
  await using _stub = stub;
  await using _client = client;
  const sql = "SELECT * FROM f WHERE n = ? AND d > ?";
  const frames = [{ name: "f_1", arrow: batchAnswers(["x"])[0].responseType.value.data }];
  await client.collect(sql, { parameters: ["' OR 1=1", 2n ** 60n], frames });
  await client.collect("SELECT :a", { parameters: { a: null } });
  const [first, second] = [...stub.operations.values()].map(({ request }) => request.plan.opType.value.relType);
  assertEquals(first.case, "withRelations");
  const { root, references } = first.value;
  assertEquals(root.relType.value.query, sql);
  assertEquals(root.relType.value.posArguments.map((value: Fields) => value.exprType.value.literalType.value), [
    "' OR 1=1",
    2n ** 60n,
  ]);
  assertEquals(references[0].relType.value.alias, "f_1");
  assertEquals(new Uint8Array(references[0].relType.value.input.relType.value.data), frames[0].arrow);
  assertEquals(second.value.namedArguments.a.exprType.value.literalType.case, "null");
});

Deno.test("a view names each of its files, and none is a pattern", async () => {
  const { stub, client } = await withTwoBatches();
  await using _stub = stub;
  await using _client = client;
  const parts = ["/data/a=1/part-[0].parquet", "s3a://bucket/x/{b}*.parquet"];
  await client.createView("my `view", parts);
  const [{ request }] = stub.operations.values();
  const { commandType } = request.plan.opType.value;
  assertEquals(commandType.case, "createDataframeView");
  assertEquals(commandType.value.name, "`my ``view`");
  const { paths, format, options } = commandType.value.input.relType.value.readType.value;
  assertEquals([format, paths], ["parquet", [
    "file:///data/a=1/part-\\[0\\].parquet",
    "s3a://bucket/x/\\{b\\}\\*.parquet",
  ]]);
  assertEquals({ ...options }, {
    recursiveFileLookup: "true",
    ignoreMissingFiles: "false",
    ignoreCorruptFiles: "false",
  });
  await assertRejects(() => client.createView("empty", []), RangeError, 'view "empty" of no files');
  for (const hidden of ["/data/_part.parquet", "/data/.part.parquet", "part._COPYING_"]) {
    await assertRejects(() => client.createView("v", [...parts, hidden]), TypeError, "begins with . or _");
  }
});

Deno.test("a frame is read by one statement at a time under its name, and takes no view's place", async () => {
  let running = 0;
  let most = 0;
  await using stub = await StubServer.start({
    answers: ({ plan }) => {
      if (plan.opType.value.relType.case === "withRelations") most = Math.max(most, ++running);
      return batchAnswers(["a"]);
    },
    // The first stream ends without an answer: until the second one, another statement could begin.
    fault: (index, attempt) => {
      if (index === 0 && attempt === 0) return "end";
      if (index === 0) running--;
      return undefined;
    },
  });
  await using client = await SparkClient.open(stub.url);
  const arrow = batchAnswers(["x"])[0].responseType.value.data;
  const collect = (name: string) => client.collect(`SELECT * FROM ${name}`, { frames: [{ name, arrow }] });
  await Promise.all(["f", "F", "f", "f"].map(collect));
  assertEquals([most, stub.operations.size], [1, 4]);
  await client.createView("Main", ["/a.parquet"]);
  await assertRejects(() => collect("main"), TypeError, "a view has this name");
  await assertRejects(() => collect("f x"), TypeError, "letters, digits and _");
  const large = { name: "g", arrow: new Uint8Array(64 * 1024 * 1024 + 1) };
  await assertRejects(() => client.collect("SELECT 1", { frames: [large] }), RangeError, "at most 67108864");
});

Deno.test("progress is reported in tasks and bytes", async () => {
  const stage = { numTasks: 4n, numCompletedTasks: 1n, inputBytesRead: 10n };
  const value = { stages: [stage, stage], numInflightTasks: 2n };
  const progress = { responseType: { case: "executionProgress", value } };
  await using stub = await StubServer.start({ answers: () => [progress, ...batchAnswers(["a"])] });
  await using client = await SparkClient.open(stub.url);
  const seen: SparkProgress[] = [];
  await client.collect("SELECT 1", { onProgress: (progress) => seen.push(progress) });
  assertEquals(seen, [{ tasks: 8, done: 2, running: 2, bytesRead: 20 }]);
});

Deno.test("settings are set and read, and a result is written below its folder", async () => {
  const { stub, client } = await withTwoBatches();
  await using _stub = stub;
  await using _client = client;
  await client.configure({ "spark.sql.session.timeZone": "UTC" });
  assertEquals(await client.settings(["spark.sql.ansi.enabled"]), {});
  assertEquals(await client.spill("SELECT * FROM v", "/results/a b"), { location: "/results/a b/attempt-1", rows: 7 });
  const { value } = [...stub.operations.values()][0].request.plan.opType.value.commandType;
  assertEquals([value.saveType.value, value.source, value.mode], ["file:///results/a b/attempt-1", "parquet", 3]);
});

Deno.test("Spark before 4 is refused, and so are parameters of other types", async () => {
  await using stub = await StubServer.start({ version: "3.5.1" });
  await assertRejects(() => SparkClient.open(stub.url), Error, "it is Spark 3.5.1");
  await using four = await StubServer.start();
  await using client = await SparkClient.open(four.url);
  await assertRejects(() => client.collect("SELECT 1", { parameters: [{}] as never }), TypeError, "parameter 1");
  assertEquals(four.operations.size, 0);
});

Deno.test("a client that was closed refuses at once, and connects no more", async () => {
  await using stub = await StubServer.start({ answers: () => batchAnswers(["a"]) });
  const client = await SparkClient.open(stub.url);
  await client[Symbol.asyncDispose]();
  const calls = stub.calls.length;
  await assertRejects(() => client.version(), TypeError, "this client was closed");
  await assertRejects(() => client.collect("SELECT 1"), TypeError, "this client was closed");
  assertEquals(stub.calls.length, calls);
});
