import { assertEquals, assertFalse } from "@std/assert";
import { terminalText } from "../../../../src/core/io/bytes/terminal_text.ts";

Deno.test("terminalText() lets no control character through", () => {
  for (let code = 0; code < 0xa0; code++) {
    const text = terminalText(String.fromCharCode(code));
    // deno-lint-ignore no-control-regex
    assertFalse(/[\x00-\x1f\x7f-\x9f]/.test(text));
  }
  assertEquals(terminalText("\u202eevil\u2066"), "\\u{202e}evil\\u{2066}");
  assertEquals(terminalText("Réunion 日本"), "Réunion 日本");
});
