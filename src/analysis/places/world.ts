/** Boundaries of countries, and points for those that are too small to be drawn. */
import type { PlaceReader } from "./places.ts";

/** A shape on the globe, as GeoJSON has it. */
export interface GeoShape {
  /** What it is, such as `Feature`. */
  readonly type: string;
}

/** A country of several polygons, each a list of rings of longitudes and latitudes. */
interface ManyPolygons extends GeoShape {
  readonly geometry: { readonly type: "MultiPolygon"; readonly coordinates: readonly Polygon[] };
}

type Polygon = readonly (readonly (readonly number[])[])[];

/** Territories that the map draws as a part of another country, and where: west, south, east, north in degrees. */
const TERRITORIES: readonly { readonly of: string; readonly code: string; readonly box: readonly number[] }[] = [
  { of: "FRA", code: "GUF", box: [-56, 1, -51, 7] },
  { of: "NOR", code: "SJM", box: [9, 74, 36, 82] },
];

export interface PlaceShape {
  /** Code of ISO 3166-1 alpha-3; absent without one. */
  readonly code?: string;
  readonly shape: GeoShape;
}

export interface World {
  /** Countries that are large enough to be drawn. */
  readonly shapes: readonly PlaceShape[];
  /** Finds countries on a finer map, small ones too: to know where they are. */
  find(codes: ReadonlySet<string>): Promise<readonly PlaceShape[]>;
}

let world: Promise<World> | undefined;

/** Loads the boundaries; once. */
export async function loadWorld(places: PlaceReader): Promise<World> {
  return await (world ??= makeWorld(places));
}

async function makeWorld(places: PlaceReader): Promise<World> {
  const [{ feature }, { default: coarse }] = await Promise.all([
    import("topojson-client"),
    import("world-atlas/countries-110m.json", { with: { type: "json" } }),
  ]);
  const codeOf = ({ id, properties }: Geometry) =>
    (id === undefined ? undefined : places.codeOfNumber(String(id).padStart(3, "0"))) ??
      places.read(properties.name).country?.code;
  return {
    shapes: coarse.objects.countries.geometries.flatMap((geometry: Geometry) => {
      const code = codeOf(geometry);
      const shape: GeoShape = feature(coarse, geometry);
      return code === undefined ? [{ shape }] : splitTerritories(code, shape);
    }),
    // The finer map is eight times as large: it is loaded when a country needs it, and only that country is made of it.
    async find(codes) {
      if (codes.size === 0) return [];
      const { default: fine } = await import("world-atlas/countries-50m.json", { with: { type: "json" } });
      return fine.objects.countries.geometries.flatMap((geometry: Geometry) => {
        const code = codeOf(geometry);
        return code !== undefined && codes.has(code) ? [{ shape: feature(fine, geometry), code }] : [];
      });
    },
  };
}

/** Takes the polygons of territories with a code of their own out of the shape of the country that governs them. */
function splitTerritories(code: string, shape: GeoShape): PlaceShape[] {
  const inside = TERRITORIES.filter(({ of }) => of === code);
  if (inside.length === 0 || !isManyPolygons(shape)) return [{ code, shape }];
  const codeOf = ([[[longitude, latitude]]]: Polygon) =>
    inside.find(({ box: [west, south, east, north] }) =>
      longitude >= west && longitude <= east && latitude >= south && latitude <= north
    )?.code ?? code;
  return [code, ...inside.map((territory) => territory.code)].map((each) => ({
    code: each,
    shape: {
      ...shape,
      geometry: {
        ...shape.geometry,
        coordinates: shape.geometry.coordinates.filter((polygon) => codeOf(polygon) === each),
      },
    },
  }));
}

function isManyPolygons(shape: GeoShape): shape is ManyPolygons {
  const geometry: unknown = Reflect.get(shape, "geometry");
  return typeof geometry === "object" && geometry !== null && Reflect.get(geometry, "type") === "MultiPolygon";
}

interface Geometry {
  readonly id?: string | number;
  readonly properties: { readonly name: string };
}
