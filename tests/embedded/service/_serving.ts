/** Servers of small services, ended at the end of a test, that report no fault and make the runtime warn of nothing. */
import process from "node:process";
import { assertEquals } from "@std/assert";
import type { RegistryService } from "../../../src/embedded/service/registry/app.ts";
import { type ServeOptions, serveRegistry } from "../../../src/embedded/service/registry/server.ts";

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
  const warn = (warning: unknown) => void faults.push(warning);
  process.on("warning", warn);
  const server = await serveRegistry(service, { onFault: (fault) => faults.push(fault), ...options });
  try {
    await work(server);
  } finally {
    await server.shutdown();
    process.off("warning", warn);
  }
  assertEquals(faults, []);
}
