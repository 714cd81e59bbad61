import { assertEquals, assertRejects } from "@std/assert";
import { execute } from "../../../src/spark/connect/_execute.ts";
import { rowsPlan } from "../../../src/spark/connect/_relations.ts";
import { openRpc } from "../../../src/spark/connect/_rpc.ts";
import { Session } from "../../../src/spark/connect/_session.ts";
import { SparkEndpoint } from "../../../src/spark/connect/connection_string.ts";
import { SparkError } from "../../../src/spark/connect/spark_error.ts";
import { batchAnswers } from "./_batches.ts";
import { type Fault, StubServer } from "./_stub_server.ts";

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
