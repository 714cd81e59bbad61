/**
 * The checks of the requests and answers as JSON Schema: what an OpenAPI description is made of.
 *
 * @module
 */
import { z } from "zod";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "./naming.ts";
import {
  definitionsRequestSchema,
  downloadRequestSchema,
  listElements,
  searchRequestSchema,
  searchResponseSchema,
  sequenceRequestSchema,
  sequenceResponseSchema,
  validationBodySchema,
} from "./_schema.ts";
import { checkArgument } from "./options/check_options.ts";

/** A schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export interface JsonSchema {
  /** Keywords. */
  readonly [keyword: string]: unknown;
}

/** Schemas of what travels. */
export interface OperationSchemas {
  /** Body of a search. */
  readonly searchRequest: JsonSchema;
  /** Answer of a search. */
  readonly searchResponse: JsonSchema;
  /** Body of a sequence request. */
  readonly sequenceRequest: JsonSchema;
  /** Answer of a sequence request. */
  readonly sequenceResponse: JsonSchema;
  /** Body of a download. */
  readonly downloadRequest: JsonSchema;
  /** Body of a definitions export. */
  readonly definitionsRequest: JsonSchema;
  /** Body of status 422. */
  readonly validationBody: JsonSchema;
}

/**
 * Writes the checks of `check…Request()` and `check…Response()` as JSON Schema: the very schemas that check, so that a
 * description cannot drift from them.
 *
 * @param naming What the deployment calls things; the specification's spellings by default.
 * @returns What may be sent and what may come, as it travels.
 * @see Specification 4.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { jsonSchemas } from "./json_schemas.ts";
 *
 * assertEquals(jsonSchemas().searchRequest.required, ["query"]);
 * ```
 */
export function jsonSchemas(naming: Naming = SPECIFICATION_NAMING): OperationSchemas {
  checkArgument("jsonSchemas()", "naming", naming, NAMING_RULE);
  const write = (schema: z.ZodType): JsonSchema => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, {
      io: "input",
      override({ zodSchema, jsonSchema }) {
        const element = listElements.get(zodSchema);
        if (element !== undefined) jsonSchema.items = write(element);
      },
    });
    return rest;
  };
  return {
    searchRequest: write(searchRequestSchema),
    searchResponse: write(searchResponseSchema),
    sequenceRequest: write(sequenceRequestSchema(naming.accessionsKey)),
    sequenceResponse: write(sequenceResponseSchema),
    downloadRequest: write(downloadRequestSchema(naming.accessionsKey)),
    definitionsRequest: write(definitionsRequestSchema),
    validationBody: write(validationBodySchema),
  };
}
