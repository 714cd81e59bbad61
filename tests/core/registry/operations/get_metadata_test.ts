import { assertEquals, assertRejects } from "@std/assert";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { NetworkError } from "../../../../src/core/client/mod.ts";
import { Registry } from "../../../../src/core/registry/mod.ts";

Deno.test("metadata() ends the export when the definitions of its fields cannot be requested", async () => {
  const rows = new TextEncoder().encode(`Registry Accession,Country\n${"vj000000000001,Kenya\n".repeat(50)}`);
  let cancelled = 0;
  const endless = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.enqueue(rows),
      cancel: () => void cancelled++,
    }, { highWaterMark: 0 });
  await using registry = await Registry.open("http://registry.test", {
    offline: false,
    retry: { tries: 1 },
    fetch: ({ url }) =>
      url.endsWith("/v2/download")
        ? Promise.resolve(new Response(endless(), { headers: { "content-type": "text/csv" } }))
        : Promise.reject(new TypeError("connection reset")),
  });
  await assertRejects(() => registry.metadata({ query: "country:Kenya" }), NetworkError);
  assertEquals(cancelled, 1);
});

Deno.test("a record of a large export that was not asked for is not one that could not be read", async () => {
  const ids = Array.from({ length: 20 }, (_, index) => formatAccession(index + 1));
  const long = "x".repeat(1 << 20);
  const lines = ["Registry Accession,Isolate", ...[...ids, formatAccession(99)].map((id) => `${id},${long}`), ""];
  await using registry = await Registry.open("http://registry.test", {
    offline: false,
    fetch: ({ url }) =>
      Promise.resolve(
        url.endsWith("/v2/download")
          ? new Response(lines.join("\n"), { headers: { "content-type": "text/csv" } })
          : Response.json([{ name: "Isolate", type: "string" }, { name: "Registry Accession", type: "string" }]),
      ),
  });
  const { ledger, table } = await registry.metadata({ ids });
  assertEquals([table.rows, ledger.unasked], [20, [formatAccession(99)]]);
  assertEquals(ledger.reasons, [`1 received but not asked for: ${formatAccession(99)}`]);
});

Deno.test("metadata() of the accession by another name has it once, and no column without values", async () => {
  await using registry = await Registry.open("zika");
  const { accessions: ids } = await registry.search("", { pageSize: 2 });
  const { columns, rows } = await registry.metadata({ ids }, { fields: ["Country", "registry_accession"] });
  assertEquals(columns.map(({ field }) => field), ["Registry Accession", "Country"]);
  assertEquals(rows.map((row) => String(row["Registry Accession"])), [...ids]);
  const sequences = await registry.sequences({ ids }, { fields: ["registry_accession"] });
  assertEquals([sequences.columns[0].field, sequences.columns.length], ["Registry Accession", 5]);
});
