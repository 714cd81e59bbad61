import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { AccessLog } from "../../../src/cli/service/access_log.ts";
import type { AccessLogEntry } from "../../../src/embedded/service/mod.ts";
import { RUN_QUIETLY } from "../../_cli.ts";
import { inFolder } from "../../_files.ts";

const entry = (target: string): AccessLogEntry => ({
  time: "2020-01-01T00:00:00.000Z",
  method: "GET",
  target,
  status: 200,
  bytes: 1,
  durationMs: 1,
  whole: true,
});

Deno.test("AccessLog appends a line for each answer, in their order, before it is closed", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, "before\n");
    {
      await using log = await AccessLog.open(path, { onLost: () => assert(false) });
      for (let number = 0; number < 1000; number++) log.write(entry(`/${number}`));
    }
    const [before, ...lines] = (await Deno.readTextFile(path)).trimEnd().split("\n");
    assertEquals(before, "before");
    assertEquals(lines.map((line) => JSON.parse(line).target), Array.from({ length: 1000 }, (_, index) => `/${index}`));
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("AccessLog writes a line that comes at any moment in which the one before ends", async () => {
  for (let turns = 0; turns < 20; turns++) {
    let written = "";
    await using log = new AccessLog({
      write: (bytes) => {
        written += new TextDecoder().decode(bytes);
        return Promise.resolve(bytes.length);
      },
    }, { onLost: () => assert(false) });
    log.write(entry("/a"));
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    log.write(entry("/b"));
    await new Promise((resolve) => setTimeout(resolve, 0));
    assertEquals(written.split("\n").length - 1, 2, `${turns} turns`);
  }
});

Deno.test("AccessLog says where it cannot be written, and what to do", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const error = await assertRejects(() => AccessLog.open(folder, { onLost: () => {} }), Error);
    assertStringIncludes(error.message, "choose a file in a writable folder");
  } finally {
    await Deno.remove(folder);
  }
});

Deno.test({
  name: "AccessLog leaves whole lines where a file can take no more, and counts the others",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await inFolder(async (folder) => {
      const module = JSON.stringify(new URL("../../../src/cli/service/access_log.ts", import.meta.url));
      const script = `import { AccessLog } from ${module};
let lost = 0;
const reasons = new Set();
{
  await using log = await AccessLog.open(Deno.args[0], { onLost: (lines, why) => { lost += lines; reasons.add(why); } });
  for (let batch = 0; batch < 10; batch++) {
    for (let line = 0; line < 10; line++) log.write(${JSON.stringify(entry("/x".repeat(50)))});
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
console.log(JSON.stringify({ lost, reasons: [...reasons] }));`;
      await Deno.writeTextFile(`${folder}/script.ts`, script);
      // A file of more than some thousand bytes is refused, as by a full disk: what fits of a call is written.
      const { stdout, stderr } = await new Deno.Command("sh", {
        args: ["-c", 'trap "" XFSZ; ulimit -f 8; exec "$@"', "sh", Deno.execPath(), ...RUN_QUIETLY].concat([
          "--allow-read",
          "--allow-write",
          `${folder}/script.ts`,
          `${folder}/log`,
        ]),
      }).output();
      const text = new TextDecoder().decode(stdout);
      assert(text !== "", new TextDecoder().decode(stderr));
      const { lost, reasons } = JSON.parse(text);
      const written = await Deno.readTextFile(`${folder}/log`);
      const lines = written.split("\n");
      assertEquals(lines.pop(), "");
      for (const line of lines) assertEquals(JSON.parse(line).status, 200);
      assert(lines.length > 0 && lost > 0);
      assertEquals([lines.length + lost, reasons.length], [100, 1]);
    });
  },
});

Deno.test("AccessLog loses what a slow reader leaves, and neither waits for it nor holds more than it may", async () => {
  let lost = 0;
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const written: number[] = [];
  const line = JSON.stringify(entry("/")).length + 1;
  {
    await using log = new AccessLog({
      async write(bytes) {
        await taken;
        written.push(bytes.length);
        return bytes.length;
      },
    }, { onLost: (lines) => lost += lines, maxWaiting: 10 * line });
    log.write(entry("/"));
    for (let number = 0; number < 100; number++) log.write(entry("/"));
    assertEquals(lost, 90);
    take();
  }
  assertEquals(written, [line, 10 * line]);
});
