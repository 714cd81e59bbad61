/** Where results come from, for tests of what is said of them. */
import type { Provenance } from "../../../src/core/contract/ledger.ts";

/** The provenance of a request; of a search unless another operation is named. */
export function provenanceOf(request: unknown, operation = "search"): Provenance {
  return {
    operation,
    registry: "http://registry.test",
    request,
    bytes: 0,
    sha256: null,
    started: "2026-01-31T10:00:00.000Z",
    finished: "2026-01-31T10:00:01.000Z",
    toolkit: "seqreg",
  };
}
