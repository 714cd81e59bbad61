/** Schemas of the shapes that no path uses, tied to their public types by the compiler. */
import { z } from "zod";
import { FILE_TYPES } from "../enumerations.ts";
import type { JsonSchema } from "../json/json_schemas.ts";
import type { UnusedShapes } from "./unused_shapes.ts";

const text = z.string();
const optionalText = text.nullable().optional();
const bytes = z.instanceof(Blob).meta({ type: "string", format: "binary" });
const suggestion = z.object({
  replace: text,
  type: text,
  alias: optionalText,
  field: optionalText,
  public: optionalText,
});

const unusedSchemas = {
  SuggestionRequest: z.object({ term: text, limit: z.int().default(5) }),
  SuggestionResponse: z.object({ suggestions: z.array(suggestion) }),
  Suggestion: suggestion,
  ViralzoneRequest: z.object({ rank_name: optionalText, taxon_name: optionalText, registry_id: optionalText }),
  EmailRequest: z.object({ subject: text, body: text }),
  ProjectInput: z.object({
    projectTitle: text,
    projectDescription: text,
    projectContributors: z.array(text),
    numberOfSamples: z.int(),
    numberOfExperiments: z.int(),
    numberOfAnalysis: z.int(),
    createdTime: text.optional(),
    lastEditedTime: text.optional(),
    projectID: text.optional(),
  }),
  ObjectMetadata: z.object({ createdTime: text, id: text }),
  FormDownloadBody: z.object({ download: text, search: text }),
  SimpleDownloadBody: z.object({
    format: z.enum([...FILE_TYPES] as [typeof FILE_TYPES[number], ...typeof FILE_TYPES[number][]]),
    scope: z.enum(["all", "ids"]),
    columns: text,
    sequences: z.boolean(),
    query: text,
    ids: optionalText,
  }),
  JsonFileUploadBody: z.object({ json_file: bytes }),
  FileUploadBody: z.object({ file: bytes }),
} satisfies { readonly [Name in keyof UnusedShapes]: z.ZodType<UnusedShapes[Name]> };

/**
 * Writes the shapes of Specification 2.6, which no path uses, as JSON Schema.
 *
 * @returns A schema for each of the eleven shapes by its name (see `UnusedShapes`), as it would be sent.
 * @see Specification 2.6. The toolkit neither sends nor reads them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { unusedJsonSchemas } from "./unused_schemas.ts";
 *
 * assertEquals(unusedJsonSchemas().EmailRequest.required, ["subject", "body"]);
 * ```
 */
export function unusedJsonSchemas(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(unusedSchemas).map(([name, schema]) => [
      name,
      z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
    ]),
  );
}
