import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { curate } from "../../src/curation/curate.ts";
import { subsample } from "../../src/curation/subsample.ts";
import { buildLake } from "../../src/core/tables/lake/objects/build_any_lake.ts";
import { packArchives } from "../../src/embedded/sample/pack/pack_archives.ts";
import { RegistryError } from "../../src/core/errors.ts";
import { runCli } from "../_cli.ts";
import { runInFolder } from "../_program.ts";
import { inFolder } from "../_files.ts";

const TABLE = "accession\tcountry\tdate\nx1\tPeru\t2016-01-01\nx2\tPeru\t2016-02-01\nx3\tCuba\t2015\n";
const FASTA = ">x1\nAC\n>x2\nAG\n>x3\nAT\n";

/** A folder with inputs that have the names of results, and links to it. */
async function withInputs(work: (folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    await Deno.mkdir(join(folder, "d"));
    await Deno.symlink("d", join(folder, "link"));
    for (const name of ["metadata.tsv", "kept.tsv"]) await Deno.writeTextFile(join(folder, "d", name), TABLE);
    await Deno.writeTextFile(join(folder, "d", "sequences.fasta"), FASTA);
    await Deno.writeTextFile(join(folder, "d", "excluded.tsv"), "x1\n");
    await Deno.writeTextFile(join(folder, "d", "rules.json"), "{}");
    await Deno.writeTextFile(join(folder, "d", "weights.tsv"), "country\tweight\ndefault\t1\n");
    await Deno.writeTextFile(join(folder, "d", "ids.bin"), "x1");
    await Deno.writeTextFile(join(folder, "d", "signatures.sig.gz"), "x1");
    await Deno.writeTextFile(join(folder, "records.tsv"), TABLE);
    await work(folder);
  });
}

/** Every file of a folder, with its text; links are not followed. */
async function contentOf(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { name, isDirectory, isSymlink } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isSymlink) files[path] = await Deno.readLink(path);
    else if (isDirectory) Object.assign(files, await contentOf(path));
    else files[path] = await Deno.readTextFile(path);
  }
  return files;
}

/** An argument of which {@linkcode runInFolder} makes a path. */
const ofFolder = (arg: string) => /^(?:d|link)(?:\/|$)|^records\.tsv$/.test(arg) ? `./${arg}` : arg;

const SUBSAMPLE = ["subsample", "records.tsv", "--by", "country", "--total", "1"];

Deno.test("an output that is also an input is wrong usage, and nothing is written", async (t) => {
  await withInputs(async (folder) => {
    const before = await contentOf(folder);
    const cases: readonly (readonly string[])[] = [
      ["subsample", "d/metadata.tsv", "--by", "country", "--total", "1", "-o", "d"],
      ["subsample", "d/metadata.tsv", "--by", "country", "--total", "1", "-o", "link"],
      ["subsample", "link/metadata.tsv", "--by", "country", "--total", "1", "-o", "d"],
      [...SUBSAMPLE, "-o", "records.tsv"],
      ...[
        ["--sequences", "d/sequences.fasta"],
        ["--exclude", "d/excluded.tsv"],
        ["--include", "d/excluded.tsv"],
        ["--weights", "link/weights.tsv"],
      ].map((option) => [...SUBSAMPLE, ...option, "-o", "d"]),
      ["curate", "d/kept.tsv", "-o", "d"],
      ["curate", "d/kept.tsv", "-o", "link/"],
      ["curate", "d", "-o", "d"],
      ["curate", "records.tsv", "--rules", "d/rules.json", "-o", "d"],
      ["isolates", "d/kept.tsv", "-o", "d/kept.tsv"],
      ["isolates", "d", "-o", "d/signatures.sig.gz"],
      ["lake", "d", "-o", "link"],
      ["lake", "records.tsv", "--definitions", "d", "-o", "d"],
      ["pack", "--fasta", "d/sequences.fasta", "--metadata", "records.tsv", "-o", "d"],
      ["pack", "d", "-o", "d"],
      ["mirror", "--registry", "d", "-o", "link"],
      ["dataset", "--all", "--registry", "d", "-o", "d"],
      ["alike", "sketch", "d/sequences.fasta", "-o", "d"],
      ["alike", "index", "d/sequences.fasta", "-o", "link"],
      ["alike", "nearest", "d/sequences.fasta", "--index", "d", "-o", "d/ids.bin"],
      ["alike", "nearest", "d/sequences.fasta", "--index", "link", "-o", "d/ids.bin"],
      ["alike", "context", "d/sequences.fasta", "--index", "d", "--from", "d", "-o", "d"],
      ["alike", "clusters", "d/sequences.fasta", "--ani", "99", "-o", "link/sequences.fasta"],
      ["fasta", "to-parquet", "d/sequences.fasta", "-o", "d"],
      ["fasta", "from-parquet", "d", "-o", "d/ids.bin"],
      ["crate", "records.tsv", "--result", "d/kept.tsv", "--result", "d/metadata.tsv", "-o", "d"],
      ["chart", "worldMap", "d/kept.tsv", "--format", "csv", "-o", "d/kept.tsv"],
      ["diff", "records.tsv", "d/kept.tsv", "--html", "link/kept.tsv"],
      ["schema", "records.tsv", "d/kept.tsv", "-o", "d/kept.tsv"],
    ];
    for (const args of cases) {
      await t.step(args.join(" "), async () => {
        const { code, stdout, stderr } = await runInFolder(folder, args.map(ofFolder));
        assertEquals([code, stdout], [2, ""], stderr);
        assert(/already uses this|is read|it is a folder/.test(stderr), stderr);
        assertEquals(await contentOf(folder), before);
      });
    }
    for (
      const [args, variable, says] of [
        [["dataset", "--all", "-o", "./d"], "SEQREG_URL", "already uses this folder"],
        [["mirror", "-o", "./link"], "SEQREG_URL", "already uses this folder"],
        [["search", "--count", "-o", "./records.tsv"], "SEQREG_LOCK", "already uses this file"],
        [["search", "--ledger", "./records.tsv"], "SEQREG_NAMING", "already uses this file"],
      ] as const
    ) {
      await t.step(`${args.join(" ")}: the input of ${variable}`, async () => {
        const input = variable === "SEQREG_URL" ? "d" : "records.tsv";
        const { code, stderr } = await runInFolder(folder, args, { env: { [variable]: join(folder, input) } });
        assertEquals(code, 2, stderr);
        assertStringIncludes(stderr, `${variable} ${says}`);
        assertEquals(await contentOf(folder), before);
      });
    }
    for (const args of [["lock", "pack", "-o", "seqreg.lock"], ["lock", "show", "-o", "to.lock"]]) {
      await t.step(`${args.join(" ")}: the lock without an option`, async () => {
        await Deno.writeTextFile(join(folder, "seqreg.lock"), "{}");
        await Deno.symlink("seqreg.lock", join(folder, "to.lock")).catch(() => {});
        const { code, stderr } = await runCli(args, { cwd: folder });
        assertEquals(code, 2, stderr);
        assertStringIncludes(stderr, "it is the lock that is read");
        assertEquals(await Deno.readTextFile(join(folder, "seqreg.lock")), "{}");
        await Deno.remove(join(folder, "seqreg.lock"));
        await Deno.remove(join(folder, "to.lock"));
      });
    }
    await t.step("functions refuse as much", async () => {
      const [d, records] = [join(folder, "d"), join(folder, "records.tsv")];
      await using curation = await curate(join(d, "kept.tsv"));
      await assertRejects(() => curation.save(d), RegistryError, "which is read");
      await assertRejects(() => curation.save(join(folder, "link")), RegistryError, "which is read");
      const options = { by: ["country"], total: 1 };
      await using sample = await subsample(records, { ...options, sequences: join(d, "sequences.fasta") });
      await assertRejects(() => sample.save(d), RegistryError, "which is read");
      const inputs = { fasta: join(d, "sequences.fasta"), metadata: records };
      await assertRejects(() => packArchives({ ...inputs, folder: d }), RegistryError);
      assertEquals(await contentOf(folder), before);
    });
  });
});

Deno.test("a folder is replaced only if it is a former result, whatever the names in it", async (t) => {
  await withInputs(async (folder) => {
    const of = (name: string) => join(folder, name);
    const save = async (target: string) => {
      await using curation = await curate(of("records.tsv"), { without: ["missing-field"] });
      await curation.save(of(target));
    };
    await t.step("names of results prove nothing", async () => {
      await Deno.mkdir(of("names"));
      await Deno.writeTextFile(of("names/kept.tsv"), "mine");
      await assertRejects(() => save("names"), RegistryError, "it holds kept.tsv");
      await Deno.writeTextFile(of("names/curate.json"), "{}");
      await assertRejects(() => save("names"), RegistryError, "it holds curate.json");
    });
    await t.step("a former result is replaced, through a link too, which stays", async () => {
      await save("curated");
      await Deno.symlink("curated", of("to-curated"));
      await save("to-curated");
      assertEquals(await Deno.readLink(of("to-curated")), "curated");
      const names = Array.from(Deno.readDirSync(of("curated")), ({ name }) => name).toSorted();
      assertEquals(names, ["curate.json", "excluded.tsv", "kept.tsv", "rules.tsv"]);
    });
    await t.step("a former result to which anything was added or in which a file was changed stays", async () => {
      await Deno.writeTextFile(of("curated/duplicates.tsv"), "mine");
      await assertRejects(() => save("curated"), RegistryError, "it holds duplicates.tsv");
      await Deno.remove(of("curated/duplicates.tsv"));
      await Deno.writeTextFile(of("curated/kept.tsv"), "mine");
      await assertRejects(() => save("curated"), RegistryError, "it holds kept.tsv");
    });
    await t.step("another command's result stays", async () => {
      await using sample = await subsample(of("records.tsv"), { by: ["country"], total: 1 });
      await assertRejects(() => sample.save(of("curated")), RegistryError, "it holds");
    });
    await t.step("a link that leads nowhere stays", async () => {
      await Deno.symlink("nowhere", of("dangling"));
      await assertRejects(() => save("dangling"), RegistryError, "a link to a folder that does not exist");
    });
    await t.step("the folder that the program runs in is refused", async () => {
      await Deno.mkdir(of("e"));
      const { code, stderr } = await runCli(["curate", "../records.tsv", "-o", "."], { cwd: of("e") });
      assertEquals(code, 1);
      assertStringIncludes(stderr, "the folder that the program runs in");
      await Deno.stat(of("e"));
    });
    await t.step("a lake replaces no folder that is not its table", async () => {
      await Deno.mkdir(of("lake/records"), { recursive: true });
      await Deno.writeTextFile(of("lake/records/part-00000.parquet"), "mine");
      const build = () => buildLake(of("records.tsv"), of("lake"));
      await assertRejects(build, RegistryError, "which is no part of a lake");
      assertEquals(await Deno.readTextFile(of("lake/records/part-00000.parquet")), "mine");
      await Deno.remove(of("lake/records/part-00000.parquet"));
      await build();
      await Deno.writeTextFile(of("records.tsv"), TABLE + "x4\tCuba\t2016\n");
      await build();
      await Deno.writeTextFile(of("lake/records/notes.txt"), "mine");
      await Deno.writeTextFile(of("records.tsv"), TABLE);
      await assertRejects(build, RegistryError, "notes.txt");
    });
  });
});
