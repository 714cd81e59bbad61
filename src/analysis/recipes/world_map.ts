/** Where samples come from, or submitters, on a map. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import { listSome } from "@seqreg/core/contract/ledger";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { countClasses, fixedClasses } from "../chart/axes.ts";
import { countCountries, type CountryCounts } from "../run/country_counts.ts";
import { dominanceNote } from "../run/notes.ts";
import { SEQUENCE_COLOURS } from "../chart/palette.ts";
import { Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { count, counted, label } from "../chart/words.ts";
import { type GeoShape, loadWorld, type World } from "../places/world.ts";

/** Options of {@linkcode worldMap}. */
export interface WorldMapOptions extends AnalysisOptions {
  /** Country of the sample (`collection`, the default), or of the submitter (`submission`). */
  readonly country?: "collection" | "submission";
  /** @deprecated Write `country`. */
  readonly of?: "collection" | "submission";
  /**
   * Counts at which classes of colours begin, rising, at most five, such as `[1, 10, 100, 1000]`: maps of several data
   * with the same breaks have the same colours for the same counts. By default they follow the data.
   */
  readonly breaks?: readonly number[];
}

export const WORLD_MAP_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  country: rule.oneOf(["collection", "submission"]),
  of: rule.oneOf(["collection", "submission"]),
  breaks: rule.listOf(rule.wholeNumber({ from: 1 }), "rising whole numbers", { from: 1 }),
} satisfies OptionRules<WorldMapOptions>;

const SHAPE = { code: "String", place: "String", records: "Int64", names: "String", drawn: "String" } as const;
/** Places further south than this, in degrees, need the lower edge of the globe, which is cut off otherwise. */
const SOUTHERNMOST = -57;

/**
 * Counts records by country and draws them on a map in an equal-area projection.
 *
 * Names are read by `loadPlaces`: ISO 3166-1 in English, and a documented list of old and unusual names. A name that is
 * not a present-day country (`USSR`) is not drawn: it has a row without a code, a note explains why, and the source
 * line counts it as not on the map. Boundaries are those of Natural Earth, 1 : 110 million; countries too small for it
 * are dots, and so are overseas territories, and the seas and islands of INSDC's list of countries without a code.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options Country of what, and where classes begin.
 * @returns Countries and other names × `code` (ISO 3166-1 alpha-3; null without one), `place` (String), `records`
 * (Int64), `names` (names in the data, joined by `; `), `drawn` (`shape` or `dot`; null if not on the map), countries
 * first, then by falling number of records.
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
 *   { code: "VNM", place: "Vietnam", records: 2, names: "Viet Nam; Vietnam", drawn: "shape" },
 *   { code: null, place: "USSR", records: 1, names: "USSR", drawn: null },
 * ]);
 * assertEquals(notes.some((note) => note.includes("fifteen countries")), true);
 * ```
 */
export async function worldMap(source: AnalysisSource, options: WorldMapOptions = {}): Promise<Analysis> {
  checkOptions("worldMap()", options, WORLD_MAP_OPTIONS);
  const { country = options.of ?? "collection", breaks } = options;
  if (breaks !== undefined) checkBreaks(breaks);
  const role = country === "collection" ? "country" : "submitterCountry";
  const title = country === "collection" ? "Records by country of collection" : "Records by country of the submitter";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: [role] });
  if (run.absent.length > 0) return run.stop();
  const { countries, spots, unmatched, missing, places } = await countCountries(run, role);
  const world = await loadWorld(places);
  const records = new Map(countries.map((row) => [row.code, row.records]));
  const large = new Set(world.shapes.map(({ code }) => code));
  const dots = await findDots({ countries: countries.filter(({ code }) => !large.has(code)), spots, places, world });
  const onMap = new Set(dots.map(({ place }) => place));
  const rows = [
    ...countries.map(({ names, ...row }) => ({
      ...row,
      names: names.join("; "),
      drawn: large.has(row.code) ? "shape" : onMap.has(row.place) ? "dot" : null,
    })),
    ...[
      ...spots.map(({ place, records, names }) => ({ place, records, names: names.join("; "), drawn: "dot" })),
      ...unmatched.map(({ name, records }) => ({ place: name, records, names: name, drawn: null })),
    ].sort((a, b) => b.records - a.records || (a.place < b.place ? -1 : 1)).map((row) => ({ code: null, ...row })),
  ];
  const shownRows = rows.filter(({ drawn }) => drawn !== null);
  const lost = rows.filter(({ drawn }) => drawn === null);
  const sum = (some: readonly { readonly records: number }[]) => some.reduce((sum, { records }) => sum + records, 0);
  const n = sum(shownRows);
  if (n === 0) {
    const why = lost.length === 0
      ? "no record has a country"
      : `no value of ${run.name(role)} is a country that is known; if another field holds countries, name it by ` +
        `{ fields: { ${role}: "…" } }, or --field ${role}=… on the command line`;
    return run.stop(`There is nothing to show: ${why} (${count(missing)} without a value)`, rows);
  }
  const warning = dominanceNote(shownRows.map(({ place, records }) => ({ name: place, count: records })), "country");
  if (warning !== undefined) run.note(warning);
  run.note("Counts are of records, not of infections: a country that sequences more has more");

  const counts = shownRows.map(({ records }) => records);
  const classes = breaks === undefined ? countClasses(Math.max(...counts), Math.min(...counts)) : fixedClasses(breaks);
  const least = Math.min(...counts);
  if (breaks !== undefined && least < breaks[0]) {
    run.note(`Counts below ${count(breaks[0])}, the first of the breaks, have the colour of the first class`);
  }
  const showsAntarctica = records.has("ATA") || spots.some(({ spot }) => spot.latitude < SOUTHERNMOST);
  const shown = world.shapes.filter(({ code }) => code !== "ATA" || showsAntarctica);
  const colour = ({ code }: { readonly code?: string }) => {
    const value = code === undefined ? undefined : records.get(code);
    return value === undefined ? "none" : classes.colourOf(value);
  };
  const drawnRows = new Map(countries.map((row) => [row.code, row]));
  const most = [...shownRows].sort((a, b) => b.records - a.records);
  return await run.finish(rows, {
    counts: {
      n,
      excluded: sum(lost),
      missing,
      ...lost.length > 0 && {
        unseen: `Not on the map: ${counted(sum(lost), "records")}, ${
          listSome(lost.map(({ place }) => label(place)), 10)
        }`,
      },
    },
    meta: {
      title,
      subtitle: `Countries with records: ${
        shownRows.filter(({ code }) => code !== null).length
      }; those left empty have none. Boundaries: Natural Earth; ` +
        "projection: Equal Earth",
      legendTitle: "records",
      legend: classes.legend,
      description: `Map of the world, countries coloured by number of records. Most: ${
        most.slice(0, 3).map(({ place, records }) =>
          `${place} (${count(records)})`
        ).join(", ")
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
          title: (_: unknown, index: number) => titleOf(drawnRows.get(shown[index].code ?? "")),
          stroke: "currentColor",
          strokeOpacity: 0.6,
          strokeWidth: 0.5,
        }),
        plot.dot(
          dots.map(({ shape }) => shape),
          plot.geoCentroid({
            r: 4,
            fill: (_: unknown, index: number) => classes.colourOf(dots[index].records),
            title: (_: unknown, index: number) => titleOf(dots[index]),
            stroke: "currentColor",
            strokeWidth: 0.8,
          }),
        ),
      ],
    }),
  });
}

function titleOf(row: { readonly place: string; readonly records: number } | undefined): string {
  return row === undefined ? "" : `${row.place}\n${counted(row.records, "records")}`;
}

/** A place that is drawn as a dot, in the middle of its shape. */
interface Dot {
  readonly place: string;
  readonly records: number;
  readonly shape: GeoShape;
}

/** Finds where places are that are too small to be drawn, those with most records first: small counts lie above. */
async function findDots(
  { countries, spots, places, world }: Pick<CountryCounts, "countries" | "spots" | "places"> & {
    readonly world: World;
  },
): Promise<Dot[]> {
  const unknown = countries.filter(({ code }) => places.pointOf(code) === undefined);
  const small = new Map(
    (await world.find(new Set(unknown.map(({ code }) => code)))).map((one) => [one.code, one.shape]),
  );
  const point = (longitude: number, latitude: number) => ({ type: "Point", coordinates: [longitude, latitude] });
  const dots: Dot[] = spots.map(({ place, records, spot: { longitude, latitude } }) => ({
    place,
    records,
    shape: point(longitude, latitude),
  }));
  for (const { code, place, records } of countries) {
    const at = places.pointOf(code);
    const shape = at === undefined ? small.get(code) : point(...at);
    if (shape !== undefined) dots.push({ place, records, shape });
  }
  return dots.sort((a, b) => b.records - a.records || (a.place < b.place ? -1 : 1));
}

function checkBreaks(breaks: readonly number[]): void {
  const rise = breaks.every((edge, at) =>
    Number.isSafeInteger(edge) && edge >= 1 && (at === 0 || edge > breaks[at - 1])
  );
  if (breaks.length >= 1 && breaks.length <= SEQUENCE_COLOURS.length && rise) return;
  throw new RangeError(
    `Cannot draw a map with the breaks ${
      Deno.inspect(breaks)
    }: expected 1 to ${SEQUENCE_COLOURS.length} whole numbers ` +
      "from 1 that rise, such as [1, 10, 100, 1000]",
  );
}
