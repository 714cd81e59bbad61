/** The checks of requests and answers as JSON Schema, for an OpenAPI description. */
import { z } from "zod";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "../naming.ts";
import * as schemas from "../_schema.ts";
import { checkArgument } from "../../options/check_options.ts";

/** A schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export interface JsonSchema {
  /** Keywords. */
  readonly [keyword: string]: unknown;
}

/** Schemas of the messages. */
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
 * Returns the checks of `check…Request()` and `check…Response()` as JSON Schema. The same schemas do the checking, so a
 * description cannot deviate from them.
 *
 * @param naming The spellings of the deployment; the specification's by default.
 * @returns The schemas of requests and answers, as sent.
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
        const element = schemas.listElements.get(zodSchema);
        if (element !== undefined) jsonSchema.items = write(element);
      },
    });
    return rest;
  };
  return {
    searchRequest: write(schemas.searchRequestSchema),
    searchResponse: write(schemas.searchResponseSchema),
    sequenceRequest: write(schemas.sequenceRequestSchema(naming.accessionsKey)),
    sequenceResponse: write(schemas.sequenceResponseSchema),
    downloadRequest: write(schemas.downloadRequestSchema(naming.accessionsKey)),
    definitionsRequest: write(schemas.definitionsRequestSchema),
    validationBody: write(schemas.validationBodySchema),
  };
}
