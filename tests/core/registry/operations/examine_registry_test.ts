import { assertEquals } from "@std/assert";
import { RegistryClient } from "../../../../src/core/client/mod.ts";
import { examineRegistry } from "../../../../src/core/registry/operations/examine_registry.ts";
import { sampleFolder, serveFolder } from "../_archives.ts";

Deno.test("examineRegistry() counts no definitions where none came", async () => {
  await using folder = await sampleFolder(10);
  await using server = await serveFolder(folder);
  const client = new RegistryClient("http://registry.test", {
    fetch: async (request) =>
      request.url.endsWith("/v2/metadata/download") ? Response.json([]) : await server.service(request),
  });
  const findings = await examineRegistry(client, { seen: [] });
  assertEquals(findings.filter(({ subject }) => subject === "definitions"), [
    { subject: "definitions", state: "none came", advice: "every field is taken as text", isProblem: true },
  ]);
});
