/** A file to fetch records from. */
import { inFolder } from "../../_files.ts";

/** Runs work on a FASTA file whose path holds a blank, and removes it with all that lies beside it. */
export async function withFile(text: string, work: (path: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a b.fasta`, text);
    await work(`${folder}/a b.fasta`);
  });
}

/** Three records: lines of one length, line ends of two bytes, and no end of the last line. */
export const PLAIN = ">a one\nACGT\nAC\n>b\r\nGG\r\nT\r\n>c\nTTTT";
