/** FASTA read in the most obvious way, whole and by lines: what the readers are compared with. */

export interface NaiveRecord {
  readonly header: string;
  readonly sequence: string;
  readonly line: number;
}

/** Reads a FASTA of ASCII text. Lines end with LF or CRLF; nothing is checked; blanks before an id are dropped. */
export function readNaively(text: string): NaiveRecord[] {
  const isRegistry = text.includes(";fields=");
  const records: { header: string; sequence: string; line: number }[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.startsWith(";")) continue;
    if (line.startsWith(">")) {
      const header = line.slice(1).replace(/\r$/, "");
      records.push({
        header: isRegistry ? header : header.replace(/^[\t\v\f\r ]+/, ""),
        sequence: "",
        line: index + 1,
      });
    } else if (records.length > 0) records[records.length - 1].sequence += line.replace(/[\t\n\v\f\r ]/g, "");
  }
  return records;
}

/** Text as a stream of pieces of a given size: `1` tests every boundary. */
export async function* inPieces(text: string | Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  const whole = typeof text === "string" ? new TextEncoder().encode(text) : text;
  // One buffer is used again and again, as files are read: what is not copied is lost.
  const buffer = new Uint8Array(bytes);
  for (let at = 0; at < whole.length; at += bytes) {
    const piece = whole.subarray(at, at + bytes);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
  }
}

/** Joins chunks to a text. */
export async function joined(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Text to bytes. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
