import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { worldMap } from "../../../src/analysis/mod.ts";
import { INSDC_HISTORICAL_NAMES, INSDC_NAMES } from "../_insdc_names.ts";

/** Names of INSDC's list that are several countries of today. */
const NOT_ON_THE_MAP = [
  "Czechoslovakia",
  "Korea",
  "Netherlands Antilles",
  "Serbia and Montenegro",
  "USSR",
  "Yugoslavia",
];

function drawnPlaces(svg: string, element: "path" | "circle"): string[] {
  return svg.match(new RegExp(`<${element} [^>]*fill="#[^>]*>`, "g")) ?? [];
}

Deno.test("worldMap() of a field without any country says so, and how to name another one, on the shell too", async () => {
  const { chart, notes } = await worldMap(pl.DataFrame({ Place: ["Ward 3 / Bed 2"] }), {
    fields: { country: "Place" },
  });

  assertEquals(chart, undefined);
  assertStringIncludes(notes[0], "no value of Place is a country that is known");
  assertStringIncludes(notes[0], "--field country=");
});

Deno.test("worldMap() shows each of INSDC's 297 names, or names it in the source line", async () => {
  const names = [...INSDC_NAMES, ...INSDC_HISTORICAL_NAMES];
  assertEquals(names.length, 297);
  const { frame, chart } = await worldMap(pl.DataFrame({ Country: names }));
  const rows = frame.toRecords();
  const shown = rows.filter(({ drawn }) => drawn !== null);

  assertEquals(rows.filter(({ drawn }) => drawn === null).map(({ place }) => place).sort(), NOT_ON_THE_MAP);
  assertEquals(shown.flatMap(({ names }) => String(names).split("; ")).length, 291);
  assertStringIncludes(chart?.caption ?? "", `Not on the map: 6 records, ${NOT_ON_THE_MAP.join(", ")}. `);
  assertEquals(
    drawnPlaces(chart?.svg ?? "", "circle").length,
    rows.filter(({ drawn }) => drawn === "dot").length,
    "every dot is drawn",
  );
});

Deno.test("worldMap() draws overseas territories on their own", async (t) => {
  const territories: Record<string, [code: string, drawn: string]> = {
    "French Guiana": ["GUF", "shape"],
    "Svalbard": ["SJM", "shape"],
    "Réunion": ["REU", "dot"],
    "Guadeloupe": ["GLP", "dot"],
    "Martinique": ["MTQ", "dot"],
    "Mayotte": ["MYT", "dot"],
    "Gibraltar": ["GIB", "dot"],
    "Tuvalu": ["TUV", "dot"],
    "Puerto Rico": ["PRI", "shape"],
  };
  for (const [name, [code, drawn]] of Object.entries(territories)) {
    await t.step(name, async () => {
      const { frame, chart } = await worldMap(pl.DataFrame({ Country: [name] }));
      assertEquals(frame.getColumn("code").toArray(), [code]);
      assertEquals(frame.getColumn("drawn").toArray(), [drawn]);
      assertEquals(drawnPlaces(chart?.svg ?? "", drawn === "dot" ? "circle" : "path").length, 1);
    });
  }
});

Deno.test("worldMap() keeps the colour of a count where its breaks are fixed", async () => {
  const countries = (most: number) => [...Array.from({ length: most }, () => "Kenya"), "Peru", "Peru"];
  const colours = async (most: number) => {
    const { chart } = await worldMap(pl.DataFrame({ Country: countries(most) }), { breaks: [1, 10, 100] });
    return /<path [^>]*fill="(#[0-9a-f]{6})"/.exec(chart?.svg ?? "")?.[1];
  };
  const { chart } = await worldMap(pl.DataFrame({ Country: countries(20) }), { breaks: [1, 10, 100] });

  assertEquals(await colours(20), await colours(99));
  for (const text of ["below 10", "10 to 99", "100 and more"]) assertStringIncludes(chart?.svg ?? "", `>${text}<`);
});

Deno.test("worldMap() refuses breaks that do not rise", async (t) => {
  for (const breaks of [[], [0], [1, 1], [10, 1], [1.5], [1, 2, 3, 4, 5, 6], [NaN]]) {
    await t.step(Deno.inspect(breaks), async () => {
      await assertRejects(() => worldMap(pl.DataFrame({ Country: ["Kenya"] }), { breaks }), RangeError, "breaks");
    });
  }
});

Deno.test("worldMap() shows the far south where it has records", async () => {
  const heights = await Promise.all(["Kenya", "Ross Sea"].map(async (name) => {
    const { chart } = await worldMap(pl.DataFrame({ Country: [name] }));
    return chart?.height ?? 0;
  }));
  assert(heights[1] > heights[0]);
});
