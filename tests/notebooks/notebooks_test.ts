/** The form of every lesson, and a run of the first; `tests/checks/notebooks/lessons.ts` runs the others. */
import { testForm, testRuns } from "./_run_notebooks.ts";

await testForm();
await testRuns(0, 1);
