/** Rows that hold a condition, block by block. */
import { type Condition, RowsCondition } from "./_condition.ts";
import type { FindContext } from "./find_context.ts";
import { EVERY } from "./_positions.ts";

/** Positions of a block that hold a condition; good until the next is asked for. */
export interface BlockRows {
  readonly block: number;
  readonly first: number;
  readonly positions: Uint16Array;
  readonly count: number;
}

/** Yields the blocks in which rows hold a condition; others have their turns between blocks. */
export async function* blockBatches({ files, turns }: FindContext, condition: Condition): AsyncGenerator<BlockRows> {
  const positions = new Uint16Array(files.blockRows);
  const listed = condition instanceof RowsCondition ? condition.rows : undefined;
  let next = 0;
  for (let block = 0; block < files.blocks; block++) {
    const first = block * files.blockRows;
    if (listed !== undefined) {
      if (next === listed.length) return;
      if (listed[next] >= first + files.blockRows) {
        block = Math.floor(listed[next] / files.blockRows) - 1;
        continue;
      }
      let count = 0;
      for (; next < listed.length && listed[next] < first + files.blockRows; next++) {
        positions[count++] = listed[next] - first;
      }
      yield { block, first, positions, count };
    } else {
      const count = condition.select(block, EVERY, files.rowsOf(block), positions);
      if (count > 0) yield { block, first, positions, count };
    }
    if (turns.over) await turns.next();
  }
}

export async function* rowBatches(context: FindContext, condition: Condition): AsyncGenerator<Uint32Array> {
  for await (const { first, positions, count } of blockBatches(context, condition)) {
    const rows = new Uint32Array(count);
    for (let at = 0; at < count; at++) rows[at] = first + positions[at];
    yield rows;
  }
}
