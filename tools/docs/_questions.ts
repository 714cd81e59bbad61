/** The reference's start page: what people ask first, the line that answers, and the pages that say more. */

export interface Question {
  readonly question: string;
  /** TypeScript; `registry` and `lake` are open. */
  readonly code: string;
  /** The same on the command line, where there is a command. */
  readonly command?: string;
  /** Symbols whose pages say more: a name for the module `seqreg`, `analysis:worldMap` for another. */
  readonly symbols: readonly string[];
}

/** The questions, in the order in which a newcomer meets them. */
export const QUESTIONS: readonly Question[] = [
  {
    question: "How do I open a registry?",
    code: `await using registry = await Registry.open(); // or "https://registry.example", or a folder of archives`,
    command: "seqreg search --registry https://registry.example",
    symbols: ["Registry", "Registry.open", "OpenOptions"],
  },
  {
    question: "How do I search?",
    code: `const hits = await registry.search("country:Kenya", { pageSize: 50 });`,
    command: "seqreg search country:Kenya",
    symbols: ["Registry.search", "SearchOptions", "SearchResult"],
  },
  {
    question: "How do I get every match, not one page?",
    code: `const all = await registry.searchAll("country:Kenya").result();`,
    command: "seqreg search country:Kenya --all --format csv",
    symbols: ["Registry.search", "Registry.explain", "Registry.searchAll"],
  },
  {
    question: "How do I export metadata?",
    code: `const metadata = await registry.metadata({ query: "country:Kenya" }, { fields: ["Country"] });
await metadata.toCSV("kenya.csv");`,
    command: "seqreg download country:Kenya --information metadata --type csv -o kenya.csv",
    symbols: ["Registry.metadata", "MetadataOptions", "RegistryResult", "Registry.download"],
  },
  {
    question: "How do I get sequences?",
    code: `const sequences = await registry.sequences({ ids: ["vj000000000001"] });
await sequences.toFasta("some.fasta");`,
    command: "seqreg sequence vj000000000001 -o some.fasta",
    symbols: ["Registry.sequences", "SequencesResult", "fasta:readFasta"],
  },
  {
    question: "Is my result complete?",
    code: `console.log(hits.ledger.complete, hits.ledger.reasons);`,
    command: "seqreg search country:Kenya --ledger ledger.json",
    symbols: ["Ledger", "Provenance", "Problem"],
  },
  {
    question: "What does a field mean?",
    code: `const { definitions } = await registry.definitions(["Country"]);`,
    command: "seqreg definitions Country",
    symbols: ["Registry.definitions", "DefinitionsResult"],
  },
  {
    question: "How do I get an archive and verify it?",
    code: `const archive = await registry.dataset("full_dataset_metadata"); // verified, or an error`,
    command: "seqreg dataset full_dataset_metadata -o archives && seqreg verify archives/*.sha256",
    symbols: ["Registry.dataset", "DatasetResult", "datasets:verifyArchive"],
  },
  {
    question: "How do I load a lake and query it?",
    code: `await using lake = await registry.lake({ archives: ["full_dataset_metadata"] });
const frame = await lake.scan().collect();`,
    command: `seqreg lake archives -o lake && seqreg sql lake 'SELECT count(*) FROM lake'`,
    symbols: ["Registry.lake", "tables:Lake", "tables:openLake"],
  },
  {
    question: "How do I get a polars frame?",
    code: `const frame = await hits.frame();`,
    symbols: ["RegistryResult", "tables:fastaFrames"],
  },
  {
    question: "How do I draw a map, or a chart over time?",
    code: `import { recordsInTime, worldMap } from "seqreg/analysis";
const map = await worldMap(lake);
await map.chart?.save("map.svg");`,
    symbols: ["analysis:worldMap", "analysis:recordsInTime", "analysis:chart"],
  },
  {
    question: "How do I read a FASTA file?",
    code: `import { readFasta } from "seqreg/fasta";
for await (const { id, sequence } of readFasta("reads.fasta.gz")) console.log(id, sequence.length);`,
    command: "seqreg fasta stats reads.fasta.gz",
    symbols: ["fasta:readFasta", "fasta:openFasta", "fasta:writePlainFasta"],
  },
  {
    question: "How do I serve my own genomes?",
    code: `import { packArchives } from "seqreg/sample";
await packArchives({ fasta: "genomes.fasta", metadata: "genomes.csv", folder: "archives" });`,
    command: "seqreg pack --fasta genomes.fasta --metadata genomes.csv -o archives && seqreg serve archives",
    symbols: ["sample:packArchives", "service:openRegistry", "service:serveRegistry"],
  },
  {
    question: "How do I work offline?",
    code: `await using registry = await Registry.open("registry-folder"); // SEQREG_OFFLINE=1 forbids the network`,
    command: "seqreg mirror -o registry-folder && SEQREG_OFFLINE=1 seqreg search --registry registry-folder",
    symbols: ["Registry.open", "datasets:mirror"],
  },
  {
    question: "How do I run a script or a notebook of my own?",
    code: `import { Registry } from "seqreg"; // works in every script that seqreg run starts, and in every notebook`,
    command: "seqreg init my-analysis && seqreg run my-analysis/first.ts",
    symbols: ["show", "Registry"],
  },
];
