import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { readBytes } from "../../../src/core/io/bytes/byte_source.ts";
import { readCsvRows } from "../../../src/core/io/csv/csv_rows.ts";
import { DOWNLOAD_MEDIA_TYPES, FILE_TYPES, INFORMATION } from "../../../src/core/contract/enumerations.ts";
import { FIELDS } from "./_archives.ts";
import { assertDetail, assertInvalid, assertText } from "./_assert.ts";
import { type Face, onBothFaces } from "./_registry.ts";

const PATH = "/v2/download";
const NAMES = ["Registry Accession", ...Object.keys(FIELDS)];
const MAX_CSV = { scope: "max", information: "metadata", fileType: "csv" };

async function cellsOf(csv: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const batch of readCsvRows(readBytes(new TextEncoder().encode(csv)))) {
    for (const { cells } of batch) rows.push([...cells]);
  }
  return rows;
}

/** One element or text, as the parser gives it when it keeps the order. */
type Node = Readonly<Record<string, unknown>>;

function childrenOf(node: Node, name: string): Node[] {
  const children = node[name];
  assert(Array.isArray(children));
  return children.filter((child) => !("#text" in child) || String(child["#text"]).trim() !== "");
}

/** Field and value of an element: the attribute wins over the element's name. */
function readElement(node: Node): [field: string, value: string] {
  const [tag] = Object.keys(node);
  const [text] = node[tag] as { readonly "#text"?: string }[];
  const attributes = node[":@"] as Readonly<Record<string, string>> | undefined;
  return [attributes?.["@_name"] ?? tag, text?.["#text"] ?? ""];
}

/** What stands where XML has no place for a character. */
// deno-lint-ignore no-control-regex
const withoutControls = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");

Deno.test("POST /v2/download exports metadata", async (t) => {
  await onBothFaces(t, {
    "CSV of all, with every public field, in the order of the archives": async ({ post, records }) => {
      const text = await assertText(await post(PATH, { search: { query: "*" }, download: MAX_CSV }), "text/csv");
      const [header, ...rows] = await cellsOf(text);
      assertEquals(header, NAMES);
      assertEquals(
        rows,
        records.map(({ accession, values }) => [accession, ...NAMES.slice(1).map((name) => values[name] ?? "")]),
      );
    },
    "an empty list of fields, or null, means all": async ({ post }) => {
      for (const metadata of [[], null]) {
        const download = { ...MAX_CSV, metadata };
        const text = await assertText(await post(PATH, { search: { query: "country:Kenya" }, download }), "text/csv");
        assertEquals((await cellsOf(text))[0], NAMES);
      }
    },
    "chosen fields, in the order asked, each once": async ({ post }) => {
      const download = { ...MAX_CSV, metadata: ["Sequence Length", "Isolate", "Sequence Length"] };
      const text = await assertText(await post(PATH, { search: { query: "segmented:true" }, download }), "text/csv");
      assertEquals(text, "Sequence Length,Isolate\n2,\n4,\n");
    },
    "names stay public whatever keys says": async ({ post }) => {
      const download = { ...MAX_CSV, metadata: ["Sequence Length"], keys: "alias" };
      const text = await assertText(await post(PATH, { search: { query: "segmented:true" }, download }), "text/csv");
      assertEquals(text, "Sequence Length\n2\n4\n");
    },
    "XML holds the same, whatever is in a value": async ({ post, records }) => {
      const download = { ...MAX_CSV, fileType: "xml" };
      const text = await assertText(await post(PATH, { search: { query: "*" }, download }), "application/xml");
      assertEquals(XMLValidator.validate(text), true);
      const parser = new XMLParser({
        preserveOrder: true,
        ignoreAttributes: false,
        parseTagValue: false,
        trimValues: false,
        htmlEntities: true,
      });
      const parsed: Node[] = parser.parse(text);
      const found = childrenOf(parsed.find((node) => "records" in node)!, "records").map((record) =>
        childrenOf(record, "record").map(readElement)
      );
      const expected = records.map(({ accession, values }) => [
        ["Registry Accession", accession],
        ...NAMES.slice(1).map((name) => [name, withoutControls(values[name] ?? "")]),
      ]);
      assertEquals(found, expected);
    },
    "XML names each element by its field, exactly": async ({ post }) => {
      const download = { ...MAX_CSV, fileType: "xml", metadata: ["Country", "Host / Source (5')", "Segmented"] };
      const text = await assertText(
        await post(PATH, { search: { query: "country:constructor" }, download }),
        "application/xml",
      );
      assertEquals(
        text,
        '<?xml version="1.0" encoding="UTF-8"?>\n<records>\n  <record><Country>constructor</Country>' +
          `<Host___Source__5__ name="Host / Source (5')">a\\b</Host___Source__5__><Segmented/></record>\n</records>\n`,
      );
    },
    "a filter alone is enough": async ({ post }) => {
      const search = { query: "", filter: [{ field: "Country", value: "Kenya" }] };
      const download = { ...MAX_CSV, metadata: ["Registry Accession"] };
      const text = await assertText(await post(PATH, { search, download }), "text/csv");
      assertEquals(text, "Registry Accession\nvj000000000001\nvj000000000003\nvj000000000004\n");
    },
  });
});

Deno.test("POST /v2/download exports accession lists", async (t) => {
  const search = { query: "country:Kenya" };
  const ids = ["vj000000000001", "vj000000000003", "vj000000000004"];
  const download = { scope: "max", information: "registry_accessions", fileType: "tsv" };
  const names = { human_readable: "Registry Accession", alias: "registry_accession", id: "registry_accession" };
  const rules: Record<string, (face: Face) => Promise<void>> = {
    "without keys the column has the public name": async ({ post }) => {
      const text = await assertText(await post(PATH, { search, download }), "text/tab-separated-values");
      assertEquals(text, ["Registry Accession", ...ids, ""].join("\n"));
    },
    "metadata is ignored": async ({ post }) => {
      const body = { search, download: { ...download, metadata: ["Country", "Colour"], keys: null } };
      const text = await assertText(await post(PATH, body), "text/tab-separated-values");
      assertEquals(text, ["Registry Accession", ...ids, ""].join("\n"));
    },
    "XML": async ({ post }) => {
      const text = await assertText(
        await post(PATH, { search, download: { ...download, fileType: "xml" } }),
        "application/xml",
      );
      assertEquals(XMLValidator.validate(text), true);
      assertStringIncludes(text, '<record><Registry_Accession name="Registry Accession">vj000000000001</Registry_Acc');
      assertEquals(text.match(/vj\d{12}/g), ids);
    },
    "XML by alias": async ({ post }) => {
      const body = { search, download: { ...download, fileType: "xml", keys: "alias" } };
      const text = await assertText(await post(PATH, body), "application/xml");
      assertStringIncludes(text, "  <record><registry_accession>vj000000000003</registry_accession></record>\n");
    },
  };
  for (const [keys, name] of Object.entries(names)) {
    rules[`keys=${keys} calls the column ${name}`] = async ({ post }) => {
      const text = await assertText(
        await post(PATH, { search, download: { ...download, keys } }),
        "text/tab-separated-values",
      );
      assertEquals(text, [name, ...ids, ""].join("\n"));
    };
  }
  await onBothFaces(t, rules, { count: 20 });
});

Deno.test("POST /v2/download exports sequences as FASTA", async (t) => {
  const max = { scope: "max", information: "sequences", fileType: "fasta" };
  const fasta = async ({ post }: Face, query: string, options: Record<string, unknown>) =>
    await assertText(await post(PATH, { search: { query }, download: { ...max, ...options } }), "application/x-fasta");
  await onBothFaces(t, {
    "fields line, header, sequence": async (face) => {
      assertEquals(
        await fasta(face, "country:Kenya", { metadata: ["Country", "Sequence Length"] }),
        ";fields=registry_accession|Country|Sequence Length\n>vj000000000001|Kenya|10\nACGTACGTAC\n" +
          ">vj000000000003|Kenya|2\nAC\n>vj000000000004|Kenya|3\nGGG\n",
      );
    },
    "without metadata every field stands in the header": async (face) => {
      const [fields, header] = (await fasta(face, "segmented:true", {})).split("\n");
      assertEquals(fields, `;fields=${["registry_accession", ...NAMES.slice(1)].join("|")}`);
      assertEquals(header.split("|").length, NAMES.length);
    },
    "a header value never holds a raw | or line break": async (face) => {
      const text = await fasta(face, "country:Kenya", { metadata: ["Sequence Name"] });
      assertStringIncludes(text, "\n>vj000000000003|line feed and return\nAC\n");
      assertStringIncludes(text, "\n>vj000000000004|pipe/and/pipe\n");
      assertFalse(text.includes("\r"));
    },
    "letters are kept as they are": async (face) => {
      assertStringIncludes(
        await fasta(face, "sequence_length:9", { metadata: ["Isolate"] }),
        ">vj000000000002|0042\nacgtnnRYK\n",
      );
    },
    "the accession is not said twice": async (face) => {
      const text = await fasta(face, "sequence_length:1", { metadata: ["Registry Accession", "Country"] });
      assertEquals(text, ";fields=registry_accession|Country\n>vj000000000005|Peru\nT\n");
    },
    "keys names the fields after the first": async (face) => {
      for (const keys of ["alias", "id"]) {
        const text = await fasta(face, "sequence_length:1", {
          metadata: ["Host / Source (5')", "Sequence Length"],
          keys,
        });
        assertEquals(text, ";fields=registry_accession|host_source_5|sequence_length\n>vj000000000005||1\nT\n");
      }
    },
    "all of them, byte for byte": async (face) => {
      const lines = (await fasta(face, "*", { metadata: ["Country"] })).trimEnd().split("\n").slice(1);
      assertEquals(lines.filter((_, index) => index % 2 === 1), face.records.map(({ sequence }) => sequence));
    },
  });
});

Deno.test("POST /v2/download exports selections", async (t) => {
  const selection = { scope: "selection", information: "metadata", fileType: "csv", metadata: ["Registry Accession"] };
  const selected = async ({ post }: Face, selected_ids: string[], search: unknown = { query: "" }) =>
    await post(PATH, { search, download: { ...selection, selected_ids } });
  await onBothFaces(t, {
    "exactly the named records, in the order of the names, each once": async (face) => {
      const response = await selected(face, ["vj000000000004", "vj000000000001", "vj000000000004"]);
      assertEquals(await assertText(response, "text/csv"), "Registry Accession\nvj000000000004\nvj000000000001\n");
    },
    "unknown ones are left out": async (face) => {
      const response = await selected(face, ["vj999999999999", "vj000000000001"]);
      assertEquals(await assertText(response, "text/csv"), "Registry Accession\nvj000000000001\n");
    },
    "query and filter are ignored, even those that could not be followed": async (face) => {
      const search = { query: "colour:red )", filter: [{ field: "Colour", value: null }] };
      const response = await selected(face, ["vj000000000001"], search);
      assertEquals(await assertText(response, "text/csv"), "Registry Accession\nvj000000000001\n");
    },
    "as FASTA": async ({ post }) => {
      const download = { ...selection, information: "sequences", fileType: "fasta", selected_ids: ["vj000000000005"] };
      const text = await assertText(await post(PATH, { search: { query: "" }, download }), "application/x-fasta");
      assertEquals(text, ";fields=registry_accession\n>vj000000000005\nT\n");
    },
    "all unknown is a 404": async (face) => {
      await assertDetail(await selected(face, ["vj999999999999"]), 404, "No record has a selected ID");
    },
    "none is a 422": async (face) => {
      await assertInvalid(await selected(face, []), ["body", "download", "selected_ids"], "at least one accession");
    },
  }, { count: 20 });
});

Deno.test("POST /v2/download answers 400 for every combination but five", async (t) => {
  const rules: Record<string, (face: Face) => Promise<void>> = {};
  for (const information of INFORMATION) {
    for (const fileType of FILE_TYPES) {
      const mediaType = DOWNLOAD_MEDIA_TYPES[information][fileType];
      rules[`${information} as ${fileType}: ${mediaType ?? 400}`] = async ({ post }) => {
        for (const scope of ["max", "selection"]) {
          const download = { scope, information, fileType, selected_ids: ["vj000000000001"] };
          const response = await post(PATH, { search: { query: "country:Kenya" }, download });
          if (mediaType === undefined) await assertDetail(response, 400, `Unsupported file type: ${fileType}`);
          else await assertText(response, mediaType);
        }
      };
    }
  }
  await onBothFaces(t, rules, { count: 20 });
});

Deno.test("POST /v2/download refuses what it cannot export", async (t) => {
  const search = { query: "country:Kenya" };
  const bad = { search, download: MAX_CSV };
  const badDownload = (change: Record<string, unknown>) => ({ search, download: { ...MAX_CSV, ...change } });
  const invalid: Record<string, [body: unknown, loc: (string | number)[], says: string]> = {
    "no search": [{ download: MAX_CSV }, ["body", "search"], "expected an object"],
    "no download": [{ search }, ["body", "download"], "expected an object"],
    "no query": [{ ...bad, search: {} }, ["body", "search", "query"], "expected a string"],
    "query is null": [{ ...bad, search: { query: null } }, ["body", "search", "query"], "expected a string"],
    "scope unknown": [badDownload({ scope: "all" }), ["body", "download", "scope"], "max, selection"],
    "scope absent": [badDownload({ scope: undefined }), ["body", "download", "scope"], "max, selection"],
    "information unknown": [badDownload({ information: "all" }), ["body", "download", "information"], "metadata"],
    "file type unknown": [badDownload({ fileType: "xlsx" }), ["body", "download", "fileType"], "csv, fasta"],
    "file type in capitals": [badDownload({ fileType: "CSV" }), ["body", "download", "fileType"], "csv, fasta"],
    "keys unknown": [badDownload({ keys: "names" }), ["body", "download", "keys"], "id, alias, human_readable"],
    "metadata is a text": [badDownload({ metadata: "Country" }), ["body", "download", "metadata"], "array"],
    "metadata holds a number": [badDownload({ metadata: [1] }), ["body", "download", "metadata", 0], "string"],
    "selected_ids is null": [badDownload({ selected_ids: null }), ["body", "download", "selected_ids"], "array"],
    "an id of 11 digits": [
      badDownload({ selected_ids: ["vj00000000001"] }),
      ["body", "download", "selected_ids", 0],
      "12 digits",
    ],
    "selection without ids": [
      badDownload({ scope: "selection" }),
      ["body", "download", "selected_ids"],
      "at least one",
    ],
    "unknown field in the query": [{ ...bad, search: { query: "colour:red" } }, ["body", "search", "query"], "colour"],
    "filter of an unknown field": [
      { ...bad, search: { query: "", filter: [{ field: "Colour", value: 1 }] } },
      ["body", "search", "filter", 0, "field"],
      "Colour",
    ],
    "filter value null": [
      { ...bad, search: { query: "", filter: [{ field: "Country", value: null }] } },
      ["body", "search", "filter", 0, "value"],
      "expected",
    ],
  };
  const detail: Record<string, [body: unknown, status: number, says: string]> = {
    "neither term nor filter": [{ ...bad, search: { query: "" } }, 400, "Empty search term"],
    "blanks and an empty filter": [{ ...bad, search: { query: "  \t", filter: [] } }, 400, "Empty search term"],
    "a field that is none": [badDownload({ metadata: ["Country", "Contry"] }), 400, 'did you mean "Country"'],
    "an alias is no public name": [badDownload({ metadata: ["country"] }), 400, '"country" is no public field'],
    "nothing matches": [{ ...bad, search: { query: "country:Atlantis" } }, 404, "No records match"],
    "nothing matches, as FASTA": [
      { search: { query: "country:Atlantis" }, download: { ...MAX_CSV, information: "sequences", fileType: "fasta" } },
      404,
      "No records match",
    ],
  };
  const rules: Record<string, (face: Face) => Promise<void>> = {};
  for (const [name, [body, loc, says]] of Object.entries(invalid)) {
    rules[`422: ${name}`] = async ({ post }) => await assertInvalid(await post(PATH, body), loc, says);
  }
  for (const [name, [body, status, says]] of Object.entries(detail)) {
    rules[`${status}: ${name}`] = async ({ post }) => await assertDetail(await post(PATH, body), status, says);
  }
  await onBothFaces(t, rules, { count: 20 });
});
