/** Work on other cores meanwhile, as on the machine of a class. */

const BUSY = "const end = Date.now() + 3_600_000; while (Date.now() < end);";

/** Keeps two cores busy until the scope is left. */
export function busyCores(): AsyncDisposable {
  const others = [1, 2].map(() => new Deno.Command(Deno.execPath(), { args: ["eval", BUSY] }).spawn());
  return {
    async [Symbol.asyncDispose]() {
      for (const other of others) other.kill("SIGKILL");
      await Promise.all(others.map(({ status }) => status));
    },
  };
}
