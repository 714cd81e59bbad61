/** A server of a small service, which writes its address and then its warnings and faults. */
import { serveRegistry } from "../../../../src/embedded/service/registry/server.ts";

const server = await serveRegistry(() => Promise.resolve(new Response("hello")), {
  onFault: (fault) => console.log(`fault: ${fault}`),
});
console.log(server.url);
for (const warning of server.warnings) console.log(`warning: ${warning}`);
