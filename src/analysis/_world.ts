/** Boundaries of countries, and points for those that are too small to be drawn. */
import type { PlaceReader } from "./places.ts";

/** A shape on the globe, as GeoJSON has it. */
export interface GeoShape {
  /** What it is, such as `Feature`. */
  readonly type: string;
}

/** Countries to be drawn. */
export interface World {
  /** Shapes by code; without a code where there is none of ISO 3166-1. */
  readonly shapes: readonly { readonly code?: string; readonly shape: GeoShape }[];
  /** Finer shapes of every country, small ones too: to find where they are. */
  readonly fine: readonly { readonly code?: string; readonly shape: GeoShape }[];
}

interface Feature extends GeoShape {
  readonly id?: string | number;
  readonly properties: { readonly name: string };
}

let world: Promise<World> | undefined;

/** Loads the boundaries; once. */
export async function loadWorld(places: PlaceReader): Promise<World> {
  return await (world ??= makeWorld(places));
}

async function makeWorld(places: PlaceReader): Promise<World> {
  const [{ feature }, { default: coarse }, { default: fine }] = await Promise.all([
    import("topojson-client"),
    import("world-atlas/countries-110m.json", { with: { type: "json" } }),
    import("world-atlas/countries-50m.json", { with: { type: "json" } }),
  ]);
  const shapesOf = (features: readonly Feature[]) =>
    features.map((shape) => {
      const { id, properties } = shape;
      const code = id === undefined ? undefined : places.codeOfNumber(String(id).padStart(3, "0"));
      const known = code ?? places.read(properties.name).country?.code;
      return { shape, ...known !== undefined && { code: known } };
    });
  return {
    shapes: shapesOf(feature(coarse, coarse.objects.countries).features),
    fine: shapesOf(feature(fine, fine.objects.countries).features),
  };
}
