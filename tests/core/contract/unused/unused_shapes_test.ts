import { assertEquals } from "@std/assert";
import { ENDPOINTS, unusedJsonSchemas } from "../../../../src/core/contract/mod.ts";

/** Required properties of each shape, as Specification 2.6 has them. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  SuggestionRequest: ["term"],
  SuggestionResponse: ["suggestions"],
  Suggestion: ["replace", "type"],
  ViralzoneRequest: [],
  EmailRequest: ["subject", "body"],
  ProjectInput: [
    "projectTitle",
    "projectDescription",
    "projectContributors",
    "numberOfSamples",
    "numberOfExperiments",
    "numberOfAnalysis",
  ],
  ObjectMetadata: ["createdTime", "id"],
  FormDownloadBody: ["download", "search"],
  SimpleDownloadBody: ["format", "scope", "columns", "sequences", "query"],
  JsonFileUploadBody: ["json_file"],
  FileUploadBody: ["file"],
};

Deno.test("unusedJsonSchemas() has the shapes of Specification 2.6 with their required properties", () => {
  const required = Object.entries(unusedJsonSchemas()).map(([name, schema]) => [name, schema.required ?? []]);

  assertEquals(Object.fromEntries(required), REQUIRED);
});

Deno.test("no path of the contract uses the shapes of Specification 2.6", () => {
  assertEquals(Object.keys(ENDPOINTS).length, 5);
});
