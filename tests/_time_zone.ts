/** Code on a machine of another time zone. */

const CONFIG = new URL("../deno.json", import.meta.url).pathname;

/** Runs code in a process of its own, in a time zone such as `Asia/Tokyo`; returns what it prints. */
export async function printIn(zone: string, code: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--config", CONFIG, code],
    env: { TZ: zone, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
