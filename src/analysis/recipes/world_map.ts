/**
 * Where samples come from, or submitters, on a map.
 *
 * @module
 */
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { countClasses } from "../chart/axes.ts";
import { countCountries } from "../run/country_counts.ts";
import { dominanceNote } from "../run/notes.ts";
import { type NumberRow, Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { count } from "../chart/words.ts";
import { loadWorld } from "../places/world.ts";

/** Options of {@linkcode worldMap}. */
export interface WorldMapOptions extends AnalysisOptions {
  /** Country of the sample (`collection`, the default), or of the submitter (`submission`). */
  readonly of?: "collection" | "submission";
}

const SHAPE = { code: "String", place: "String", records: "Int64", names: "String" } as const;

/**
 * Counts records by country and draws them on a map in an equal-area projection.
 *
 * Names are read by `loadPlaces`: ISO 3166-1 in English, and a documented list of old and odd names. A name that is no
 * country of today (`USSR`) is not put anywhere: it has a row without a code, and a note says why. Boundaries are those
 * of Natural Earth, 1 : 110 million; countries too small for it are dots.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options Country of what.
 * @returns Countries and names that are none × `code` (ISO 3166-1 alpha-3; null for none), `place` (String), `records`
 * (Int64), `names` (names in the data, joined by `; `), countries first, then by falling number of records.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { worldMap } from "./world_map.ts";
 *
 * const { frame, notes } = await worldMap(pl.DataFrame({ Country: ["Viet Nam", "Vietnam", "USSR"] }));
 *
 * assertEquals(frame.toRecords(), [
 *   { code: "VNM", place: "Vietnam", records: 2, names: "Viet Nam; Vietnam" },
 *   { code: null, place: "USSR", records: 1, names: "USSR" },
 * ]);
 * assertEquals(notes.some((note) => note.includes("fifteen countries")), true);
 * ```
 */
export async function worldMap(source: AnalysisSource, options: WorldMapOptions = {}): Promise<Analysis> {
  const { of = "collection" } = options;
  const role = of === "collection" ? "country" : "submitterCountry";
  const title = of === "collection" ? "Records by country of collection" : "Records by country of the submitter";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: [role] });
  if (run.absent.length > 0) return run.stop();
  const { countries, unmatched, missing, places } = await countCountries(run, role);
  const rows: NumberRow[] = [
    ...countries.map(({ names, ...row }) => ({ ...row, names: names.join("; ") })),
    ...unmatched.map(({ name, records }) => ({ code: null, place: name, records, names: name })),
  ];
  const excluded = unmatched.reduce((sum, { records }) => sum + records, 0);
  const n = countries.reduce((sum, { records }) => sum + records, 0);
  if (n === 0) {
    return run.stop(`There is nothing to show: no record has a country (${count(missing)} without a value)`, rows);
  }
  const warning = dominanceNote(countries.map(({ place, records }) => ({ name: place, count: records })), "country");
  if (warning !== undefined) run.note(warning);
  run.note("Counts are of records, not of infections: a country that sequences more has more");

  const world = await loadWorld(places);
  const records = new Map(countries.map((row) => [row.code, row.records]));
  const showsAntarctica = records.has("ATA");
  const shown = world.shapes.filter(({ code }) => code !== "ATA" || showsAntarctica);
  const drawn = new Set(shown.map(({ code }) => code));
  const small = await world.find(new Set([...records.keys()].filter((code) => !drawn.has(code))));
  const lost = countries.filter(({ code }) => !drawn.has(code) && !small.some((one) => one.code === code));
  if (lost.length > 0) {
    run.note(`Not on the map: ${lost.map(({ place, records }) => `${place} (${count(records)})`).join(", ")}`);
  }
  const classes = countClasses(countries[0].records, countries[countries.length - 1].records);
  const colour = ({ code }: { readonly code?: string }) => {
    const value = code === undefined ? undefined : records.get(code);
    return value === undefined ? "none" : classes.colourOf(value);
  };
  return await run.finish(rows, {
    counts: { n, excluded, missing },
    meta: {
      title,
      subtitle: `Countries with records: ${countries.length}; those left empty have none. Boundaries: Natural Earth; ` +
        "projection: Equal Earth",
      legendTitle: "records",
      legend: classes.legend,
      description: `Map of the world, countries coloured by number of records. Most: ${
        countries.slice(0, 3).map(({ place, records }) => `${place} (${count(records)})`).join(", ")
      }.`,
    },
    spec: (plot) => ({
      width: 760,
      // The sphere is 2.05 times as wide as high; what is cut off at the bottom is Antarctica.
      height: showsAntarctica ? 371 : 330,
      margin: 2,
      marginBottom: 2,
      projection: { type: "equal-earth", insetBottom: showsAntarctica ? 0 : -41 },
      marks: [
        // The edge of the globe: without it the North looks cut off where the projection is flat.
        plot.sphere({ stroke: "currentColor", strokeOpacity: 0.3, strokeWidth: 0.8 }),
        plot.geo(shown.map(({ shape }) => shape), {
          fill: (_: unknown, index: number) => colour(shown[index]),
          stroke: "currentColor",
          strokeOpacity: 0.6,
          strokeWidth: 0.5,
        }),
        plot.dot(
          small.map(({ shape }) => shape),
          plot.geoCentroid({
            r: 4,
            fill: (_: unknown, index: number) => colour(small[index]),
            stroke: "currentColor",
            strokeWidth: 0.8,
          }),
        ),
      ],
    }),
  });
}
