import { assertEquals } from "@std/assert";

/** Runs the check in a process of its own, started by a shell. */
async function endsOnHangup(prefix: string, permission: string): Promise<string> {
  const module = JSON.stringify(new URL("../../../src/cli/process/hangup.ts", import.meta.url));
  const code = `import { endsOnHangup } from ${module};
console.log(endsOnHangup());
if (endsOnHangup()) Deno.addSignalListener("SIGHUP", () => {});
Deno.kill(Deno.pid, "SIGHUP");
console.log("still there");`;
  const script = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(script, code);
    const { stdout } = await new Deno.Command("sh", {
      args: [
        "-c",
        `${prefix} exec "$0" run --no-check --allow-read --allow-run ${permission} "$1"`,
        Deno.execPath(),
        script,
      ],
    }).output();
    return new TextDecoder().decode(stdout).trim().replace("\n", ", ");
  } finally {
    await Deno.remove(script);
  }
}

Deno.test({
  name: "endsOnHangup() keeps a hangup that is ignored, as by nohup, ignored",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    assertEquals(await endsOnHangup("", "--allow-ffi"), "true, still there");
    assertEquals(await endsOnHangup('trap "" HUP;', "--allow-ffi"), "false, still there");
    // Without the permission nothing listens: the signal ends the process.
    assertEquals(await endsOnHangup("", ""), "false");
  },
});
