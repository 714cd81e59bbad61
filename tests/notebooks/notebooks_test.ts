/** The form of every lesson; `tests/checks/notebooks/lessons.ts` runs them. */
import { testForm } from "./_run_notebooks.ts";

await testForm();
