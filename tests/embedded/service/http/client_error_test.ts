import { Duplex } from "node:stream";
import { assertEquals } from "@std/assert";
import { answerClientError } from "../../../../src/embedded/service/http/client_error.ts";

Deno.test("a socket on which each chunk of data is an error gets one answer, and is then closed", async () => {
  let written = "";
  const socket = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const faults: unknown[] = [];
  socket.on("error", (fault) => faults.push(fault));
  const error = Object.assign(new Error("parse error"), { code: "HPE_HEADER_OVERFLOW" });
  const answered = [answerClientError(error, socket), answerClientError(error, socket)];
  socket.push("more");
  socket.push(null);
  await Promise.all(answered);

  assertEquals(written.match(/^HTTP\/1\.1 431 /gm)?.length, 1);
  assertEquals([socket.destroyed, faults], [true, []]);
});
