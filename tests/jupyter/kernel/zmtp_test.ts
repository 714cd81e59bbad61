import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { MessageWriter, parseMessage } from "../../../src/jupyter/kernel/jupyter_message.ts";
import { frameParts, Link } from "../../../src/jupyter/kernel/zmtp.ts";

/** Two ends of one connection over loopback. */
async function connectedPair(): Promise<{ raw: Deno.TcpConn; link: Link }> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const [raw, accepted] = await Promise.all([Deno.connect({ hostname: "127.0.0.1", port }), listener.accept()]);
  listener.close();
  return { raw, link: new Link(accepted) };
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let start = 0; start < bytes.length;) start += await connection.write(bytes.subarray(start));
}

Deno.test("messages of any parts arrive as they were framed, in whatever pieces they travel", async () => {
  const { raw, link } = await connectedPair();
  const part = fc.uint8Array({ maxLength: 700 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
      fc.nat(500),
      async (messages, cut) => {
        const bytes = Uint8Array.from(messages.flatMap((parts) => [...frameParts(parts)]));
        const at = Math.min(cut, bytes.length);
        const writing = (async () => {
          await writeAll(raw, bytes.subarray(0, at));
          await writeAll(raw, bytes.subarray(at));
        })();
        for (const parts of messages) {
          const message = await link.readMessage();
          assertEquals(message.parts.map((one) => [...one]), parts.map((one) => [...one]));
          assertEquals([...message.raw], [...frameParts(parts)]);
        }
        await writing;
      },
    ),
    { numRuns: 60 },
  );
  raw.close();
  await assertRejects(() => link.readMessage(), Error, "closed");
  link.close();
});

Deno.test("a link counts what waits to be written, and says when it was closed", async () => {
  const { raw, link } = await connectedPair();
  const writing = link.write(new Uint8Array(1000));
  assertEquals(link.unwritten, 1000);
  await writing;
  assertEquals([link.unwritten, link.isClosed], [0, false]);
  link.close();
  assert(link.isClosed);
  raw.close();
});

Deno.test("a message that is written can be read, and what is not a message is undefined", () => {
  const writer = new MessageWriter("key");
  const bytes = writer.write({ type: "status", content: { execution_state: "idle" }, parent: { msg_id: "1" } });
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const long = (bytes[at] & 2) !== 0;
    const length = long ? Number(new DataView(bytes.buffer).getBigUint64(at + 1)) : bytes[at + 1];
    at += long ? 9 : 2;
    parts.push(bytes.subarray(at, at + length));
    at += length;
  }

  const message = parseMessage(parts);
  assertEquals([message?.type, message?.parent.msg_id, message?.content.execution_state], ["status", "1", "idle"]);
  assertEquals(parseMessage([]), undefined);
  assertEquals(parseMessage([new Uint8Array(3)]), undefined);
});
