import { assertEquals, assertStringIncludes } from "@std/assert";
import { RegistryError } from "../../../src/core/errors.ts";
import { promiseView } from "../../../src/jupyter/notebook/promise_view.ts";
import { checkBundle, HOSTILE } from "./_views.ts";

const BEGIN = "This is a promise, not its result: write await before it. ";

Deno.test("a promise shows what has become of it", () => {
  const plain = (promise: Promise<unknown>) => promiseView(promise)["text/plain"];

  assertEquals(plain(new Promise(() => {})), `${BEGIN}It is pending.`);
  assertEquals(plain(Promise.resolve({ a: [1] })), `${BEGIN}It has its result:\n{ a: [ 1 ] }`);
  assertEquals(
    plain(Promise.reject(new RegistryError("disk", "Cannot write a; free space"))),
    `${BEGIN}It has failed:\nRegistryError: Cannot write a\n  next: free space`,
  );
  const failed = plain(Promise.reject(new Error("could not save", { cause: new Error("disk full") })));
  assertStringIncludes(failed, `${BEGIN}It has failed:\nError: could not save\n    at `);
  assertStringIncludes(failed, "Error: disk full\n");
});

Deno.test("hostile results and errors create nothing", () => {
  for (const text of HOSTILE) {
    checkBundle(promiseView(Promise.resolve(text)));
    checkBundle(promiseView(Promise.reject(new Error(text))));
    checkBundle(promiseView(Promise.reject(text)));
  }
});
