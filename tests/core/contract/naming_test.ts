import { assertEquals, assertThrows } from "@std/assert";
import { ARCHIVE_IDS, archiveFiles, datasetFileNames, findArchive } from "../../../src/core/contract/datasets.ts";
import { namingOf, parseNaming, SPECIFICATION_NAMING } from "../../../src/core/contract/naming.ts";
import { ParseError } from "../../../src/core/errors.ts";

Deno.test("the sixteen file names are those of the specification", () => {
  assertEquals(datasetFileNames(), [
    "reftax1_to_reftax2_map.csv.gz",
    "reftax1_to_reftax2_map.sha256",
    "registryv1_full_dataset_sequence.csv.gz",
    "registryv1_full_dataset_sequence.sha256",
    "registryv1_unique_seqs_sequence.csv.gz",
    "registryv1_unique_seqs_sequence.sha256",
    "registryv1_votu_clusters_metadata.csv.gz",
    "registryv1_votu_clusters_metadata.sha256",
    "registryv1_full_dataset_metadata.csv.gz",
    "registryv1_full_dataset_metadata.sha256",
    "registryv1_unique_seqs_metadata.csv.gz",
    "registryv1_unique_seqs_metadata.sha256",
    "registryv1_votu_cluster_comparison_metrics.csv.gz",
    "registryv1_votu_cluster_comparison_metrics.sha256",
    "registryv1_votu_clusters_sequence.csv.gz",
    "registryv1_votu_clusters_sequence.sha256",
  ]);
});

Deno.test("namingOf() replaces words everywhere and lets whole identifiers win", () => {
  const naming = namingOf({ registry: "genomebank", reftax1: "taxa", reftax2: "taxb", "Registry Accession": "GB Acc" });

  assertEquals(naming.accessionField, "GB Acc");
  assertEquals(naming.accessionAlias, "genomebank_accession");
  assertEquals(naming.accessionsKey, "genomebank_accessions");
  assertEquals(naming.archiveStems.reftax1_to_reftax2_map, "taxa_to_taxb_map");
  assertEquals(archiveFiles("unique_seqs_metadata", naming).checksum, "genomebankv1_unique_seqs_metadata.sha256");
});

Deno.test("namingOf() of nothing is the specification's", () => assertEquals(namingOf({}), SPECIFICATION_NAMING));

Deno.test("namingOf() refuses what would not name anything", async (t) => {
  const faults: Record<string, [map: Record<string, string>, says: string]> = {
    "an unknown key": [{ regstry: "x" }, "unknown key"],
    "an empty name": [{ registry: "" }, "not empty"],
    "a folder above": [{ registry: "../x" }, "is not a plain file name"],
    "a slash": [{ reftax1: "a/b" }, "is not a plain file name"],
    "a hidden file": [{ reftax1_to_reftax2_map: ".x" }, "is not a plain file name"],
    "one name for two": [{ registryv1_unique_seqs_metadata: "x", registryv1_unique_seqs_sequence: "x" }, "same name"],
  };
  for (const [fault, [map, says]] of Object.entries(faults)) {
    await t.step(fault, () => void assertThrows(() => namingOf(map), TypeError, says));
  }
});

Deno.test("parseNaming() names the file and what is wrong with it", () => {
  for (const text of ["", "[]", "null", "7", '{"registry": 7}', "{"]) {
    assertThrows(() => parseNaming(text, "own.json"), ParseError, "Cannot read own.json");
  }
});

Deno.test("findArchive() takes the file name, the stem, and the stem without its prefix", () => {
  for (const id of ARCHIVE_IDS) {
    const { archive } = archiveFiles(id);
    for (const name of [id, archive, archive.replace(".csv.gz", "")]) assertEquals(findArchive(name), id);
  }
});

Deno.test("findArchive() refuses other names and says what was meant", () => {
  assertThrows(() => findArchive("full_dataset_metdata"), RangeError, 'did you mean "full_dataset_metadata"');
  assertThrows(() => findArchive("registryv1_full_dataset_metadata.sha256"), RangeError, "checksum file");
  assertThrows(() => findArchive("../full_dataset_metadata"), RangeError, "not one of the eight");
});

Deno.test("parseNaming() reads a file that begins with a byte order mark, as editors on Windows write it", () => {
  assertEquals(parseNaming('\ufeff{"registry": "genomebank"}').accessionAlias, "genomebank_accession");
});
