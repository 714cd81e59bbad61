import { assertEquals } from "@std/assert";
import { namingOf } from "../../../src/core/contract/naming.ts";
import { assertInvalid, assertText } from "./_assert.ts";
import { type Face, onBothFaces } from "./_registry.ts";

const PATH = "/v2/sequence";

Deno.test("POST /v2/sequence answers as section 4.3 has it", async (t) => {
  const answers: Record<string, [accessions: string[], expected: Record<string, string>]> = {
    "one": [["vj000000000001"], { vj000000000001: "ACGTACGTAC" }],
    "letters as they are": [["vj000000000002"], { vj000000000002: "acgtnnRYK" }],
    "asked twice, given once": [["vj000000000005", "vj000000000005"], { vj000000000005: "T" }],
    "unknown ones left out": [["vj999999999999", "vj000000000004"], { vj000000000004: "GGG" }],
    "all unknown": [["vj999999999999"], {}],
    "none asked": [[], {}],
  };
  const rules = Object.entries(answers).map(([name, [registry_accessions, expected]]) =>
    [name, async ({ post }: Face) => {
      const text = await assertText(await post(PATH, { registry_accessions }), "application/json");
      assertEquals(JSON.parse(text), expected);
    }] as const
  );
  await onBothFaces(t, {
    ...Object.fromEntries(rules),
    "all of them, each with its own": async ({ post, records }) => {
      const response = await post(PATH, { registry_accessions: records.map(({ accession }) => accession) });
      const expected = Object.fromEntries(records.map(({ accession, sequence }) => [accession, sequence]));
      assertEquals(JSON.parse(await assertText(response, "application/json")), expected);
    },
  });
});

Deno.test("POST /v2/sequence refuses what is not an accession", async (t) => {
  const refusals: Record<string, [body: unknown, loc: (string | number)[]]> = {
    "11 digits": [["vj00000000001"], ["body", "registry_accessions", 0]],
    "13 digits": [["vj000000000001", "vj0000000000001"], ["body", "registry_accessions", 1]],
    "Unicode digits": [["vj٠٠٠٠٠٠٠٠٠٠٠١"], ["body", "registry_accessions", 0]],
    "wrong prefix": [["vk000000000001"], ["body", "registry_accessions", 0]],
    "capitals": [["VJ000000000001"], ["body", "registry_accessions", 0]],
    "a line end after it": [["vj000000000001\n"], ["body", "registry_accessions", 0]],
    "a blank before it": [[" vj000000000001"], ["body", "registry_accessions", 0]],
    "a number": [[1], ["body", "registry_accessions", 0]],
    "null": [[null], ["body", "registry_accessions", 0]],
    "one text": ["vj000000000001", ["body", "registry_accessions"]],
    "an object": [{ 0: "vj000000000001" }, ["body", "registry_accessions"]],
  };
  const rules = Object.entries(refusals).map(([name, [registry_accessions, loc]]) =>
    [
      name,
      async ({ post }: Face) => await assertInvalid(await post(PATH, { registry_accessions }), loc, "expected"),
    ] as const
  );
  await onBothFaces(t, {
    ...Object.fromEntries(rules),
    "a thousand faults are told in a hundred": async ({ post }) => {
      const response = await post(PATH, { registry_accessions: Array.from({ length: 1000 }, () => "x") });
      const { detail } = await response.json();
      assertEquals([response.status, detail.length], [422, 101]);
      assertEquals(detail[100], {
        loc: ["body", "registry_accessions"],
        msg: "100 elements are invalid; the rest was not checked",
        type: "too_many",
      });
    },
    "nothing": async ({ post }) => assertInvalid(await post(PATH, {}), ["body", "registry_accessions"], "expected"),
  }, { count: 10 });
});

Deno.test("a deployment's own spellings travel on the wire", async (t) => {
  const naming = namingOf({ registry: "genomebank", Registry: "GenomeBank" });
  await onBothFaces(t, {
    "key of a sequence request": async ({ post }) => {
      const text = await assertText(
        await post(PATH, { genomebank_accessions: ["vj000000000005"] }),
        "application/json",
      );
      assertEquals(text, '{"vj000000000005":"T"}');
    },
    "the specification's key is not known": async ({ post }) => {
      const response = await post(PATH, { registry_accessions: ["vj000000000005"] });
      await assertInvalid(response, ["body", "genomebank_accessions"], "expected");
    },
    "information of an accession list, and its column": async ({ post }) => {
      const response = await post("/v2/download", {
        search: { query: "sequence_length:1" },
        download: { scope: "max", information: "genomebank_accessions", fileType: "tsv" },
      });
      assertEquals(await response.text(), "GenomeBank Accession\nvj000000000005\n");
    },
    "first name of a FASTA's fields": async ({ post }) => {
      const response = await post("/v2/download", {
        search: { query: "sequence_length:1" },
        download: { scope: "max", information: "sequences", fileType: "fasta", metadata: ["Country"] },
      });
      assertEquals(await response.text(), ";fields=genomebank_accession|Country\n>vj000000000005|Peru\nT\n");
    },
    "names of the dataset files": async ({ call }) => {
      const response = await call("/v2/datasets_download?filename=genomebankv1_full_dataset_metadata.sha256");
      assertEquals((await response.text()).slice(64), "  genomebankv1_full_dataset_metadata.csv.gz\n");
    },
  }, { count: 10, naming });
});
