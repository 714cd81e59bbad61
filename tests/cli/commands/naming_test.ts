/** `seqreg naming` and `seqreg doctor --registry`: what is found out of a deployment, over a real socket. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { byBody } from "../../deviations/_deviation.ts";
import { id } from "../../deviations/_exports.ts";
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

/** A registry of three records; the parts of it that a test replaces. */
function smallRegistry(own: Readonly<Record<string, Reply>> = {}): Reply {
  const search = byBody(({ pageSize, pageNumber }) => {
    const size = typeof pageSize === "number" ? pageSize : 50;
    const start = ((typeof pageNumber === "number" ? pageNumber : 1) - 1) * size;
    const results = [1, 2, 3].slice(start, start + size).map((number) => ({
      id: `h${number}`,
      score: 1,
      source: { "Registry Accession": id(number), Country: "Kenya" },
    }));
    return json({ total: 3, results, facets: {}, query: "" });
  });
  const sequence = byBody(({ registry_accessions: ids }) =>
    json(Object.fromEntries(Array.isArray(ids) ? ids.filter((each) => each === id(1)).map((each) => [each, "AC"]) : []))
  );
  const replies = new Map(Object.entries({ "/v2/search": search, "/v2/sequence": sequence, ...own }));
  return (exchange) =>
    (replies.get(new URL(exchange.request.path, exchange.url).pathname) ?? answer(404, {}, "gone"))(exchange);
}

Deno.test("doctor --registry tries page 2 and an unknown accession, and claims no limit that it has not seen", async (t) => {
  const first = json({ total: 3, results: [{ id: "h1", score: 1, source: { "Registry Accession": id(1) } }] });
  const refusal = byBody(({ registry_accessions: ids }) =>
    Array.isArray(ids) && ids.length > 1 ? json({ detail: "unknown accession" }, 404) : json({ [id(1)]: "AC" })
  );
  const cases: Record<string, readonly [own: Readonly<Record<string, Reply>>, says: readonly string[]]> = {
    "all is well": [{}, [
      "page 2 has another record than page 1",
      "a page of 10000 results is not refused; 3 came, so a lower limit may show later",
      "a request with one is answered with the others",
    ]],
    "pageNumber is ignored": [{ "/v2/search": first }, [
      "page 2 has the record of page 1",
      "the registry seems to ignore pageNumber, or to count from 0",
    ]],
    "one unknown accession fails the request": [{ "/v2/sequence": refusal }, [
      "a request with one is refused",
      "unknown accession",
      "ask for known accessions alone",
    ]],
  };
  for (const [name, [own, says]] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using server = await serveFaults(smallRegistry(own));
      const { stdout } = await runInProcess(["doctor", "--registry", server.url]);
      for (const words of says) assertStringIncludes(stdout, words);
    });
  }
});

Deno.test("naming finds an alias that no file could be called by, and letters outside ASCII", async () => {
  for (const alias of ["größe_accession", "it's_accession"]) {
    const download = answer(200, { "content-type": "application/x-fasta" }, `;fields=${alias}\n>${id(1)}\nAC\n`);
    await using server = await serveFaults(smallRegistry({ "/v2/download": download }));
    const { stdout, stderr } = await runInProcess(["naming", server.url]);
    assertEquals(JSON.parse(stdout), { registry_accession: alias }, stderr);
    const doctor = await runInProcess(["doctor", "--registry", server.url]);
    assertStringIncludes(doctor.stdout, `--naming '{"registry_accession":"${alias.replace("'", "\\u0027")}"}'`);
  }
});

Deno.test("naming finds the archives of a later version by what follows the number", async () => {
  const names = "'registryv2_unique_seqs_metadata.csv.gz', 'registryv2_full_dataset_sequence.sha256'";
  const datasets = json(
    { detail: [{ loc: ["query", "filename"], msg: `Input should be ${names}`, type: "enum" }] },
    422,
  );
  await using server = await serveFaults(smallRegistry({ "/v2/datasets_download": datasets }));
  const { stdout } = await runInProcess(["naming", server.url]);
  assertEquals(JSON.parse(stdout), {
    registryv1_unique_seqs_metadata: "registryv2_unique_seqs_metadata",
    registryv1_full_dataset_sequence: "registryv2_full_dataset_sequence",
  });
});
