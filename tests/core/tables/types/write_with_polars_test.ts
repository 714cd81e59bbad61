/** Errors of polars carry the system's words alone: this fails when polars words them otherwise. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { RegistryError } from "../../../../src/core/errors.ts";
import { systemCode } from "../../../../src/core/io/files/system_code.ts";
import { writeWithPolars } from "../../../../src/core/tables/types/write_with_polars.ts";

const frame = pl.DataFrame({ a: ["x"] });
const isLinux = Deno.build.os === "linux";

Deno.test({ name: "polars names the system's error by its number", ignore: !isLinux }, async () => {
  const writers: Record<string, (path: string) => unknown> = {
    writeParquet: (path) => frame.writeParquet(path),
    sinkParquet: (path) => frame.lazy().sinkParquet(path).collect(),
    sinkCSV: (path) => frame.lazy().sinkCSV(path).collect(),
  };
  for (const [name, write] of Object.entries(writers)) {
    for (const [path, code] of [["/dev/full", "ENOSPC"], ["/absent/a", "ENOENT"], [import.meta.filename, "ENOTDIR"]]) {
      // polars panics where it cannot make the file; the toolkit has made it by then.
      if (name === "writeParquet" && code !== "ENOSPC") continue;
      const target = code === "ENOTDIR" ? `${path}/a` : `${path}`;
      const cause = await (async () => await write(target))().then(() => "written", (error) => error);
      assertEquals(systemCode(cause), code, `${name} ${target}: ${cause}`);
    }
  }
});

Deno.test({ name: "writeWithPolars() rejects with what the system refuses", ignore: !isLinux }, async () => {
  const error = await assertRejects(
    () => writeWithPolars("a.csv", () => frame.lazy().sinkCSV("/dev/full").collect()),
    RegistryError,
  );
  assertEquals(error.code, "disk");
  assertStringIncludes(error.message, "Cannot write a.csv: the disk is full; free some space");
  const other = await assertRejects(() => writeWithPolars("a.csv", () => frame.select("absent")));
  assertEquals(other instanceof RegistryError, false);
});
