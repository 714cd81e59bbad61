/**
 * `deno task site [--base /PREFIX/] [--if-needed]`: builds the documentation as web pages into `site/`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { buildSite } from "./build_site.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    base: { type: "string", default: "/" },
    "if-needed": { type: "boolean", default: false },
  },
});
if (!/^\/([^/?#]+\/)*$/.test(values.base)) {
  console.error(
    `seqreg: cannot build for --base ${
      JSON.stringify(values.base)
    }: expected a path such as /docs/, which begins and ` +
      "ends with a slash",
  );
  Deno.exit(2);
}
const folder = await buildSite({ base: values.base, ifNeeded: values["if-needed"] });
console.log(folder);
