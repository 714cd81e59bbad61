/** Reads an environment variable. */
export type ReadEnv = (name: string) => string | undefined;

/** Reads a variable where the permissions allow it: without this, Deno would ask the user at a terminal. */
export function allowedEnv(variable: string): string | undefined {
  return Deno.permissions.querySync({ name: "env", variable }).state === "granted" ? Deno.env.get(variable) : undefined;
}
