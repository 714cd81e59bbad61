import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { MessageWriter, parseMessage } from "../../../src/jupyter/kernel/jupyter_message.ts";
import { PublishedStream } from "../../../src/jupyter/kernel/published_stream.ts";

const writer = new MessageWriter("key");

function message(text: string): Uint8Array {
  return writer.write({ type: "stream", content: { name: "stdout", text }, parent: { msg_id: "1" } });
}

/** Texts of the messages that come out when bytes go in, in pieces of so many bytes. */
function textsOf(bytes: Uint8Array, piece: number): { texts: unknown[]; bytes: number } {
  const stream = new PublishedStream();
  const texts: unknown[] = [];
  let count = 0;
  for (let at = 0; at < bytes.length; at += piece) {
    for (const { raw, parts } of stream.push(bytes.slice(at, at + piece))) {
      texts.push(parseMessage(parts)?.content.text);
      count += raw.length;
    }
  }
  return { texts, bytes: count };
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Texts with what a message's begin looks like, as JSON writes it. */
const text = fc.oneof(fc.string({ maxLength: 300 }), fc.constant("\x01\t<IDS|MSG>\x01"), fc.constant(""));

Deno.test("messages come out whole, also those that were torn by others anywhere, in whatever pieces they travel", () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), fc.array(fc.nat()), fc.integer({ min: 1, max: 400 }), (
      large,
      others,
      places,
      piece,
    ) => {
      const torn = message(large);
      const cuts = others.map((_, index) => 1 + ((places[index] ?? index) % (torn.length - 1))).sort((a, b) => a - b);
      const ends = [...cuts, torn.length];
      const bytes = join(
        torn.subarray(0, ends[0]),
        ...others.flatMap((other, index) => [message(other), torn.subarray(ends[index], ends[index + 1])]),
        message("behind"),
      );
      assertEquals(textsOf(bytes, piece), { texts: [...others, large, "behind"], bytes: bytes.length });
    }),
    { numRuns: 300 },
  );
});

Deno.test("a message that tears another may be torn itself", () => {
  const [outer, middle, inner] = ["outer", "middle", "inner"].map(message);
  const bytes = join(
    outer.subarray(0, 90),
    middle.subarray(0, 200),
    inner,
    middle.subarray(200),
    outer.subarray(90),
  );
  for (const piece of [1, 7, 100, 10_000]) {
    assertEquals(textsOf(bytes, piece).texts, ["inner", "middle", "outer"]);
  }
});

Deno.test("a command of the protocol is a message without parts", () => {
  const ping = Uint8Array.of(4, 7, 4, ...new TextEncoder().encode("PING"), 0, 0);
  const [command, next] = new PublishedStream().push(join(ping, message("behind")));

  assertEquals([command.parts.length, [...command.raw]], [0, [...ping]]);
  assertEquals(parseMessage(next.parts)?.content.text, "behind");
});
