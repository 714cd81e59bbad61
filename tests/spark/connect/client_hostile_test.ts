/** Refusals, and servers that lie, break off or speak another protocol. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { SparkClient } from "../../../src/spark/connect/client.ts";
import { sparkFrame } from "../../../src/spark/connect/frame.ts";
import { SparkError, type SparkReason } from "../../../src/spark/connect/spark_error.ts";
import { AUTHORITY, UNTRUSTED } from "../../core/client/_certificate.ts";
import { batchAnswers } from "./_batches.ts";
import { type Fault, type Fields, sparkStatus, type Status, StubServer } from "./_stub_server.ts";

/** What a query at a stub fails with. */
async function failureOf(options: Parameters<typeof StubServer.start>[0], open = {}): Promise<SparkError> {
  await using stub = await StubServer.start({ answers: () => batchAnswers(["a"], ["b"]), ...options });
  return await assertRejects(async () => {
    await using client = await SparkClient.open(stub.url, { reconnectMs: 40, ...open });
    await client.collect("SELECT 1");
  }, SparkError);
}

Deno.test("each failure of Spark has its reason, and says what to do next", async (t) => {
  const analysis = { classes: '["org.apache.spark.sql.AnalysisException"]' };
  const cases: Record<string, [status: Status, reason: SparkReason, code: string, says: string]> = {
    "a table that is absent": [
      sparkStatus("TABLE_OR_VIEW_NOT_FOUND", "no table; line 1 pos 14;\n'Project [*]\n+- X", {
        ...analysis,
        sqlState: "42P01",
      }),
      "refused",
      "invalid-request",
      "no table; line 1 pos 14; check the statement",
    ],
    "syntax": [
      sparkStatus("PARSE_SYNTAX_ERROR", "at or near\n\n== SQL ==\nSELEC\n^^^"),
      "refused",
      "invalid-request",
      "Spark's own SQL",
    ],
    "a failed task": [sparkStatus("DIVIDE_BY_ZERO", "Division by zero", { sqlState: "22012" }), "failed", "status", ""],
    "a lost file": [
      sparkStatus("FAILED_READ_FILE.FILE_NOT_EXIST", "no such file", { sqlState: "KD001" }),
      "unreadable",
      "damaged",
      "no such file; check that the engine can reach the file",
    ],
    "no s3a": [
      sparkStatus(
        "X",
        "java.lang.RuntimeException: java.lang.ClassNotFoundException: Class org.apache.hadoop.fs.s3a.S3AFileSystem " +
          "not found",
      ),
      "no-s3a",
      "object-store",
      "put hadoop-aws, of the version of its Hadoop",
    ],
    "no SDK": [
      sparkStatus("FAILED_READ_FILE.X", "NoClassDefFoundError: software/amazon/awssdk/core/exception/SdkException"),
      "no-s3a",
      "object-store",
      "docs/object_stores.md",
    ],
    "no key for s3a": [
      sparkStatus(
        "X",
        "s3a://b/k: org.apache.hadoop.fs.s3a.auth.NoAuthWithAWSException: No AWS Credentials provided by",
      ),
      "no-access",
      "object-store",
      "give the engine a key of its own",
    ],
    "another missing class": [sparkStatus("X", "ClassNotFoundException: org.example.Udf"), "failed", "status", "Udf"],
    "a full disk": [
      {
        code: 13,
        message: "Job aborted: java.io.IOException: No space left on device",
        info: { reason: "E", metadata: {} },
      },
      "disk",
      "disk",
      "free space on the engine's workers",
    ],
    "the driver's limit": [
      sparkStatus("X", "bigger than spark.driver.maxResultSize"),
      "too-large",
      "invalid-request",
      "option spill",
    ],
    "a wrong token": [{ code: 16, message: "Invalid authentication token" }, "token", "status", "check the token"],
    "no right": [{ code: 7, message: "PERMISSION_DENIED" }, "token", "status", "refused the credentials"],
    "a result that was given up": [
      sparkStatus("INVALID_HANDLE.OPERATION_ABANDONED", "abandoned"),
      "abandoned",
      "timeout",
      "was not read for minutes; run it again",
    ],
    "no such method": [{ code: 12, message: "unimplemented" }, "invalid-answer", "unexpected-response", "4.0 or later"],
    "nothing said": [{ code: 3 }, "lost", "network", "check the server"],
  };
  for (const [name, [status, reason, code, says]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const methods: string[] = [];
      const refuse = (method: string) => {
        methods.push(method);
        return method === "executePlan" ? status : undefined;
      };
      const error = await failureOf({ refuse });
      const isGone = reason === "lost" || reason === "abandoned";
      assertEquals(methods.includes("releaseExecute"), !isGone, "what failed is released on the server");
      assertEquals([error.reason, error.code], [reason, code], error.message);
      assert(error.message.startsWith("Cannot run the query at sc://127.0.0.1:"), error.message);
      assert(error.message.includes(says), error.message);
      assertEquals(error.sqlState, status.info?.metadata.sqlState);
    });
  }
});

Deno.test("the whole of an error is looked up, with its causes", async () => {
  const errors = {
    "error-1": {
      rootErrorIdx: 0,
      errors: [
        { message: "Job aborted due to stage failure", causeIdx: 1 },
        { message: "No space left on device", causeIdx: 0 },
      ],
    },
  };
  const status = { code: 13, message: "Job aborted…", info: { reason: "E", metadata: { errorId: "error-1" } } };
  const error = await failureOf({ errors, fault: (index) => index === 1 ? status : undefined });
  assertEquals(error.reason, "disk");
  assert(error.message.includes("stage failure; caused by: No space left on device"), error.message);
});

Deno.test("a file that executors cannot read for want of s3a is not said to be damaged", async () => {
  const cause = "Class org.apache.hadoop.fs.s3a.S3AFileSystem not found";
  const errors = {
    "error-1": {
      rootErrorIdx: 0,
      errors: [
        { message: "[FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER] Could not read footer.", causeIdx: 1 },
        { message: `java.lang.ClassNotFoundException: ${cause}` },
      ],
    },
  };
  const status = sparkStatus("FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER", "Could not…", { errorId: "error-1" });
  const error = await failureOf({ errors, refuse: (method) => method === "executePlan" ? status : undefined });
  assertEquals([error.reason, error.errorClass], ["no-s3a", "FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER"]);
  assert(error.message.includes(cause), error.message);
});

Deno.test("a server's text stays text: one line, bounded, without escapes, traces or the token", async () => {
  const message = `\x1b[2J<script>\n\u202eevil\n\tat java.base/java.io.Stream(X.java:1) ${"x".repeat(5000)}`;
  const status = sparkStatus("E\x1b[31m", `Bearer SESAME-7 ${message}`);
  const error = await failureOf({ refuse: (method) => method === "config" ? undefined : status }, {
    token: "SESAME-7",
  }).catch((error) => error);
  // The token makes TLS: it is sent to loopback only where that is asked for.
  assertEquals(error.reason, "tls", error.message);
  await using stub = await StubServer.start({ refuse: () => status });
  const told = await assertRejects(() => SparkClient.open(`${stub.url}/;use_ssl=false;token=SESAME-7`), SparkError);
  // deno-lint-ignore no-control-regex
  assertEquals(/[\x00-\x1f\u202e]/.test(told.message + told.errorClass), false, told.message);
  assertEquals(Deno.inspect(told).includes("SESAME"), false);
  assert(told.message.includes("\\u{1b}[2J<script>"), told.message);
  assertEquals(told.message.includes("java.io.Stream"), false);
  assert(told.message.length < 1200);
});

Deno.test("an answer that breaks the protocol is an error, never a wrong result", async (t) => {
  const change = (edit: (value: Fields) => Fields) => (method: string, answer: Fields) =>
    method === "executePlan" && answer.responseType.case === "arrowBatch"
      ? { ...answer, responseType: { case: "arrowBatch", value: edit(answer.responseType.value) } }
      : answer;
  const whole = (edit: (answer: Fields) => Fields) => (method: string, answer: Fields) =>
    method === "executePlan" ? edit(answer) : answer;
  const cases: Record<string, [options: Parameters<typeof StubServer.start>[0], says: string]> = {
    "garbage for Arrow": [{ change: change((value) => ({ ...value, data: new Uint8Array(64) })) }, "is not Arrow"],
    "cut Arrow": [{ change: change((value) => ({ ...value, data: value.data.slice(0, 99) })) }, "is not Arrow"],
    "more rows than stated": [{ change: change((value) => ({ ...value, rowCount: 2n })) }, "states 2 rows and holds 1"],
    "a batch again": [{ change: change((value) => ({ ...value, startOffset: 0n })) }, "begins at row 0 instead of 1"],
    "another session": [{ change: whole((answer) => ({ ...answer, sessionId: "x" })) }, "another session"],
    "another operation": [{ change: whole((answer) => ({ ...answer, operationId: "x" })) }, "another operation"],
    "no batch": [{ answers: () => [] }, "without a batch"],
    "no end": [{ fault: () => "end" }, "streams without an answer"],
    "garbage": [{ fault: () => "garbage" }, ""],
    "half a message with status 0": [{ fault: () => "half-ok" }, ""],
  };
  for (const [name, [options, says]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const error = await failureOf(options);
      assertEquals(error.reason, "invalid-answer", error.message);
      assert(error.message.includes(says), error.message);
    });
  }
});

Deno.test("answers of a session that the server began anew are not joined to those before", async () => {
  const error = await failureOf({
    change: (method, answer) =>
      method === "executePlan" && answer.responseType.value?.startOffset === 1n
        ? { ...answer, serverSideSessionId: crypto.randomUUID() }
        : answer,
  });
  assertEquals(error.reason, "session", error.message);
  assert(error.message.includes("has begun the session anew"), error.message);
});

Deno.test("a connection that breaks for ever is an error after its time", async (t) => {
  for (const fault of ["drop", "half"] satisfies Fault[]) {
    await t.step(fault, async () => assertEquals((await failureOf({ fault: () => fault })).reason, "lost"));
  }
});

Deno.test("a message beyond the limit of its size is refused", async () => {
  const answers = () => batchAnswers(["x".repeat(4096)]);
  await using stub = await StubServer.start({ answers });
  await using client = await SparkClient.open(`${stub.url}/;grpc_max_message_size=2048`);
  const error = await assertRejects(() => client.collect("SELECT 1"), SparkError);
  assertEquals(error.reason, "too-large", error.message);
});

Deno.test("TLS is spoken where the server's certificate is trusted, and nowhere else", async (t) => {
  await using stub = await StubServer.start({ answers: () => batchAnswers(["a"]), tls: UNTRUSTED });
  await t.step("trusted", async () => {
    await using client = await SparkClient.open(stub.url, { token: "SECRET", ca: UNTRUSTED.cert });
    assertEquals((await client.collect("SELECT 1")).rows, 1);
    assertEquals(stub.calls[0].headers.authorization, "Bearer SECRET");
  });
  const calls = stub.calls.length;
  await t.step("untrusted", async () => {
    const error = await assertRejects(() => SparkClient.open(stub.url, { token: "SECRET" }), SparkError, "pass its");
    assertEquals(error.reason, "tls", error.message);
  });
  await t.step("without TLS", async () => {
    const error = await assertRejects(() => SparkClient.open(stub.url, { timeoutMs: 500 }), SparkError, "use_ssl");
    assert(["tls", "unreachable"].includes(error.reason), error.message);
  });
  assertEquals(stub.calls.length, calls);
  await t.step("an authority's own certificate", async () => {
    await using authority = await StubServer.start({ tls: AUTHORITY });
    const options = { token: "SECRET", ca: AUTHORITY.cert };
    const error = await assertRejects(() => SparkClient.open(authority.url, options), SparkError, "of an authority");
    assertEquals([error.reason, authority.calls.length], ["tls", 0], error.message);
  });
});

Deno.test("an address that is not a Spark Connect server is reported as what it is", async (t) => {
  await t.step("nobody listens", async () => {
    const stub = await StubServer.start();
    await stub.kill();
    const error = await assertRejects(() => SparkClient.open(stub.url), SparkError, "15002 by default");
    assertEquals([error.reason, error.code], ["unreachable", "network"]);
  });
  await t.step("nobody listens, at an address of IPv6", async () => {
    const error = await assertRejects(() => SparkClient.open("sc://[::1]:9"), SparkError, "the server was not reached");
    assertEquals(error.reason, "unreachable", error.message);
  });
  await t.step("no such host", async () => {
    const error = await assertRejects(() => SparkClient.open("sc://no-such-host.invalid"), SparkError);
    assertEquals(error.reason, "unreachable", error.message);
  });
  await t.step("TLS to a server without", async () => {
    await using stub = await StubServer.start();
    const error = await assertRejects(() => SparkClient.open(`${stub.url}/;use_ssl=true`), SparkError, "use_ssl");
    assertEquals(error.reason, "tls", error.message);
  });
  await t.step("HTTP/1", async () => {
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      () => new Response("<html>"),
    );
    const error = await assertRejects(() => SparkClient.open(`sc://127.0.0.1:${server.addr.port}`), SparkError);
    assert(["invalid-answer", "lost", "unreachable"].includes(error.reason), error.message);
  });
  await t.step("a deaf server", async () => {
    using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const error = await assertRejects(
      () => SparkClient.open(`sc://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`, { timeoutMs: 40 }),
      SparkError,
    );
    assertEquals([error.reason, error.code], ["timeout", "timeout"], error.message);
  });
});

Deno.test("a frame that polars cannot read is an error of the family", async () => {
  await assertRejects(() => sparkFrame([{ rows: 1, arrow: new Uint8Array(8) }]), Error, "Cannot read batch 1");
  await assertRejects(() => sparkFrame([]), TypeError, "at least one");
});
