import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseArgs } from "node:util";
import { splitArguments } from "../../../src/cli/support/_arguments.ts";

const OPTIONS = {
  output: { type: "string", short: "o" },
  filter: { type: "string" },
  quiet: { type: "boolean", short: "q" },
  help: { type: "boolean", short: "h" },
} as const;

Deno.test("splitArguments() takes a command line apart as parseArgs of Node.js does", () => {
  const arg = fc.oneof(
    fc.constantFrom("--", "-", "--output", "-o", "-ofile", "-qo", "-qofile", "-qh", "-hqx", "--output=x", "--quiet=no"),
    fc.constantFrom("--filter", "--filter=", "--filter=a=b", "--=x", "--x", "-x", "-o=x", "---", "a", "", "toString"),
    fc.stringMatching(/^-{0,3}[oqhx=a-]{0,5}$/),
    // There a dash among short options begins another argument.
  ).filter((arg) => !/^-[^-].*-/.test(arg));
  fc.assert(
    fc.property(fc.array(arg, { maxLength: 6 }), (args) => {
      const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, allowPositionals: true, tokens: true });
      const theirs = tokens.map((token) => ({
        ...token,
        kind: token.kind === "option-terminator" ? "terminator" : token.kind,
      }));
      assertEquals<unknown>(splitArguments(args, OPTIONS), theirs);
    }),
    { numRuns: 3000 },
  );
});
