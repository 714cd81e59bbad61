/** A file to fetch records from. */

/** Runs work on a FASTA file whose path holds a blank, and removes it with all that lies beside it. */
export async function withFile(text: string, work: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/a b.fasta`, text);
    await work(`${folder}/a b.fasta`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Three records: lines of one length, line ends of two bytes, and no end of the last line. */
export const PLAIN = ">a one\nACGT\nAC\n>b\r\nGG\r\nT\r\n>c\nTTTT";
