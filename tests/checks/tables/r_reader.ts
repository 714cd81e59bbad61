/**
 * `docs/python_and_r.md`: what its script for R reads of a lake, value by value. Run by `deno task checks r-reader`.
 */
import { assert, assertEquals } from "@std/assert";
import { openLake } from "../../../src/core/tables/mod.ts";
import { CLI_PERMISSIONS, RUN_QUIETLY } from "../../_cli.ts";
import { fromFileUrl } from "../../_files.ts";
import { testWithPrograms } from "../../_needs.ts";
import { inFolder } from "../../core/tables/_lake_files.ts";
import { buildOddLake } from "./_odd_lake.ts";

const PAGE = new URL("../../../docs/python_and_r.md", import.meta.url);
const MAIN = fromFileUrl(new URL("../../../src/cli/main.ts", import.meta.url));

/** Writes each column of a table to a file of its own: its class, then values between separators. */
const WRITE = `
args <- commandArgs(TRUE)
frame <- read_lake(args[1], args[2])
for (at in seq_along(frame)) {
  column <- frame[[at]]
  text <- function(value) if (is.numeric(value)) sprintf("%.17g", value) else as.character(value)
  words <- if (is.list(column)) vapply(column, function(v) if (identical(v, NA_character_)) NA_character_
    else paste0(v, collapse = "\\x1d"), "") else ifelse(is.na(column), NA_character_, text(column))
  words <- enc2utf8(ifelse(is.na(words), "\\x1e", words))
  writeBin(charToRaw(paste(c(names(frame)[at], class(column), words), collapse = "\\x1f")), sprintf("%03d.column", at))
}
`;

const CLASSES: Readonly<Record<string, string>> = {
  Int64: "numeric",
  Float64: "numeric",
  Bool: "logical",
  Date: "Date",
  "List(String)": "list",
};

async function runR(folder: string, script: string, ...args: readonly string[]): Promise<string> {
  await Deno.mkdir(`${folder}/bin`, { recursive: true });
  const program = [Deno.execPath(), ...RUN_QUIETLY, ...CLI_PERMISSIONS, MAIN].map((word) => `'${word}'`).join(" ");
  await Deno.writeTextFile(`${folder}/bin/seqreg`, `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 });
  await Deno.writeTextFile(`${folder}/script.R`, script);
  const { success, stdout, stderr } = await new Deno.Command("Rscript", {
    args: ["--vanilla", "script.R", ...args],
    cwd: folder,
    env: { PATH: `${folder}/bin:${Deno.env.get("PATH")}`, LC_ALL: "C.UTF-8" },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

testWithPrograms(["Rscript"], "the script for R reads the values, types and nulls of a lake", async () => {
  const [, script] = /^```r\n([\s\S]*?)^```$/m.exec(await Deno.readTextFile(PAGE))!;
  const reader = script.slice(0, script.indexOf("\nrecords <-"));
  assert(reader.length > 0 && reader.length < script.length);
  await inFolder(async (folder) => {
    await buildOddLake(folder, `${folder}/lake`, 2000);
    // R reads a carriage return as the end of a line.
    const query = `SELECT * FROM metadata WHERE contains("Note", chr(13)) IS NOT TRUE`;
    await runR(folder, reader + WRITE, "lake", query);
    await using lake = await openLake(`${folder}/lake`);
    const frame = await lake.sql(query);
    const types = new Map(lake.tables.get("metadata")!.columns.map(({ name, dtype }) => [name, dtype as string]));
    assert(frame.height > 1000);
    for (const [at, name] of frame.columns.entries()) {
      const text = await Deno.readTextFile(`${folder}/${String(at + 1).padStart(3, "0")}.column`);
      const [found, type, ...words] = text.split("\x1f");
      const dtype = types.get(name)!;
      assertEquals([found, type], [name, CLASSES[dtype] ?? "character"]);
      const values = words.map((word) => word === "\x1e" ? null : valueOf(word, dtype));
      assertEquals(values, frame.getColumn(name).toArray().map((value) => plain(value, dtype)), name);
    }
  });
});

function valueOf(word: string, dtype: string): unknown {
  if (dtype === "Int64" || dtype === "Float64") return Number(word);
  if (dtype === "Bool") return word === "TRUE";
  return dtype === "List(String)" ? word.split("\x1d") : word;
}

function plain(value: unknown, dtype: string): unknown {
  if (value === null || value === undefined) return null;
  if (dtype === "Int64" || dtype === "Float64") return Number(value);
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === "object" ? [...value as Iterable<unknown>] : value;
}
