/**
 * Every exported function, constructor and method that takes options refuses what is not an option, before any I/O.
 *
 * The list is that of `deno doc`: a new export is in it by itself. It fails here without a check, and where its
 * arguments have a type that is not known here yet.
 */
import { assert, assertEquals } from "@std/assert";
import type { Callable } from "./_public_options.ts";
import { ARGUMENTS, type Opened, openForCalls, refusalOf, requiredOf } from "./_public_options_calls.ts";

let opened: Opened | undefined;

Deno.test("exports that take options are found, and what their methods belong to is opened", async () => {
  opened = await openForCalls();
  const { callables } = opened;
  assert(callables.length > 90, `only ${callables.length} exports take options: the list reads the wrong thing`);
  const unknown = callables.flatMap(({ name, before }) =>
    before.filter(({ type }) => !Object.hasOwn(ARGUMENTS, type)).map(({ type }) =>
      `${name}: no argument of type ${type}`
    )
  );
  assertEquals(unknown, [], "add an argument of that type to ARGUMENTS");
});

/** Checks every export that takes options, without any permission. */
function testOptions(name: string, check: (callable: Callable, opened: Opened) => Promise<void>): void {
  Deno.test(name, { permissions: "none" }, async (t) => {
    assert(opened !== undefined);
    const calls = opened;
    for (const callable of calls.callables) await t.step(callable.name, () => check(callable, calls));
  });
}

testOptions("every export that takes options refuses an unknown one before any I/O", async (callable, opened) => {
  const required = requiredOf(callable);
  const error = await refusalOf(opened, callable, { ...required, "no such option": 1 });
  assert(error instanceof TypeError, `no TypeError: ${error}`);
  assert(error.message.startsWith('unknown option "no such option" of '), error.message);
  for (const { name } of callable.keys) assert(error.message.includes(name), `${error.message} names no ${name}`);
});

testOptions("every option of every export is refused with a wrong type, before any I/O", async (callable, opened) => {
  const required = requiredOf(callable);
  for (const key of callable.keys) {
    // `unknown` is any value.
    if (key.type === "unknown" || key.name === "cause") continue;
    const error = await refusalOf(opened, callable, { ...required, [key.name]: Symbol("wrong") });
    assert(error instanceof TypeError, `${key.name}: no TypeError: ${error}`);
    assert(error.message.startsWith(`option "${key.name}" of `), error.message);
  }
  if (callable.keys.some(({ isRequired }) => isRequired)) {
    const error = await refusalOf(opened, callable, {});
    assert(error instanceof TypeError && error.message.includes(" is missing"), `nothing is missing: ${error}`);
  }
  for (const wrong of ["text", 1, null, [], AbortSignal.abort()]) {
    const error = await refusalOf(opened, callable, wrong);
    assert(error instanceof TypeError && error.message.includes(" must be an object, {"), `${wrong}: ${error}`);
  }
});

Deno.test("what was opened for the calls is closed", async () => {
  await opened?.close();
  opened = undefined;
});
