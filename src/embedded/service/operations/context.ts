/** What every handler is given. */
import type { Naming } from "@seqreg/core/contract";
import type { BodyBudget } from "../http/body_budget.ts";
import type { RegistryStore } from "../store/store.ts";

/** The registry that answers, and what it calls things. */
export interface ServiceContext {
  readonly store: RegistryStore;
  readonly naming: Naming;
  /** Milliseconds that are computed for a query until its first records; without a limit when absent. */
  readonly queryMs: number | undefined;
  /** Milliseconds that pass until a query has its first records; without a limit when absent. */
  readonly waitMs: number | undefined;
  /** `Retry-After`, in seconds, of a file that was overwritten. */
  readonly retrySeconds: number;
  /** Counts what the bodies under way hold together. */
  readonly bodies: BodyBudget;
  /** Receives a fault that ends an answer after its status was sent. */
  readonly onFault: (fault: unknown) => void;
}
