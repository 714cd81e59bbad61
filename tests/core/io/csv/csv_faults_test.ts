import { assertEquals } from "@std/assert";
import { countFeeds, firstInvalid, strayText } from "../../../../src/core/io/csv/csv_faults.ts";

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("firstInvalid() finds the line of the first character that is not UTF-8, wherever it stands", () => {
  const characters = [..."aé日\n😀b,c\n\né日\nd"];
  for (let at = 0; at <= characters.length; at++) {
    const before = encode(characters.slice(0, at).join(""));
    const after = encode(characters.slice(at).join(""));
    for (const wrong of [[0xff], [0xe9, 0x2c], [0xf0, 0x9f, 0x2c]]) {
      const bytes = Uint8Array.of(...before, ...wrong, ...after);
      const found = firstInvalid(bytes);
      assertEquals(countFeeds(bytes.subarray(0, found)), countFeeds(before), `${bytes}`);
      assertEquals(found <= before.length, true, `${bytes}`);
    }
  }
});

Deno.test("countFeeds() counts line feeds", () => {
  assertEquals(["", "a", "\n", "\n\na\n"].map((text) => countFeeds(encode(text))), [0, 0, 1, 3]);
});

Deno.test("strayText() names another line only where it is another", () => {
  assertEquals([strayText(3, 3).includes("on line"), strayText(3, 4).includes("on line 4")], [false, true]);
});
