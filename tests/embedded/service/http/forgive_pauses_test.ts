import { assertEquals } from "@std/assert";
import { serveRegistry } from "../../../../src/embedded/service/registry/server.ts";

Deno.test("a request that came while the process was paused is answered, and one that is late otherwise is not", async () => {
  const server = await serveRegistry(() => Promise.resolve(new Response("served")), { limits: { headersMs: 1000 } });
  const encoder = new TextEncoder();
  const statusAfter = async (wait: (send: () => Promise<unknown>) => Promise<void>) => {
    using socket = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
    await wait(() => socket.write(encoder.encode(`GET / HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n\r\n`)));
    const buffer = new Uint8Array(1000);
    const count = await socket.read(buffer) ?? 0;
    return new TextDecoder().decode(buffer.subarray(9, Math.min(12, count)));
  };
  try {
    const paused = await statusAfter(async (send) => {
      // The connection is accepted, the request is in the system's buffers, and nothing runs.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const sent = send();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
      await sent;
    });
    assertEquals(paused, "200");
    assertEquals(await statusAfter(() => Promise.resolve()), "408");
  } finally {
    await server.shutdown();
  }
});
