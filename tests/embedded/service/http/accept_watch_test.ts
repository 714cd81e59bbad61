import { assert, assertEquals } from "@std/assert";
import { createServer } from "node:http";
import { watchAccepting } from "../../../../src/embedded/service/http/accept_watch.ts";
import { listen } from "../../../../src/embedded/service/http/listen.ts";

Deno.test("a server that no longer accepts connections listens anew and says so; one that accepts is left alone", async () => {
  const server = createServer((_, outgoing) => void outgoing.end("hello"));
  const port = await listen(server, "127.0.0.1", 0);
  const faults: string[] = [];
  let asked = 0;
  server.on("connection", () => asked++);
  const stop = watchAccepting(server, {
    host: "127.0.0.1",
    port,
    everyMs: 50,
    hasRoom: () => true,
    onFault: ({ message }) => faults.push(message),
    listen: async () => void await listen(server, "127.0.0.1", port),
    onEnd: (fault) => faults.push(`ended: ${fault}`),
  });
  const until = async (is: () => boolean) => {
    while (!is()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await until(() => asked > 2);
  assertEquals(faults, []);
  server.close();
  await until(() => faults.length > 0);
  assert(faults[0].includes(`to port ${port}`), faults[0]);
  assertEquals(await (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: "close" } })).text(), "hello");
  stop();
  server.closeAllConnections();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  assertEquals(faults.length, 1);
});
