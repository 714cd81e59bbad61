/** The encoding of parts in a thread of its own: told the schema, then part after part, it gives Parquet back. */
import type { EncodeAnswer, EncodeRequest } from "./_encode_thread.ts";
import { PartEncoder, type PartSchema } from "./_part_encoder.ts";

addEventListener("message", (event) => {
  if (!(event instanceof MessageEvent)) return;
  const [port] = event.ports;
  const schema: PartSchema = event.data;
  const answer = (message: EncodeAnswer, transfer: Transferable[] = []): void => port.postMessage(message, transfer);
  const encoder = new PartEncoder(schema);
  port.onmessage = ({ data: { csv, bytes, rows } }: MessageEvent<EncodeRequest>) => {
    try {
      const part = encoder.encode(new Uint8Array(csv, 0, bytes), rows, () => answer({ kind: "taken", csv }, [csv]));
      answer({ kind: "encoded", part }, [part.parquet.buffer]);
    } catch (error) {
      answer({ kind: "failed", error });
    }
  };
  answer({ kind: "begun" });
});
