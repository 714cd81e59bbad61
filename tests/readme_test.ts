/** Holds the README to what the project does: its code runs, its output is real, its commands are those there are. */
import { assert, assertEquals } from "@std/assert";
import { QUERY_GRAMMAR } from "../src/service/query/grammar.ts";
import config from "../deno.json" with { type: "json" };

const ROOT = new URL("../", import.meta.url);
const README = await Deno.readTextFile(new URL("README.md", ROOT));

for (const name of ["five-lines", "fasta"]) {
  Deno.test(`the README's code prints what the README says it prints: ${name}`, async () => {
    const found = new RegExp(
      `<!-- ${name} -->\\s*\`\`\`ts\n([\\s\\S]*?)\`\`\`\\s*prints\\s*\`\`\`text\n([\\s\\S]*?)\`\`\``,
    )
      .exec(README);
    assert(found !== null, `the README has no code ${name} with its output`);
    const folder = await Deno.makeTempDir();
    try {
      const script = `${folder}/script.ts`;
      await Deno.writeTextFile(script, found[1]);
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--no-check",
          "--config",
          new URL("deno.json", ROOT).pathname,
          "--allow-read",
          "--allow-write",
          "--allow-env",
          "--allow-sys",
          "--allow-ffi",
          script,
        ],
        cwd: folder,
        env: { SEQREG_CACHE: `${folder}/cache`, SEQREG_URL: "", NO_COLOR: "1" },
      }).output();
      assertEquals(new TextDecoder().decode(stderr), "");
      assertEquals(new TextDecoder().decode(stdout), found[2]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

Deno.test("the README shows every form of a query", () => {
  for (const { written, finds } of QUERY_GRAMMAR) {
    const row = README.split("\n").find((line) => line.includes(`| ${finds.replaceAll("|", "\\|")} `));
    assert(row !== undefined, `the README does not say: ${finds}`);
    for (const query of written) assert(row.includes(`\`${query.replaceAll("|", "\\|")}\``), `it lacks ${query}`);
  }
});

Deno.test("the README's commands are tasks that there are", () => {
  const tasks = [...README.matchAll(/deno(?:@[\d.]+)? task (?:--quiet )?([a-z]+)/g)].map(([, task]) => task);

  assert(tasks.length >= 4);
  for (const task of tasks) assert(Object.hasOwn(config.tasks, task), `there is no task ${task}`);
});

Deno.test("the reference has every door but the command line's", () => {
  const doors = [...new Set(Object.values(config.exports))].filter((path) => !path.includes("/cli/")).map((path) =>
    path.slice(2)
  );
  const written = config.tasks.reference.command.split(" ").filter((word) => word.endsWith("mod.ts"));

  assertEquals(written.sort(), doors.sort());
});

Deno.test("every room's door is an export, and the README names its permissions", () => {
  for (const name of Object.keys(config.exports)) {
    if (name === "./cli") continue;
    const entry = name === "." ? "seqreg" : `seqreg/${name.slice(2)}`;
    if (name !== "./notebook") assert(README.includes(`\`${entry}\``), `the README does not name ${entry}`);
  }
});
