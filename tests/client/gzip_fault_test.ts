import { assert } from "@std/assert";
import { gzipSync } from "node:zlib";
import { isGzipFault } from "../../src/client/_gzip_fault.ts";

Deno.test("isGzipFault() recognises what Deno's fetch says of damaged gzip", async () => {
  const whole = new Uint8Array(gzipSync("acgt".repeat(1000)));
  const bodies: Record<string, Uint8Array<ArrayBuffer>> = {
    "not gzip": new TextEncoder().encode("<html>".repeat(100)),
    "a wrong checksum": whole.with(whole.length - 6, whole[whole.length - 6] ^ 255),
    "an invalid block": whole.with(10, 0xff),
  };
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1));
    return new Response(bodies[name], { headers: { "content-encoding": "gzip" } });
  });
  for (const name of Object.keys(bodies)) {
    const url = `http://127.0.0.1:${server.addr.port}/${encodeURIComponent(name)}`;
    const error = await fetch(url).then((answer) => answer.bytes()).then(() => "read", (error) => error);
    assert(isGzipFault(error), `${name}: ${Deno.inspect(error)}`);
  }
});
