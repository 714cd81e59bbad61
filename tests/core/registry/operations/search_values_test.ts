/** Values of hits keep all their digits on the way to a frame. */
import { assertEquals } from "@std/assert";
import type { Fetch } from "../../../../src/core/client/mod.ts";
import { Registry } from "../../../../src/core/registry/mod.ts";

const BODY =
  `{"total":1,"results":[{"id":90071992547409931,"score":1,"source":{"Registry Accession":"vj000000000001",` +
  `"Taxid":90071992547409931,"Big":123456789012345678901,"Small":5,"Tags":["a","b"]}}],"facets":{},"query":"x"}`;

/** Answers searches with one hit, and definitions that declare three fields as integers. */
const fetch: Fetch = async (request) => {
  if (request.url.endsWith("/search")) return new Response(BODY);
  const { fields } = await request.json();
  return Response.json(fields.map((name: string) => ({
    name,
    alias: name.toLowerCase(),
    type: ["Taxid", "Big", "Small"].includes(name) ? "integer" : "string",
  })));
};

Deno.test("integers beyond 2^53 are exact in hits, rows and frames; beyond 64 bits the column stays text", async () => {
  await using registry = await Registry.open("http://registry.invalid", { fetch });
  const page = await registry.search("x");
  assertEquals(page.hits[0].id, "90071992547409931");
  assertEquals(page.hits[0].source.Big, 123456789012345678901n);
  assertEquals(page.rows[0].Taxid, 90071992547409931n);
  const frame = await page.frame();
  assertEquals(frame.select("Taxid").writeCSV().toString(), "Taxid\n90071992547409931\n");
  assertEquals(frame.select("Big").writeCSV().toString(), "Big\n123456789012345678901\n");
  assertEquals(page.rows[0].Tags, ["a", "b"]);
});
