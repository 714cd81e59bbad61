/** `seqreg naming` and `seqreg doctor --registry`: what is found out of a deployment, over a real socket. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { OTHER_NAMES } from "../../deviations/_namings.ts";
import { runInProcess } from "../../_program.ts";
import { answer, json, type Reply, serveFaults } from "../../faults/_server.ts";

const deployment: Reply = (exchange) => {
  const { pathname } = new URL(exchange.request.path, exchange.url);
  return (OTHER_NAMES[pathname] ?? answer(404))(exchange);
};

Deno.test("naming prints the spellings as JSON, and on standard error what each is based on", async () => {
  await using server = await serveFaults(deployment);
  const { code, stdout, stderr } = await runInProcess(["naming", server.url]);
  assertEquals([code, JSON.parse(stdout)], [0, {
    registry: "genomebank",
    Registry: "GenomeBank",
    reftax1: "ncbi",
    reftax2: "ictv",
  }], stderr);
  for (const basis of ["all 2 records", "(422)", ";fields= line"]) assertStringIncludes(stderr, basis);
});

Deno.test("naming says what it could not find", async () => {
  await using server = await serveFaults((exchange) =>
    (exchange.request.path === "/v2/search" ? OTHER_NAMES["/v2/search"] : answer(404, {}, "gone"))(exchange)
  );
  const { code, stdout, stderr } = await runInProcess(["naming", "--registry", server.url]);
  assertEquals([code, JSON.parse(stdout)], [4, { Registry: "GenomeBank" }], stderr);
  for (const what of ["key of a sequence request", "accession's alias", "unique_seqs_metadata"]) {
    assertStringIncludes(stderr, what);
  }
});

Deno.test("doctor --registry says what fits, what does not, and which naming to use", async () => {
  await using server = await serveFaults(deployment);
  const { code, stdout } = await runInProcess(["doctor", "--registry", server.url]);
  assertEquals(code, 4);
  for (
    const line of [
      "reachable ",
      "naming ",
      "page limit ",
      "media types ",
      "latency ",
      "clock ",
      "redirects ",
      "encodings ",
    ]
  ) {
    assertStringIncludes(stdout, line);
  }
  assertStringIncludes(stdout, `run with --naming '`);
  assertStringIncludes(stdout, "seqreg sequence");
});

Deno.test("doctor --registry tells a page limit, a redirect and a clock that is wrong", async () => {
  const limited = json(
    {
      detail: [{
        loc: ["body", "pageSize"],
        msg: "Input should be less than or equal to 200",
        type: "less_than_equal",
      }],
    },
    422,
  );
  const hour = new Date(Date.now() - 3_600_000).toUTCString();
  await using server = await serveFaults((exchange) => {
    const { path, body } = exchange.request;
    if (path === "/v2/search") return answer(307, { location: "/moved", date: hour })(exchange);
    if (path !== "/moved") return deployment(exchange);
    return (body.includes('"pageSize":10000') ? limited : OTHER_NAMES["/v2/search"])(exchange);
  });
  const { code, stdout } = await runInProcess(["doctor", "--registry", server.url]);
  assertEquals(code, 4, stdout);
  for (const words of ["at most 200 results in a page", "answers; the last to", "check this machine's clock"]) {
    assertStringIncludes(stdout, words);
  }
});

Deno.test("doctor --registry fails without an answer", async () => {
  const { code, stderr } = await runInProcess(["doctor", "--registry", "http://127.0.0.1:1", "--retries", "1"]);
  assertEquals(code, 1);
  assertStringIncludes(stderr, "did not answer");
});
