/** Checksum files: what `sha256sum --check --strict` accepts for the archive's own name, and nothing else. */
import { createHash } from "node:crypto";
import { ChecksumFileError, findChecksum } from "../../../src/core/io/digest/checksum_file.ts";
import { type FuzzRoom, mutate, type Outcome, outcomeOf, pick, several } from "./_room.ts";

const encoder = new TextEncoder();
const ARCHIVE = "a b.csv.gz";
const CONTENT = encoder.encode("content");
const DIGEST = createHash("sha256").update(CONTENT).digest("hex");
const WORDS = ["  ", " *", "\\", "./", "../", "SHA256 (", ") = ", "\n", "\r\n", "#", "\0", DIGEST, ARCHIVE];

export default async function open(): Promise<FuzzRoom> {
  const folder = await Deno.makeTempDir();
  await Deno.writeFile(`${folder}/${ARCHIVE}`, CONTENT);
  return {
    make(draw) {
      const line = (): string => {
        const digest = pick(draw, [DIGEST, DIGEST, DIGEST.toUpperCase(), "0".repeat(64), DIGEST.slice(1)]);
        const name = pick(draw, [ARCHIVE, ARCHIVE, ARCHIVE, `./${ARCHIVE}`, `../${ARCHIVE}`, "other.gz", "/etc/hosts"]);
        return pick(draw, [
          `${digest}  ${name}`,
          `${digest} *${name}`,
          `SHA256 (${name}) = ${digest}`,
          `# ${name}`,
          "",
        ]);
      };
      const bytes = encoder.encode([line(), ...several(draw, 2, line)].join(pick(draw, ["\n", "\n", "\r\n"])) + "\n");
      return draw(2) === 0 ? bytes : mutate(draw, bytes, WORDS);
    },
    run: (input) => outcomeOf(() => findChecksum(new TextDecoder().decode(input), ARCHIVE)),
    async judge(input, result) {
      const ours = result as Outcome<{ readonly sha256: string; readonly name: string }>;
      if ("error" in ours && !(ours.error instanceof ChecksumFileError)) return `threw ${ours.error.stack}`;
      const file = `${folder}/sums`;
      await Deno.writeFile(file, input);
      const options = { args: ["--check", "--strict", file], cwd: folder, env: { LC_ALL: "C" } };
      const { success, stdout } = await new Deno.Command("sha256sum", options).output();
      const lines = new TextDecoder("latin1").decode(stdout).trimEnd().split("\n");
      const own = [`${ARCHIVE}: OK`, `./${ARCHIVE}: OK`];
      const text = new TextDecoder("latin1").decode(input);
      const isOursRight = "value" in ours && ours.value.sha256 === DIGEST;
      if (success && lines.every((line) => own.includes(line))) {
        // To `sha256sum` a name ends at a NUL; here it is a part of the name.
        return isOursRight || text.includes("\0")
          ? undefined
          : `refused what sha256sum accepts: ${JSON.stringify(ours)}`;
      }
      // CRLF and NUL are read by rules of our own: a carriage return ends no name here.
      if (/[\r\0]|^[ \t]*\\/m.test(text) || !isOursRight) return undefined;
      return `accepted what sha256sum refuses: ${lines.join(", ")}`;
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
