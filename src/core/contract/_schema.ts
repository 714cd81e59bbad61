/** Schemas of the five operations. Private: the public types are the interfaces that they are tied to. */
import { z } from "zod";
import { FILE_TYPES, type FileType, INFORMATION, type Information, KEYS, type Keys, SCOPES } from "./enumerations.ts";
import { type Scope, SORT_ORDERS, type SortOrder } from "./enumerations.ts";
import { ACCESSION_PATTERN } from "./accession.ts";
import type { DownloadRequest } from "./download.ts";
import type { DefinitionsRequest } from "./metadata.ts";
import type { SearchRequest, SearchResponse } from "./search.ts";
import type { SequenceRequest, SequenceResponse } from "./sequence.ts";
import type { ValidationBody } from "./validation_body.ts";

/** Maximum faults reported per array: checking a million elements would block everything else. */
const MAX_FAULTY_ELEMENTS = 100;

/** The element schema of a {@linkcode list}, which a description of the array needs. */
export const listElements: WeakMap<object, z.ZodType> = new WeakMap();

/** An array whose check stops after too many faults. */
function list<T>(element: z.ZodType<T>, error: string) {
  const array = z.array(z.unknown(), { error });
  listElements.set(array, element);
  return array.transform((values, context): T[] => {
    const taken: T[] = [];
    let faulty = 0;
    for (const [index, value] of values.entries()) {
      const parsed = element.safeParse(value);
      if (parsed.success) taken.push(parsed.data);
      else {
        for (const { path, message, code } of parsed.error.issues) {
          context.addIssue({ code: "custom", path: [index, ...path], message, params: { type: code } });
        }
        if (++faulty < MAX_FAULTY_ELEMENTS) continue;
        const message = `${MAX_FAULTY_ELEMENTS} elements are invalid; the rest was not checked`;
        context.addIssue({ code: "custom", path: [], message, params: { type: "too_many" } });
        break;
      }
    }
    return taken;
  });
}

export const string = () => z.string({ error: "expected a string" });
export const count = () =>
  z.int({ error: "expected an integer" }).min(1, { error: "expected an integer of at least 1" });
export const strings = () => list(string(), "expected an array of strings");
const accession = () => string().regex(ACCESSION_PATTERN, { error: "expected an accession: vj followed by 12 digits" });
export const accessions = () => list(accession(), "expected an array of accessions");
const choice = <T extends string>(values: readonly T[]) =>
  z.enum(values as [T, ...T[]], { error: `expected one of ${values.join(", ")}` });

const filter = list(
  z.looseObject({ field: string(), value: z.unknown().nonoptional({ error: "expected a value" }) }, {
    error: "expected an object with field and value",
  }).transform(({ field, value }) => ({ field, value })),
  "expected an array of objects with field and value",
);

export const searchRequestSchema = z.object({
  query: string(),
  filter: filter.optional(),
  pageSize: count().optional(),
  pageNumber: count().optional(),
  sortColumn: string().optional(),
  sortOrder: choice<SortOrder>(SORT_ORDERS).optional(),
}, { error: "expected an object" }) satisfies z.ZodType<SearchRequest>;

export const searchResponseSchema = z.looseObject({
  total: z.int({ error: "expected an integer" }).min(0, { error: "expected an integer of at least 0" }),
  results: list(
    z.looseObject({
      id: string(),
      score: z.number({ error: "expected a number or null" }).nullable(),
      source: z.record(z.string(), z.unknown(), { error: "expected an object" }),
    }, { error: "expected an object with id, score and source" }),
    "expected an array",
  ),
  facets: z.unknown().nonoptional({ error: "expected a value, even null" }),
  query: z.unknown().nonoptional({ error: "expected a value, even null" }),
}, { error: "expected an object" }) satisfies z.ZodType<SearchResponse>;

export const sequenceRequestSchema = (key: string): z.ZodType<SequenceRequest> =>
  z.object({ [key]: accessions() }, {
    error: "expected an object",
  })
    .transform((body) => ({ accessions: body[key] }));

export const sequenceResponseSchema = z.record(string(), string(), {
  error: "expected an object of accessions and sequences",
}) satisfies z.ZodType<SequenceResponse>;

export const downloadRequestSchema = (accessionsKey: string): z.ZodType<DownloadRequest> => {
  const wire = INFORMATION.map((value) => value === "registry_accessions" ? accessionsKey : value);
  return z.object({
    search: z.object({ query: string(), filter: filter.optional() }, { error: "expected an object with query" }),
    download: z.object({
      scope: choice<Scope>(SCOPES),
      information: choice(wire).transform((value): Information => INFORMATION[wire.indexOf(value)]),
      fileType: choice<FileType>(FILE_TYPES),
      keys: choice<Keys>(KEYS).nullish(),
      metadata: strings().nullish(),
      selected_ids: accessions().optional(),
    }, { error: "expected an object with scope, information and fileType" })
      .refine(({ scope, selected_ids }) => scope !== "selection" || (selected_ids?.length ?? 0) > 0, {
        path: ["selected_ids"],
        error: "expected at least one accession, because the scope is selection",
      })
      // The same constraint in JSON Schema, which has no refinements.
      .meta({
        if: { properties: { scope: { const: "selection" } }, required: ["scope"] },
        then: { properties: { selected_ids: { minItems: 1 } }, required: ["selected_ids"] },
      }),
  }, { error: "expected an object with search and download" });
};

export const definitionsRequestSchema = z.object({ fields: strings() }, {
  error: "expected an object with fields",
}) satisfies z.ZodType<DefinitionsRequest>;

export const validationBodySchema = z.looseObject({
  detail: z.array(z.looseObject({
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
    type: z.string(),
  })),
}) satisfies z.ZodType<ValidationBody>;
