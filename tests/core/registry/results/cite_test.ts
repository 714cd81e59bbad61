import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { SAMPLE_PLACE, ZIKA_PLACE } from "../../../../src/core/registry/results/embedded_places.ts";
import { cite } from "../../../../src/core/registry/results/cite.ts";
import { DISPLAY } from "../../../../src/core/io/display/display.ts";
import { closeLedger, type Provenance } from "../../../../src/core/contract/ledger.ts";
import { anyText } from "../../../_any_text.ts";

function provenanceOf(request: unknown, changes: Partial<Provenance> = {}): Provenance {
  return {
    operation: "search",
    registry: "https://registry.example/api",
    request,
    bytes: 10,
    sha256: null,
    started: "2026-01-31T23:59:59.000Z",
    finished: "2026-01-31T23:59:59.500Z",
    toolkit: "seqreg 0.3.0",
    ...changes,
  };
}

const WHOLE = closeLedger({ promised: 3, received: 3 });

Deno.test("cite() says what, where, when, how many and how complete", async (t) => {
  const cases: Record<string, [request: unknown, changes: Partial<Provenance>, text: string]> = {
    "a query with filters": [
      { query: "country:Kenya", filter: [{ field: "Host Species", value: ["a", "b"] }] },
      {},
      '(search, query "country:Kenya", Host Species = ["a","b"])',
    ],
    "an export": [
      {
        search: { query: "x" },
        download: { scope: "max", information: "registry_accessions" },
      },
      { operation: "accessions" },
      '(accessions, query "x", registry accessions)',
    ],
    "a selection": [{ scope: "selection", accessions: 20_001 }, { operation: "metadata" }, "20001 accessions"],
    "one accession": [{ registry_accessions: ["vj000000000001"] }, {
      operation: "sequences (by accession, /v2/sequence)",
    }, "(sequences, 1 accession)"],
    "everything": [{ query: "" }, {}, "(search, all records)"],
    "a folder is named by its last part": [
      { query: "" },
      { registry: "/home/ada/thesis/archives" },
      'folder "archives"',
    ],
    "the sample is not called data": [
      { query: "" },
      { registry: `${SAMPLE_PLACE}, version 1-7-300` },
      "retrieved from the built-in sample (synthetic), version 1-7-300, served by the toolkit itself on",
    ],
    "the genomes of Zika virus name their source and day": [
      { query: "" },
      { registry: `${ZIKA_PLACE}, version 0.3.0.1` },
      "retrieved from the built-in Zika genomes (34 records of INSDC, copied 2026-11-25), version 0.3.0.1, served by the",
    ],
    "the digest": [{ query: "" }, { sha256: "ab".repeat(32) }, `Bytes received: hash://sha256/${"ab".repeat(32)}`],
    "an unknown request": [[1], {}, "(search, see provenance)"],
  };
  for (const [name, [request, changes, text]] of Object.entries(cases)) {
    await t.step(name, () => {
      const { sentence } = cite(WHOLE, provenanceOf(request, changes));
      assertStringIncludes(sentence, text);
      assertStringIncludes(sentence, "on 2026-01-31");
      assertStringIncludes(sentence, "with seqreg 0.3.0: 3 of 3 records, complete.");
      assertEquals(sentence.includes("/home/ada"), false);
    });
  }
  await t.step("a page is a page", () => {
    const { sentence } = cite(closeLedger({ promised: 112, received: 20 }), provenanceOf({ query: "x", pageSize: 20 }));
    assertStringIncludes(sentence, "with seqreg 0.3.0: records 1 to 20 of 112: page 1, complete.");
  });

  await t.step("a search without a match", () => {
    const { sentence } = cite(closeLedger({ promised: 0, received: 0 }), provenanceOf({ query: "x" }));
    assertStringIncludes(sentence, "with seqreg 0.3.0: no records match.");
  });

  await t.step("an incomplete result says so", () => {
    const { sentence } = cite(closeLedger({ asked: 2, received: 1, missing: ["vj000000000009"] }), provenanceOf(null));
    assertStringIncludes(
      sentence,
      "1 of 2 records, incomplete. The result is incomplete: 1 of 2 asked for is missing",
    );
  });
});

Deno.test("cite() writes BibTeX that no query can break", () => {
  fc.assert(fc.property(anyText(), fc.string(), (query, registry) => {
    const { bibtex, sentence, key } = cite(WHOLE, provenanceOf({ query }, { registry }));
    assertMatch(key, /^registry-search-2026-01-31-[0-9a-f]{6}$/);
    // deno-lint-ignore no-control-regex
    assertEquals(/[\x00-\x09\x0b-\x1f\x7f]/.test(bibtex + sentence), false);
    assert(sentence.length < 1500 && bibtex.length < 6000);
    let depth = 0;
    for (const letter of bibtex.replace(/\\[$&#_%]/g, "")) {
      if (letter === "{") depth++;
      if (letter === "}") depth--;
      assert(depth >= 0 && depth <= 3);
      assertEquals("$&#_%~^".includes(letter), false, letter);
    }
    assertEquals(depth, 0);
    assertEquals(bibtex.match(/^@/gm)?.length, 2);
  }));
});

Deno.test("cite() keeps the address of a registry", () => {
  const { bibtex } = cite(WHOLE, provenanceOf(null, { registry: "https://registry.example/a_b%20{c}" }));
  assertStringIncludes(
    bibtex,
    "  url = {https://registry.example/a_b%20%7Bc%7D},\n  year = {2026},\n  urldate = {2026-01-31},",
  );
});

Deno.test("a citation shows itself, escaped", async () => {
  const citation = cite(WHOLE, provenanceOf({ query: "<img src=x onerror=alert(1)>" }));
  const { "text/html": html } = await citation[DISPLAY]();
  assertStringIncludes(String(html), "&#60;img");
  assertEquals(String(html).includes("<img"), false);
  assertEquals(Deno.inspect(citation), `${citation}`);
});
