/** Servers of small services, ended at the end of a test. */
import { assertEquals } from "@std/assert";
import type { RegistryService } from "../../src/service/registry/app.ts";
import { type ServeOptions, serveRegistry } from "../../src/service/registry/server.ts";

/** Answers `hello`, or the number of bytes that came. */
export const plain: RegistryService = async (request) => {
  if (request.method === "GET") return new Response("hello");
  return new Response(String((await request.arrayBuffer()).byteLength));
};

export async function withServer(
  options: ServeOptions,
  service: RegistryService,
  work: (server: Awaited<ReturnType<typeof serveRegistry>>) => Promise<void>,
): Promise<void> {
  const faults: unknown[] = [];
  const server = await serveRegistry(service, { onFault: (fault) => faults.push(fault), ...options });
  try {
    await work(server);
  } finally {
    await server.shutdown();
  }
  assertEquals(faults, []);
}
