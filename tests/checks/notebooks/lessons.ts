/**
 * Every lesson but the first, cold, top to bottom, its hidden answers too, in a real Deno kernel:
 * `deno test --allow-all tests/checks/notebooks/lessons.ts`. `tests/notebooks/notebooks_test.ts` runs the first.
 */
import { testRuns } from "../../notebooks/_run_notebooks.ts";

await testRuns(1);
