/** Results of more records than a page of rows holds. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Registry } from "../../../../src/core/registry/mod.ts";

const RECORDS = 20_000;
const idOf = (number: number) => `vj${String(number).padStart(12, "0")}`;
const numbers = Array.from({ length: RECORDS }, (_, index) => index + 1);
const BODIES: Readonly<Record<string, string>> = {
  "text/tab-separated-values": `Registry Accession\n${numbers.map(idOf).join("\n")}\n`,
  "text/csv": `Registry Accession,Number\n${numbers.map((number) => `${idOf(number)},${number}`).join("\n")}\n`,
  "application/xml": `<records>${
    numbers.map((number) =>
      `<record><Registry_Accession>${idOf(number)}</Registry_Accession><Number>${number}</Number></record>`
    ).join("")
  }</records>`,
};

/** A registry that exports the same records in every form, and defines no field. */
async function openLarge(): Promise<Registry> {
  return await Registry.open("http://127.0.0.1:1", {
    fetch: (request) => {
      const accept = request.headers.get("accept") ?? "";
      const body = request.url.endsWith("/v2/download") ? BODIES[accept] : undefined;
      return Promise.resolve(
        body === undefined
          ? Response.json({ detail: "not here" }, { status: 404 })
          : new Response(body, { headers: { "content-type": accept } }),
      );
    },
  });
}

Deno.test("accessions of many records behave like an array, and cannot be changed", async () => {
  await using registry = await openLarge();
  const { accessions, rows, ledger } = await registry.accessions({ query: "*" });

  assertEquals([accessions.length, rows.length, ledger.received], [RECORDS, RECORDS, RECORDS]);
  assertEquals([accessions[0], accessions.at(-1), accessions.indexOf(idOf(9000))], [idOf(1), idOf(RECORDS), 8999]);
  assertEquals([...accessions], numbers.map(idOf));
  assertEquals(rows[12_345], { "Registry Accession": idOf(12_346) });
  assertThrows(() => Reflect.apply(Array.prototype.sort, accessions, []), TypeError);
});

Deno.test("metadata of many records has the same rows as CSV and as XML", async () => {
  await using registry = await openLarge();
  const results = [
    await registry.metadata({ query: "*" }),
    await registry.metadata({ query: "*" }, { fileType: "xml" }),
  ];
  for (const { rows } of results) {
    assert(Array.isArray(rows));
    assertEquals(rows.map((row) => row["Number"]), numbers.map(String));
    assertEquals(JSON.parse(JSON.stringify(rows.slice(-1))), [{
      "Registry Accession": idOf(RECORDS),
      Number: "20000",
    }]);
  }
});
