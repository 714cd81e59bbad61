import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { Registry } from "../../../../src/core/registry/registry.ts";
import { fileNameOf } from "../../../../src/core/registry/results/result_file.ts";

Deno.test("maxBases limits sequences whichever way they come", async () => {
  await using registry = await Registry.open("zika");
  const { accessions: ids } = await registry.search("", { pageSize: 2 });
  for (const [route, fields] of [["sequence", []], ["export", ["Country"]]] as const) {
    const whole = await registry.sequences({ ids }, { fields });
    const bases = whole.entries.reduce((sum, { sequence }) => sum + sequence.length, 0);
    assertEquals(whole.route, route);
    assertEquals((await registry.sequences({ ids }, { fields, maxBases: bases })).entries, whole.entries);
    for (const limit of [{ maxBases: bases - 1 }, { maxLetters: bases - 1 }]) {
      await assertRejects(() => registry.sequences({ ids }, { fields, ...limit }), RangeError, `${bases - 1} bases`);
    }
  }
});

/** A registry whose export of sequences is this FASTA. */
const openFasta = (fasta: string) =>
  Registry.open("http://registry.test", {
    offline: false,
    fetch: ({ url }) =>
      Promise.resolve(
        url.endsWith("/v2/download")
          ? new Response(fasta, { headers: { "content-type": "application/x-fasta" } })
          : Response.json([{ name: "Country", alias: "country", type: "string" }]),
      ),
  });

Deno.test("sequences() takes the accession once from a header that has it among the values, too", async () => {
  await using registry = await openFasta(
    ";fields=registry_accession|Registry Accession\n>vj000000000001|vj000000000001\nACGT\n",
  );
  const result = await registry.sequences({ query: "country:Kenya" });
  assertEquals(result.entries, [{ accession: "vj000000000001", sequence: "ACGT" }]);
  assertEquals(result.get("vj000000000001"), "ACGT");
  assertEquals(result.columns[0].field, "Registry Accession");
  assertEquals([result.columns.length, result.ledger.complete], [5, true]);
});

Deno.test("sequences() calls fields as they were asked for, where a header has their aliases", async () => {
  await using registry = await openFasta(
    ";fields=registry_accession|Registry Accession|country\n>vj000000000001|vj000000000001|Kenya\nACGT\n",
  );
  const { rows, ledger } = await registry.sequences({ query: "country:Kenya" }, { fields: ["Country"] });
  assertEquals([rows[0]["Registry Accession"], rows[0].Country, rows[0].sequence], ["vj000000000001", "Kenya", "ACGT"]);
  assert(ledger.complete);
});

Deno.test("sequences() that take several requests tell one list of accessions from another in their provenance", async () => {
  const open = () =>
    Registry.open("http://registry.test", {
      offline: false,
      fetch: async (request) => {
        const { registry_accessions: ids } = await request.json();
        const detail = [{ loc: ["body", "registry_accessions"], msg: "at most 1 item", type: "too_long" }];
        return ids.length > 1 ? Response.json({ detail }, { status: 422 }) : Response.json({ [ids[0]]: "ACGT" });
      },
    });
  const names: string[] = [];
  for (const ids of [["vj000000000001", "vj000000000002"], ["vj000000000003", "vj000000000004"]]) {
    await using registry = await open();
    const { provenance, ledger } = await registry.sequences({ ids });
    assert(ledger.complete);
    names.push(fileNameOf(provenance, "fasta"));
  }
  assertNotEquals(names[0], names[1]);
});
