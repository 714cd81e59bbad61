/** Folders that are written atomically, and what killed processes leave of them. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  createStagingFolder,
  isStagingName,
  resumeStagingFolder,
  stagingName,
  sweepStaging,
  sweepStagingIn,
} from "../../../../src/core/io/files/staging_folder.ts";
import { watchLeftovers } from "../../../../src/core/io/files/leftovers.ts";
import { IN_USE_FILE } from "../../../../src/core/io/files/folder_use.ts";
import { createScratchFolder } from "../../../../src/core/io/files/scratch_folder.ts";
import { boundByModes, testNeeding } from "../../../_needs.ts";

const namesIn = (folder: string) =>
  Array.from(Deno.readDirSync(folder), ({ name }) => name).filter((name) => name !== IN_USE_FILE).sort();

Deno.test("sweepStaging() removes what a killed process left, and nothing that may be alive", async () => {
  using scratch = await createScratchFolder("staging-test");
  const folder = scratch.path;
  const minutesAgo = async (name: string, minutes: number) => {
    await Deno.mkdir(`${folder}/${name}`);
    const then = new Date(Date.now() - minutes * 60_000);
    await Deno.utime(`${folder}/${name}`, then, then);
    return name;
  };
  const mine = stagingName("a");
  const [, , host] = mine.split(".");
  const noProcess = 2 ** 30;
  const goes = [
    await minutesAgo(`.a.${host}.${noProcess}.12345678.part`, 2),
    await minutesAgo(".a.elsewhere.1.12345678.part", 25 * 60),
    await minutesAgo(`.a.${host}.${Deno.pid}.12345678.part`, 25 * 60),
  ];
  const stays = [
    await minutesAgo(mine, 2),
    await minutesAgo(".a.elsewhere.1.87654321.part", 60),
    await minutesAgo(`.a.${host}.${noProcess}.87654321.part`, 0),
    await minutesAgo(`.b.${host}.${noProcess}.12345678.part`, 25 * 60),
  ];
  assert([...goes, ...stays].every(isStagingName));
  await sweepStaging(`${folder}/a`);
  const left = namesIn(folder);
  for (const name of stays) assert(left.includes(name), name);
  // Deno shows processes only with --allow-all: without it a day has to pass.
  const isProcessSeen = Deno.build.os === "linux" && await Deno.stat("/proc/1").then(() => true, () => false);
  for (const name of isProcessSeen ? goes : goes.slice(1)) assert(!left.includes(name), name);
});

Deno.test("a staging folder takes its final name, or is removed", async () => {
  using scratch = await createScratchFolder("staging-test");
  const folder = scratch.path;
  const write = async (text: string, end: "rename" | "replace" | "leave") => {
    await using staging = await createStagingFolder(`${folder}/table`);
    await Deno.writeTextFile(`${staging.path}/dropped`, "");
    await staging.clear();
    await Deno.writeTextFile(`${staging.path}/a`, text);
    if (end !== "leave") await staging[end]();
  };
  await write("0", "leave");
  assertEquals(namesIn(folder), []);
  await write("1", "rename");
  await assertRejects(() => write("2", "rename"));
  assertEquals(await Deno.readTextFile(`${folder}/table/a`), "1");
  await write("3", "replace");
  assertEquals(await Deno.readTextFile(`${folder}/table/a`), "3");
  await Promise.all(["4", "5", "6"].map((text) => write(text, "replace")));
  assertEquals([namesIn(folder), namesIn(`${folder}/table`)], [["table"], ["a"]]);
});

Deno.test("a staging folder that was kept is resumed, and swept a day later", async () => {
  using scratch = await createScratchFolder("staging-test");
  const folder = scratch.path;
  const stage = async (name: string, end: "keep" | "rename" | "leave") => {
    await using staging = await resumeStagingFolder(`${folder}/table`);
    await Deno.writeTextFile(`${staging.path}/${name}`, "");
    if (end !== "leave") await staging[end]();
    return namesIn(end === "rename" ? `${folder}/table` : staging.path);
  };
  assertEquals(await stage("a", "keep"), ["a"]);
  await sweepStagingIn(folder, `${folder}/other`);
  assertEquals(await stage("b", "keep"), ["a", "b"]);
  const then = new Date(Date.now() - 25 * 3_600_000);
  for (const path of [".table.part/a", ".table.part/b", ".table.part"]) {
    await Deno.utime(`${folder}/${path}`, then, then);
  }
  await sweepStagingIn(folder, `${folder}/.table.part`);
  assertEquals(namesIn(folder), [".table.part"]);
  await sweepStagingIn(folder, `${folder}/other`);
  assertEquals(namesIn(folder), []);
  assertEquals(await stage("c", "leave"), ["c"]);
  assertEquals(namesIn(folder), []);
  assertEquals(await stage("d", "rename"), ["d"]);
});

Deno.test("createStagingFolder() removes at once what no process has locked any more, and reports it", async () => {
  using scratch = await createScratchFolder("staging-test");
  const folder = scratch.path;
  const left = `${folder}/.table.elsewhere.1.12345678.part`;
  await Deno.mkdir(`${left}/parts`, { recursive: true });
  const other = `${folder}/.other.elsewhere.1.12345678.part`;
  await Deno.mkdir(other);
  const removed: string[] = [];
  using _watch = watchLeftovers((path) => removed.push(path));
  await using first = await createStagingFolder(`${folder}/table`);
  assertEquals(removed, Deno.build.os === "windows" ? [] : [left]);
  // The folder of a process that is at work stays.
  await using second = await createStagingFolder(`${folder}/table`);
  for (const path of [first.path, second.path, other]) assert((await Deno.stat(path)).isDirectory);
});

const BOUND_BY_MODES = boundByModes();
const NEEDS_MODES = { "a user whom file modes bind, or setpriv": BOUND_BY_MODES !== undefined };

testNeeding(NEEDS_MODES, "a folder is replaced though the former one cannot be removed", async () => {
  using scratch = await createScratchFolder("staging-test");
  const folder = scratch.path;
  await Deno.mkdir(`${folder}/table/locked`, { recursive: true });
  await Deno.writeTextFile(`${folder}/table/locked/a`, "1");
  await Deno.chmod(`${folder}/table/locked`, 0o555);
  const script = `import { createStagingFolder } from "${new URL(
    "../../../../src/core/io/files/staging_folder.ts",
    import.meta.url,
  )}";
    await using staging = await createStagingFolder(${JSON.stringify(`${folder}/table`)});
    await Deno.writeTextFile(staging.path + "/a", "2");
    await staging.replace();`;
  const [command, ...args] = [...BOUND_BY_MODES ?? [], Deno.execPath(), "eval", "--no-check", script];
  const { code, stderr } = await new Deno.Command(command, { args }).output();
  const left = namesIn(folder).filter((name) => name !== "table");
  for (const name of left) await Deno.chmod(`${folder}/${name}/locked`, 0o755);
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  assertEquals([namesIn(`${folder}/table`), await Deno.readTextFile(`${folder}/table/a`)], [["a"], "2"]);
  // What is left of the former one is swept when its process is gone.
  assertEquals(left.map(isStagingName), [true]);
});

Deno.test({
  name: "createStagingFolder() leaves a folder that is locked, though it was not written to for a day",
  ignore: Deno.build.os === "windows",
  async fn() {
    using scratch = await createScratchFolder("staging-test");
    await using first = await createStagingFolder(`${scratch.path}/table`);
    const then = new Date(Date.now() - 25 * 3_600_000);
    await Deno.utime(first.path, then, then);
    await using second = await createStagingFolder(`${scratch.path}/table`);
    for (const { path } of [first, second]) assert((await Deno.stat(path)).isDirectory);
  },
});
