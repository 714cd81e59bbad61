// deno run --allow-read --allow-write --allow-env --allow-ffi --allow-sys examples/pack.ts
/** Your own genomes as a registry: two files packed into verified archives, then searched like any other. */
import { Registry } from "seqreg";
import { packArchives } from "seqreg/sample";

// Two files as they come from a laboratory; these are made up. Names join character by character.
const fasta = ">MADEUP/01\nACGTACGTNN\n>MADEUP/02\nacgtacgtnn\n>MADEUP/03\nGGGGCCCC\n";
const metadata = "strain,country,date\nMADEUP/01,Brazil,2016\nMADEUP/02,Peru,2016-02-14\nMADEUP/4,Peru,2015-11-XX\n";
const bytes = (text: string) => new TextEncoder().encode(text);

const folder = await Deno.makeTempDir();
const packed = await packArchives({
  fasta: bytes(fasta),
  metadata: bytes(metadata),
  folder: `${folder}/archives`,
});

// The ledger lists what did not join: a typing error, and a strain that was never entered.
console.log("complete:", packed.ledger.complete);
for (const reason of packed.ledger.reasons) console.log("reason:", reason);

{
  await using registry = await Registry.open(`${folder}/archives`, { cacheFolder: `${folder}/cache` });
  const peru = await registry.search("country:Peru");
  console.log(`${peru.total} from Peru:`, peru.rows.map((row) => `${row["Registry Accession"]} ${row.Isolate}`));

  // Equal sequences form one cluster; upper and lower case are the same.
  const all = await registry.metadata({ query: "cluster_size:>1" }, { fields: ["Isolate", "Cluster"] });
  console.log("the same sequence:", all.rows.map((row) => row.Isolate));

  // Archives of your own are verified like those of a public registry.
  console.log(String(await registry.dataset("unique_seqs_metadata")));
}
await Deno.remove(folder, { recursive: true });
