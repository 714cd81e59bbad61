/** What tables need of polars: frames of typed columns, and the frame of problems. */
import type { DataFrame } from "nodejs-polars";
import type { Problem } from "../../contract/ledger.ts";
import { loadPolars } from "../../engine/frames/frame_columns.ts";

export { buildFrame, loadPolars, type Polars } from "../../engine/frames/frame_columns.ts";

/** Builds the frame of problems; the same columns always. */
export async function buildProblemsFrame(problems: readonly Problem[]): Promise<DataFrame> {
  const pl = await loadPolars();
  const numbers = (key: "row" | "line" | "byte") => pl.Series(key, problems.map((p) => p[key] ?? null), pl.Int64);
  const texts = (key: "id" | "field" | "value") => pl.Series(key, problems.map((p) => p[key] ?? null), pl.String);
  return pl.DataFrame([
    numbers("row"),
    numbers("line"),
    numbers("byte"),
    texts("id"),
    texts("field"),
    texts("value"),
    pl.Series("reason", problems.map(({ reason }) => reason), pl.String),
    pl.Series("kept", problems.map(({ kept }) => kept), pl.Bool),
  ]);
}
