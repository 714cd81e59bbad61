/** `deno task test:slow`: runs the tests as `deno task test` does, and prints the twenty slowest. */
import { ROOT } from "./_files.ts";
import { slowestTests } from "./_slowest_tests.ts";
import { runTests } from "./_test_task.ts";

const COUNT = 20;

await Deno.mkdir(`${ROOT}.ci/out`, { recursive: true });
const report = `${ROOT}.ci/out/tests.xml`;
const code = await runTests(`--junit-path=${report}`, ...Deno.args.length > 0 ? Deno.args : ["tests"]);
for (const { name, file, seconds } of slowestTests(await Deno.readTextFile(report), COUNT)) {
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${name} (${file})`);
}
Deno.exit(code);
