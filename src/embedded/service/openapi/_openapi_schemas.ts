/** The shapes of this registry's requests and answers, for its description. */
import { isRecord } from "@seqreg/core/options/is_record";
import { type JsonSchema, jsonSchemas } from "@seqreg/core/contract/json/json_schemas";
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE, MAX_SEARCH_DEPTH, MAX_SELECTION } from "@seqreg/core/contract/limits";
import type { FieldDefinition, FieldType } from "@seqreg/core/contract";
import type { ServiceContext } from "../operations/context.ts";
import { MAX_FACET_VALUES } from "../index/format/facet_fields.ts";
import { DEFINITION_KEYS } from "../operations/export_definitions.ts";
import { MAX_PAGE_SIZE } from "../store/limits.ts";
import { MAX_QUERY_LENGTH } from "@seqreg/core/query";

export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Writes `components.schemas`: the checks of the specification, and on top of them what this registry asks and gives
 * where the specification is silent.
 */
export function describeSchemas({ store, naming }: ServiceContext): Readonly<Record<string, JsonSchema>> {
  const checks = jsonSchemas(naming);
  const names = store.fields.map(({ name }) => name);
  const accession = { type: "string", pattern: "^vj[0-9]{12}$", description: "vj and exactly 12 digits" };
  const query = {
    maxLength: MAX_QUERY_LENGTH,
    description: "Clauses `field:value`, separated by spaces, all of which must hold; an empty text is every record. " +
      "Fields are named by their alias, or by their public name in quotes; values with spaces stand in quotes. Words " +
      "without a field are looked for in all values. `*` and `?` are wildcards, `-` negates, `OR` and parentheses " +
      "group, `[1 TO 5]`, `>=1` are ranges. All but `field:value` is this registry's own choice.",
  };
  const filter = {
    description: "Facet filters: all must hold; several values in an array are alternatives",
    items: {
      properties: {
        field: { ...schemaRef("FieldNameOrAlias"), description: "Public name or alias of the field" },
        value: schemaRef("FilterValue"),
      },
    },
  };
  return {
    SearchRequest: refined(checks.searchRequest, {
      properties: {
        query,
        filter,
        pageSize: { maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE, description: "Results per page" },
        pageNumber: {
          default: DEFAULT_PAGE_NUMBER,
          description: `Page, counted from 1; it must begin within the first ${MAX_SEARCH_DEPTH} matching records`,
        },
        sortColumn: { ...schemaRef("FieldNameOrAlias"), description: "Field to sort by; by relevance when absent" },
        sortOrder: { default: "asc", description: "Direction of the sort; records without a value come last in both" },
      },
    }),
    SearchResponse: refined(checks.searchResponse, {
      additionalProperties: false,
      properties: {
        total: { description: "Number of matching records" },
        results: {
          description: "Records of the requested page",
          maxItems: MAX_PAGE_SIZE,
          items: {
            additionalProperties: false,
            properties: {
              id: accession,
              score: { description: "Relevance; null when a sort was asked for" },
              source: schemaRef("Record"),
            },
          },
        },
        facets: {
          type: "object",
          description: "For each field that has facets, its most frequent values among all matching records",
          additionalProperties: { type: "array", maxItems: MAX_FACET_VALUES, items: schemaRef("FacetValue") },
        },
        query: { type: "string", description: "The query as it came" },
      },
    }),
    SequenceRequest: refined(checks.sequenceRequest, {
      properties: { [naming.accessionsKey]: { description: "Accessions; those without a sequence are left out" } },
    }),
    SequenceResponse: refined(checks.sequenceResponse, {
      description: "Each accession with its sequence; {} if none was found",
      propertyNames: { pattern: accession.pattern },
    }),
    DownloadRequest: refined(checks.downloadRequest, {
      properties: {
        search: {
          description: "Which records; looked at for the scope `max` alone",
          properties: { query: { description: query.description }, filter: { description: filter.description } },
        },
        download: {
          properties: {
            scope: { description: "Every record that matches `search`, or those of `selected_ids`" },
            information: { description: "What to export" },
            fileType: {
              description: `metadata as csv or xml, ${naming.accessionsKey} as tsv or xml, sequences as fasta; ` +
                "anything else is a 400",
            },
            keys: { default: "human_readable", description: "How accession and sequence exports name the fields" },
            metadata: {
              description: "Fields of metadata and of FASTA headers, in this order; all when empty or absent",
            },
            selected_ids: {
              default: [],
              description: `Accessions of a selection; the first ${MAX_SELECTION} count`,
            },
          },
        },
      },
      allOf: [
        {
          if: downloadOf({ scope: { const: "max" } }),
          then: { properties: { search: { properties: { query, filter } } } },
        },
        {
          if: downloadOf({ information: { enum: ["metadata", "sequences"] } }),
          then: {
            properties: {
              download: {
                properties: {
                  metadata: { anyOf: [{ type: "array", items: schemaRef("FieldName") }, { type: "null" }] },
                },
              },
            },
          },
        },
      ],
    }),
    DefinitionsRequest: refined(checks.definitionsRequest, {
      properties: { fields: { description: "Exact public names; unknown ones are left out without an error" } },
    }),
    Definition: {
      type: "object",
      description: "What one public field means",
      required: DEFINITION_KEYS,
      properties: Object.fromEntries(DEFINITION_KEYS.map((key) => [key, { type: "string" }])),
      additionalProperties: false,
    },
    Record: describeRecord(store.fields),
    FacetValue: {
      type: "object",
      required: ["value", "count"],
      properties: { value: { type: "string" }, count: { type: "integer", minimum: 1 } },
      additionalProperties: false,
    },
    FilterValue: {
      description: "A value, or several of which one must be equal",
      anyOf: [
        { type: ["string", "number", "boolean"] },
        { type: "array", items: { type: ["string", "number", "boolean"] }, minItems: 1 },
      ],
    },
    FieldName: { type: "string", description: "Public name of a field", enum: names },
    FieldNameOrAlias: {
      type: "string",
      description: "Public name of a field, or its alias",
      enum: [...new Set([...names, ...store.fields.map(({ alias }) => alias)])],
    },
    ValidationError: refined(checks.validationBody, {
      description: "What is wrong with a request, and where",
      properties: { detail: { minItems: 1 } },
    }),
    Detail: {
      type: "object",
      description: "What is wrong, in words",
      required: ["detail"],
      properties: { detail: { type: "string" } },
      additionalProperties: false,
    },
  };
}

/** Holds for a download with these values. */
function downloadOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const download = { properties, required: Object.keys(properties) };
  return { properties: { download }, required: ["download"] };
}

function describeRecord(fields: readonly FieldDefinition[]): JsonSchema {
  return {
    type: "object",
    description: "Public metadata of one record; null for missing values",
    required: fields.map(({ name }) => name),
    properties: Object.fromEntries(fields.map(({ name, type, description, unit }) => [name, {
      type: JSON_TYPES[type],
      ...description !== "" && { description: unit === "" ? description : `${description}, in ${unit}` },
    }])),
    additionalProperties: false,
  };
}

/** Types that a value of a field can have: what does not fit the declared one stays a text. */
const JSON_TYPES: Readonly<Record<FieldType, readonly string[]>> = {
  string: ["string", "null"],
  date: ["string", "null"],
  list: ["string", "null"],
  integer: ["number", "string", "null"],
  float: ["number", "string", "null"],
  boolean: ["boolean", "string", "null"],
};

/** Lays further keywords over a schema; a schema that is only pointed at replaces what was there. */
function refined(schema: JsonSchema, more: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...schema };
  for (const [keyword, value] of Object.entries(more)) {
    const before = merged[keyword];
    merged[keyword] = isRecord(before) && isRecord(value) && !("$ref" in value) ? refined(before, value) : value;
  }
  return merged;
}
