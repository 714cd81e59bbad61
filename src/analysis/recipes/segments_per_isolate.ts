/** Which isolates have all segments of their genome. */
import { checkOptions } from "@seqreg/core/options/check_options";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { countTicks } from "../chart/axes.ts";
import { Run } from "../run/run.ts";
import { countSegmentSets } from "../run/segment_sets.ts";
import type { AnalysisSource } from "../source/source.ts";
import { CATEGORY_COLOURS } from "../chart/palette.ts";
import { count, counted, does, percent } from "../chart/words.ts";

const SHAPE = { segments: "Int64", set: "String", isolates: "Int64" } as const;

/**
 * Counts isolates by number of distinct segments, and tells complete sets from others.
 *
 * A set is complete when it has every segment that any record of the same species has in the data. Records without a
 * segment, an isolate or a species are left out; an isolate belongs to one species.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options What all analyses share.
 * @returns Rows × `segments` (distinct segments of the isolate), `set` (`complete` or `incomplete`), `isolates`
 * (Int64).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { segmentsPerIsolate } from "./segments_per_isolate.ts";
 *
 * const source = pl.DataFrame({ Isolate: ["i", "i", "k"], Species: ["a", "a", "a"], Segment: ["S", "L", "L"] });
 *
 * assertEquals((await segmentsPerIsolate(source)).frame.toRecords(), [
 *   { segments: 1, set: "incomplete", isolates: 1 },
 *   { segments: 2, set: "complete", isolates: 1 },
 * ]);
 * ```
 */
export async function segmentsPerIsolate(source: AnalysisSource, options: AnalysisOptions = {}): Promise<Analysis> {
  checkOptions("segmentsPerIsolate()", options, ANALYSIS_OPTIONS);
  const title = "Segments per isolate";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: ["isolate", "segment", "species"] });
  if (run.absent.length > 0) return run.stop();
  const all = await run.countRows();
  const { sets, rows: used } = await countSegmentSets(run);
  const sums = new Map<string, { segments: number; set: string; isolates: number }>();
  for (const { whole, segments, isolates } of sets) {
    const set = segments === whole ? "complete" : "incomplete";
    const row = sums.get(`${segments} ${set}`) ?? { segments, set, isolates: 0 };
    row.isolates += isolates;
    sums.set(`${segments} ${set}`, row);
  }
  const found = [...sums.values()].sort((a, b) => a.segments - b.segments || (a.set < b.set ? -1 : 1));
  if (found.length === 0) {
    return run.stop(
      `There is nothing to show: no record has isolate, species and segment (${counted(all, "records")})`,
    );
  }
  const pairs = found.reduce((sum, { segments, isolates }) => sum + segments * isolates, 0);
  if (used > pairs) {
    run.note(
      `${counted(used - pairs, "records")} ${
        does(used - pairs, "repeat")
      } a segment that the isolate has already: joining segments by isolate ` +
        "multiplies rows, since the isolate is not a key",
    );
  }
  if (sets.every(({ whole }) => whole === 1)) {
    run.note("No species in this data has more than one segment: no set can be incomplete");
  }
  run.note(
    "Complete means every segment that the species has in this data: a species seen once is complete with what was seen",
  );
  const isolates = found.reduce((sum, row) => sum + row.isolates, 0);
  const complete = found.filter(({ set }) => set === "complete").reduce((sum, row) => sum + row.isolates, 0);
  const colours: Readonly<Record<string, string>> = { complete: CATEGORY_COLOURS[0], incomplete: CATEGORY_COLOURS[1] };
  const most = found[found.length - 1].segments;
  const heights = new Map<number, number>();
  for (const { segments, isolates } of found) heights.set(segments, (heights.get(segments) ?? 0) + isolates);
  const highest = Math.max(...heights.values());
  return await run.finish(found, {
    counts: { n: isolates, unit: "isolates" },
    meta: {
      title,
      subtitle: `${percent(complete, isolates)} of isolates with a segment have all of their species; from ${
        counted(used, "records")
      }${all === used ? "" : `, ${count(all - used)} more lack a segment, an isolate or a species`}`,
      legendTitle: "set",
      legend: Object.entries(colours).map(([label, colour]) => ({ label, colour })),
      description: `Bars of ${counted(isolates, "isolates")} by number of segments, from 1 to ${most}. ${
        percent(complete, isolates)
      } are complete.`,
    },
    spec: (plot) => ({
      height: 320,
      marginLeft: 64,
      x: {
        domain: Array.from({ length: Math.max(4, most) }, (_, index) => index + 1),
        label: "distinct segments of the isolate",
        padding: 0.15,
      },
      y: { label: "isolates", grid: true, ...countTicks(highest) },
      marks: [
        plot.barY(found, {
          x: "segments",
          y: "isolates",
          fill: ({ set }: { set: string }) => colours[set],
          channels: { set: "set" },
        }),
        plot.ruleY([0]),
      ],
    }),
  });
}
