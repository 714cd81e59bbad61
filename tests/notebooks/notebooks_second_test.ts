/** Runs the notebooks that `notebooks_test.ts` leaves. */
import { testNotebooks } from "./_run_notebooks.ts";

await testNotebooks(import.meta.url);
