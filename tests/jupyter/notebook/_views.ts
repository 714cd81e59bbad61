/** What every view of a notebook must be. */
import { assert, assertEquals, assertFalse } from "@std/assert";
import { type MediaBundle } from "../../../src/core/io/display/display.ts";

/** Values that would do something if they reached a page or a terminal unescaped. */
export const HOSTILE = [
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  `" onmouseover="alert(1)`,
  "' onfocus='alert(1)",
  "<a href='javascript:alert(1)'>x</a>",
  "<!--",
  "-->",
  "<![CDATA[",
  "&lt;b&gt;",
  "`${alert(1)}`",
  "\x1b[2J\x1b]0;title\x07",
  "\u202egpj.exe",
  "\ud800 lone",
  "\u2028line",
  "\x00nul",
];

/** Elements that the views themselves write. */
export const OWN_ELEMENTS = /^\/?(div|table|thead|tbody|tr|th|td|br|small|i|p|script|span|ul|li|pre|img|progress)$/;

export function checkBundle(bundle: MediaBundle): void {
  const html = bundle["text/html"] ?? "";
  // Scripts hold data as JSON in which "<" is escaped; outside them only our own elements may stand.
  for (const [, name, attributes] of html.matchAll(/<([^\s>]+)([^>]*)>/g)) {
    assert(OWN_ELEMENTS.test(name), `<${name}> was created`);
    assertFalse(
      /\son\w+\s*=/.test(attributes.replace(/"[^"]*"/g, '""')),
      `an event handler was created: ${attributes}`,
    );
  }
  assertEquals([...html.matchAll(/<script/g)].length, [...html.matchAll(/<\/script/g)].length);
  // deno-lint-ignore no-control-regex
  const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
  assertFalse(control.test(html), "a control character reached the page");
  assertFalse(control.test(bundle["text/plain"]), "a control character reached the terminal");
  assert(html.isWellFormed() && bundle["text/plain"].isWellFormed());
}
