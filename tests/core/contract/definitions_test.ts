import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import readXlsx from "read-excel-file";
import { DEFINITION_MEDIA_TYPES } from "../../../src/core/contract/enumerations.ts";
import { fixtureDefinitions } from "./_archives.ts";
import { assertInvalid, assertText } from "./_assert.ts";
import { type Face, onBothFaces } from "./_registry.ts";

const PATH = "/v2/metadata/download";
const { csv, json, xlsx } = DEFINITION_MEDIA_TYPES;
const HEADER = "name,alias,type,description,unit,example\n";
const LENGTH = 'Sequence Length,sequence_length,integer,"What ""Sequence Length"" means, in words",bp,\n';

Deno.test("POST /v2/metadata/download answers as section 4.5 has it", async (t) => {
  await onBothFaces(t, {
    "CSV": async ({ post }) => {
      const response = await post(PATH, { fields: ["Sequence Length"] }, { accept: csv });
      assertEquals(await assertText(response, csv), HEADER + LENGTH);
    },
    "JSON, in the order asked": async ({ post }) => {
      const response = await post(PATH, { fields: ["Country", "Registry Accession"] }, { accept: json });
      const [accession, , , , country] = fixtureDefinitions();
      assertEquals(JSON.parse(await assertText(response, json)), [country, accession]);
    },
    "XLSX": async ({ post }) => {
      const response = await post(PATH, { fields: ["Country", "Isolate"] }, { accept: xlsx });
      assertEquals([response.status, response.headers.get("content-type")], [200, xlsx]);
      const [{ data }] = await readXlsx(Buffer.from(await response.arrayBuffer()));
      assertEquals(data.map((row: unknown[]) => row.slice(0, 3)), [
        ["name", "alias", "type"],
        ["Country", "country", "string"],
        ["Isolate", "isolate", "string"],
      ]);
    },
    "unknown names are left out without an error; names are exact": async ({ post }) => {
      const fields = ["Colour", "country", "COUNTRY", " Country", "__proto__", "Sequence Length"];
      assertEquals(await assertText(await post(PATH, { fields }, { accept: csv }), csv), HEADER + LENGTH);
    },
    "asked twice, given once": async ({ post }) => {
      const fields = ["Sequence Length", "Sequence Length"];
      assertEquals(await assertText(await post(PATH, { fields }, { accept: csv }), csv), HEADER + LENGTH);
    },
    "no names, no definitions": async ({ post }) => {
      assertEquals(await assertText(await post(PATH, { fields: [] }, { accept: csv }), csv), HEADER);
      assertEquals(await assertText(await post(PATH, { fields: [] }, { accept: json }), json), "[]");
    },
  }, { count: 10 });
});

Deno.test("the Accept header chooses the format of definitions", async (t) => {
  const choices: Record<string, string> = {
    "*/*": csv,
    "": csv,
    "text/*": csv,
    "application/*": json,
    [json]: json,
    [xlsx]: xlsx,
    "APPLICATION/JSON": json,
    "application/json; charset=utf-8": json,
    "text/csv;q=0.5, application/json": json,
    "application/json;q=0.5, text/csv;q=0.9": csv,
    "text/csv;q=0, */*": json,
    "text/html, application/xhtml+xml, */*;q=0.8": csv,
    "image/png, application/json;q=0.1": json,
    "nonsense, application/json": json,
  };
  const refused = ["image/png", "text/csv;q=0", "*/*;q=0", "application/xml", "nonsense", "application/json;q=2"];
  const choosing = Object.entries(choices).map(([accept, mediaType]) =>
    [`${accept || "(empty)"} → ${mediaType}`, async ({ post }: Face) => {
      const response = await post(PATH, { fields: ["Country"] }, { accept });
      await response.body?.cancel();
      assertEquals([response.status, response.headers.get("content-type")], [200, mediaType]);
    }] as const
  );
  const refusing = refused.map((accept) =>
    [`${accept} → 422`, async ({ post }: Face) => {
      await assertInvalid(await post(PATH, { fields: [] }, { accept }), ["header", "accept"], "text/csv");
    }] as const
  );
  await onBothFaces(t, Object.fromEntries([...choosing, ...refusing]), { count: 10 });
});

Deno.test("POST /v2/metadata/download refuses with 422", async (t) => {
  const refusals: Record<string, [body: unknown, loc: (string | number)[]]> = {
    "no fields": [{}, ["body", "fields"]],
    "fields is a text": [{ fields: "Country" }, ["body", "fields"]],
    "fields is null": [{ fields: null }, ["body", "fields"]],
    "a field is a number": [{ fields: ["Country", 1] }, ["body", "fields", 1]],
    "body is a list": [["Country"], ["body"]],
  };
  const rules = Object.entries(refusals).map(([name, [body, loc]]) =>
    [name, async ({ post }: Face) => await assertInvalid(await post(PATH, body), loc, "expected")] as const
  );
  await onBothFaces(t, Object.fromEntries(rules), { count: 10 });
});
