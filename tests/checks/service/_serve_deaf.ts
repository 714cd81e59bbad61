/** The program, whose server loses its port to another when it listens. */
import { Server } from "node:net";
import { Server as HttpServer } from "node:http";
import { main } from "../../../src/cli/main.ts";

const { listen } = HttpServer.prototype;
HttpServer.prototype.listen = function (this: HttpServer, ...given: Parameters<typeof listen>) {
  HttpServer.prototype.listen = listen;
  this.once("listening", () => {
    const address = this.address();
    if (typeof address !== "object" || address === null) throw new TypeError("the server has no port");
    setTimeout(() => this.close(() => new Server().listen(address.port, "127.0.0.1")));
  });
  return listen.apply(this, given);
} as typeof listen;

Deno.exit(await main(Deno.args));
