/**
 * Every lesson, cold, top to bottom, its hidden answers too, in a real Deno kernel:
 * `deno test --allow-all tests/checks/notebooks/lessons.ts`.
 */
import { testRuns } from "../../notebooks/_run_notebooks.ts";

await testRuns();
