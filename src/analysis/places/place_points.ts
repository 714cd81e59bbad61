/**
 * Where places are that the map has no shape for, in degrees: longitude to the east, latitude to the north.
 *
 * Territories, islands and seas of INSDC's vocabulary of `/geo_loc_name` (revised 8 July 2024, 280 names and 17
 * historical ones) that Natural Earth draws too small or not at all. The points are rounded to the resolution of a
 * world map.
 */

/** A point on the globe: longitude and latitude in degrees. */
export type GlobePoint = readonly [longitude: number, latitude: number];

/** Points of territories with a code of ISO 3166-1 that Natural Earth, 1 : 50 million, has no shape for. */
export const TERRITORY_POINTS: Readonly<Record<string, GlobePoint>> = {
  BES: [-68.3, 12.2],
  BVT: [3.4, -54.4],
  CCK: [96.8, -12.2],
  CXR: [105.6, -10.5],
  GIB: [-5.4, 36.1],
  GLP: [-61.6, 16.3],
  MTQ: [-61, 14.7],
  MYT: [45.2, -12.8],
  REU: [55.5, -21.1],
  TKL: [-171.8, -9.2],
  TUV: [178, -8],
};

/** A place without a code of its own, and where it is. */
export interface SpotRow {
  /** Its name in English. */
  readonly name: string;
  /** What it is, which is why it has no code. */
  readonly why: string;
  readonly at: GlobePoint;
}

const SEA = "a sea";
const ISLAND = "an island without a code of its own";

/** Seas and islands without a code of ISO 3166-1 of their own, by name in lower case without accents. */
export const SPOTS: Readonly<Record<string, SpotRow>> = Object.fromEntries(
  ([
    ["Arctic Ocean", SEA, [0, 83]],
    ["Atlantic Ocean", SEA, [-25, 0]],
    ["Baltic Sea", SEA, [20, 58]],
    ["Indian Ocean", SEA, [80, -20]],
    ["Mediterranean Sea", SEA, [18, 35]],
    ["North Sea", SEA, [3, 56]],
    ["Pacific Ocean", SEA, [-160, 0]],
    ["Ross Sea", SEA, [-175, -75]],
    ["Southern Ocean", SEA, [0, -65]],
    ["Tasman Sea", SEA, [160, -40]],
    ["Ashmore and Cartier Islands", ISLAND, [123.1, -12.3]],
    ["Baker Island", ISLAND, [-176.5, 0.2]],
    ["Bassas da India", ISLAND, [39.7, -21.5]],
    ["Borneo", "an island of three countries", [114, 1]],
    ["Clipperton Island", ISLAND, [-109.2, 10.3]],
    ["Coral Sea Islands", ISLAND, [152, -18]],
    ["Europa Island", ISLAND, [40.4, -22.3]],
    ["Glorioso Islands", ISLAND, [47.3, -11.6]],
    ["Howland Island", ISLAND, [-176.6, 0.8]],
    ["Jan Mayen", ISLAND, [-8, 71]],
    ["Jarvis Island", ISLAND, [-160, -0.4]],
    ["Johnston Atoll", ISLAND, [-169.5, 16.7]],
    ["Juan de Nova Island", ISLAND, [42.7, -17.1]],
    ["Kerguelen Archipelago", ISLAND, [69.4, -49.4]],
    ["Kingman Reef", ISLAND, [-162.4, 6.4]],
    ["Line Islands", "islands of two countries", [-157.4, 1.9]],
    ["Midway Islands", ISLAND, [-177.4, 28.2]],
    ["Navassa Island", ISLAND, [-75, 18.4]],
    ["Palmyra Atoll", ISLAND, [-162.1, 5.9]],
    ["Paracel Islands", ISLAND, [112, 16.5]],
    ["Spratly Islands", ISLAND, [111.9, 8.6]],
    ["Tromelin Island", ISLAND, [54.5, -15.9]],
    ["Wake Island", ISLAND, [166.6, 19.3]],
  ] satisfies [string, string, GlobePoint][]).map(([name, why, at]) => [name.toLowerCase(), { name, why, at }]),
);
