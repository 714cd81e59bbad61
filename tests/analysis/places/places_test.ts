import { assertEquals, assertNotEquals } from "@std/assert";
import { PLACE_NAMES, SHORT_NAMES, TERRITORIES_OF, UNPLACED_NAMES } from "../../../src/analysis/places/place_names.ts";
import { loadPlaces } from "../../../src/analysis/places/places.ts";
import { PLACES } from "../../../src/embedded/sample/_places.ts";

Deno.test("loadPlaces() reads names as data have them", async (t) => {
  const places = await loadPlaces();
  const names: Record<string, string | undefined> = {
    "Germany": "DEU",
    " germany ": "DEU",
    "GERMANY": "DEU",
    "DEU": "DEU",
    "USA": "USA",
    "USA: Ohio, Columbus": "USA",
    "France: Réunion": "REU",
    "France: Reunion, Saint-Denis": "REU",
    "China: Hong Kong": "HKG",
    "USA:Puerto Rico": "PRI",
    "USA: Georgia": "USA",
    "USA: Jersey": "USA",
    "Germany: Réunion": "DEU",
    "Côte d'Ivoire": "CIV",
    "Cote d'Ivoire": "CIV",
    "Réunion": "REU",
    "The Gambia": "GMB",
    "Bosnia & Herzegovina": "BIH",
    "Korea, Republic of": "KOR",
    "Congo, Democratic Republic of the": "COD",
    "Viet Nam": "VNM",
    "Zaire": "COD",
    "Burma": "MMR",
    "Kosovo": "XKX",
    "Europe / Germany / Berlin": "DEU",
    "North America / USA / California / Los Angeles": "USA",
    "europe/United Kingdom/England": "GBR",
    "Africa / Burkina Faso": "BFA",
    "Ward 3 / Germany": undefined,
    "Europe / ": undefined,
    "DE": undefined,
    "Congo": undefined,
    "Korea": undefined,
    "USSR": undefined,
    "Atlantic Ocean": undefined,
    "Middle-earth": undefined,
    "": undefined,
    "constructor": undefined,
    "toString": undefined,
    "__proto__": undefined,
  };
  for (const [name, code] of Object.entries(names)) {
    await t.step(JSON.stringify(name), () => assertEquals(places.read(name).country?.code, code));
  }
});

Deno.test("read() takes two letters for a code where it is told so", async () => {
  const { read } = await loadPlaces();
  const codes = ["DE", "de", "GB", "UK", "NA", "XK", "DE: Berlin", "DEU", "Kenya", "ZZ"];

  assertEquals(
    codes.map((code) => read(code, { hasCodes: true }).country?.code),
    ["DEU", "DEU", "GBR", "GBR", "NAM", "XKX", "DEU", "DEU", "KEN", undefined],
  );
});

Deno.test("loadPlaces() knows every country of the sample, and every code of its own lists", async () => {
  const places = await loadPlaces();

  assertEquals(PLACES.map(([name]) => name).filter((name) => places.read(name).country === undefined), []);
  assertEquals(Object.entries(PLACE_NAMES).filter(([name, code]) => places.read(name).country?.code !== code), []);
  assertEquals(Object.entries(SHORT_NAMES).filter(([code, name]) => places.read(code).country?.name !== name), []);
  assertEquals(Object.keys(UNPLACED_NAMES).filter((name) => Object.hasOwn(PLACE_NAMES, name)), []);
});

Deno.test("every territory of INSDC's list is a place of its own", async () => {
  const places = await loadPlaces();
  for (const [name, code] of Object.entries(TERRITORIES_OF)) {
    const place = places.read(name);
    assertNotEquals(place.country?.code ?? place.spot?.name, undefined, name);
    assertNotEquals(place.country?.code, code, name);
  }
});
