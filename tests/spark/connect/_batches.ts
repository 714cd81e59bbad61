/** Answers with batches of Arrow, as polars writes them. */
import pl from "nodejs-polars";
import type { DataFrame } from "nodejs-polars";
import type { Fields } from "./_stub_server.ts";

/** An Arrow IPC stream with one column `n` of text. */
export function arrowOf(values: readonly string[]): Uint8Array {
  return new Uint8Array(pl.DataFrame({ n: [...values] }, { schema: { n: pl.String } }).writeIPCStream());
}

/** Answers of a result: one batch for each list of values. */
export function batchAnswers(...batches: readonly (readonly string[])[]): Fields[] {
  let before = 0;
  return batches.map((values) => {
    const value = { rowCount: BigInt(values.length), data: arrowOf(values), startOffset: BigInt(before) };
    before += values.length;
    return { responseType: { case: "arrowBatch", value } };
  });
}

/** The answer of a result in one batch. */
export function frameAnswers(frame: DataFrame): Fields[] {
  const data = new Uint8Array(frame.writeIPCStream());
  return [{ responseType: { case: "arrowBatch", value: { rowCount: BigInt(frame.height), data, startOffset: 0n } } }];
}
