/** What the doctor reports of Spark, at stub servers: no Java runs here. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { examineEngine, findSparkSupport } from "../../../src/cli/doctor/engine_findings.ts";
import { SparkEndpoint } from "../../../src/spark/connect/connection_string.ts";
import { TRIED_VERSION } from "../../../src/spark/connect/version.ts";
import { SPARK_VERSION } from "../../checks/cluster/_packages.ts";
import { batchAnswers } from "../../spark/connect/_batches.ts";
import { type StubOptions, StubServer } from "../../spark/connect/_stub_server.ts";
import { runCli } from "../../_cli.ts";
import { runInProcess } from "../../_program.ts";

const TOKEN = "SESAME-7";
const answers = () => batchAnswers(["12"]);

Deno.test("doctor reports Spark's client and token without a server, and never the token", async () => {
  const states = async (token?: string) => {
    const findings = await findSparkSupport((name) => name === "SEQREG_SPARK_TOKEN" ? token : undefined);
    assertEquals(JSON.stringify(findings).includes("SESAME"), false);
    return findings.map(({ subject, state, advice }) => [subject, state, advice ?? ""]);
  };
  const client = ["Spark", `the client loads, tried with Spark ${TRIED_VERSION}`, ""];
  assertEquals(await states(), [client, ["Spark token", "SEQREG_SPARK_TOKEN is not set", ""]]);
  assertEquals(await states(""), await states());
  assertEquals(await states(TOKEN), [client, ["Spark token", "SEQREG_SPARK_TOKEN is set", ""]]);
  const [, [, state, advice]] = await states(`${TOKEN} \n`);
  assertEquals(state, "SEQREG_SPARK_TOKEN is set and cannot be sent");
  assertStringIncludes(advice, "without spaces or line breaks");
});

Deno.test("the version that counts as tried is the one that the cluster's checks run", () => {
  assertEquals(SPARK_VERSION.startsWith(`${TRIED_VERSION}.`), true);
});

Deno.test("doctor --engine reports how a server answers, with advice and an exit code", async (t) => {
  const refused = { code: 16, message: "Invalid authentication token" };
  const cases: Record<string, [stub: StubOptions, code: number, stdout: RegExp, stderr: RegExp]> = {
    "all is well": [
      { answers },
      0,
      /^Spark +the client loads[^;]*\n.*is set\nengine +sc:\/\/127\.0\.0\.1:\d+ answers in \d+ ms\nversion +Spark 4\.3\.0, tried\nTLS +not used: the server is on this machine\ntoken +sent, and not refused\ncomputes +a sum in \d+ ms\n$/,
      /^$/,
    ],
    "a version that was not tried": [
      { answers, version: "4.0.1" },
      4,
      /^version +Spark 4\.0\.1, not tried: 4\.3 is; compare one analysis .*lake\.check/m,
      /^$/,
    ],
    "a version of the future": [{ answers, version: "5.0.0" }, 4, /^version +Spark 5\.0\.0, not tried/m, /^$/],
    "a version that is too old": [{ version: "3.5.1" }, 1, /^Spark /, /it is Spark 3\.5\.1; .*4\.0 or later\n$/],
    "a token that is refused": [{ refuse: () => refused }, 1, /^Spark /, /refused the credentials.*check the token/],
    "a server that computes something else": [
      { answers: () => batchAnswers(["7"]) },
      4,
      /^computes +a sum is 7 instead of 12; do not use this server$/m,
      /^$/,
    ],
    "a server that fails to compute": [
      { answers, refuse: (method) => method === "executePlan" ? { code: 13, message: "[X] no executor" } : undefined },
      4,
      /^computes +no; Cannot run the query at .*no executor/m,
      /^$/,
    ],
  };
  for (const [name, [options, code, stdout, stderr]] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using stub = await StubServer.start(options);
      const args = ["doctor", "--engine", `${stub.url}/;use_ssl=false`];
      const run = await runInProcess(args, { env: { SEQREG_SPARK_TOKEN: TOKEN } });
      assertEquals(run.code, code, run.stdout + run.stderr);
      assertMatch(run.stdout, stdout);
      assertMatch(run.stderr, stderr);
      assertEquals((run.stdout + run.stderr).includes(TOKEN), false);
    });
  }
});

Deno.test("doctor --engine names what is wrong with an address, and asks nothing while offline", async (t) => {
  const stub = await StubServer.start();
  await stub.kill();
  const cases: Record<string, [url: string, code: number, says: string]> = {
    "nobody listens": [stub.url, 1, "the server was not reached"],
    "not a connection string": ["http://head:15002", 2, "expected sc://HOST:PORT"],
    "a path": ["sc://head/spark", 2, "parameters begin with /;"],
    "offline": ["sc://spark.invalid", 1, "SEQREG_OFFLINE forbids the network"],
  };
  for (const [name, [url, code, says]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const run = await runInProcess(["doctor", "--engine", url], { env: { SEQREG_OFFLINE: "1" } });
      assertEquals(run.code, code, run.stderr);
      assertStringIncludes(run.stderr, says);
      assertEquals(run.stderr.trim().split("\n").length, 1);
    });
  }
});

Deno.test("a cluster without executors is reported after a time, and its query is ended", async () => {
  await using stub = await StubServer.start({ answers, fault: () => "hang" });
  const endpoint = SparkEndpoint.parse(stub.url);
  const { signal } = new AbortController();
  const findings = await examineEngine({ url: stub.url, endpoint, signal, computeMs: 50 });
  const { state, advice } = findings.find(({ subject }) => subject === "computes")!;
  assertEquals(state, "no result in 0.05 s");
  assertStringIncludes(advice!, "whether executors run");
  assertEquals([...stub.operations.values()].map(({ isInterrupted }) => isInterrupted), [true]);
});

Deno.test("text in the clear and a server without a token are pointed out where the server is elsewhere", async () => {
  await using stub = await StubServer.start({ answers });
  const { signal } = new AbortController();
  const advised = async (address: string, token?: string) => {
    const endpoint = SparkEndpoint.parse(address, { ...token !== undefined && { token } });
    const findings = await examineEngine({ url: stub.url, endpoint, signal });
    return findings.filter(({ advice }) => advice !== undefined).map(({ subject }) => subject);
  };
  assertEquals(await advised("sc://head.example"), ["TLS", "token"]);
  assertEquals(await advised("sc://head.example/;use_ssl=true"), ["token"]);
  assertEquals(await advised("sc://head.example", TOKEN), []);
  assertEquals(await advised("sc://localhost"), []);
});

Deno.test("a server without TLS is reached directly where the environment names a proxy", async () => {
  await using stub = await StubServer.start({ answers });
  // Port 9, where nobody listens.
  const env = { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9", NO_PROXY: "", no_proxy: "" };
  const { code, stderr } = await runCli(["doctor", "--engine", stub.url], { env });
  assertEquals([code, stderr], [0, ""]);
});
