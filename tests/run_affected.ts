/**
 * `deno task affected [COMMIT]`: runs the tests that changes since a commit can affect (default: the last one), files
 * that are not committed included, as `deno task test` runs them.
 */
import { affectedTests, testFiles } from "./_affected_tests.ts";
import { changedFiles } from "./_changed_files.ts";
import { runTests } from "./_test_task.ts";

const [commit = "HEAD", ...more] = Deno.args;
if (more.length > 0 || commit.startsWith("-")) {
  console.error("expected deno task affected [COMMIT]");
  Deno.exit(2);
}
const changed = await changedFiles(commit).catch((error) => {
  console.error(error.message);
  return Deno.exit(2);
});
const [affected, all] = [await affectedTests(changed), await testFiles()];
console.log(`${affected.length} of ${all.length} files of tests, for ${changed.length} changed files since ${commit}`);
if (affected.length > 0) Deno.exit(await runTests(...affected));
