/**
 * Questions of pages in lanes: of each lane one is answered and the newest waits. What was asked between them is
 * answered with `skipped` without being computed: a page that asks without end is served a window at a time.
 */
import type { JsonObject } from "../code/json_object.ts";

/** Lanes in use at once; a page uses a few for each view. */
const MOST_LANES = 200;

export class Lanes {
  /** Lanes in use; `next` is the newest question that waits: begins it, or skips it. */
  readonly #lanes = new Map<string, { next?: (isTurn: boolean) => void }>();

  /** Answers a question in its lane; a failure is an answer too. */
  async run(name: string, work: () => Promise<JsonObject>): Promise<JsonObject> {
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      if (this.#lanes.size >= MOST_LANES) return { error: "too many questions at once: wait for answers" };
      lane = {};
      this.#lanes.set(name, lane);
    } else {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      lane.next?.(false);
      lane.next = resolve;
      if (!await promise) return { skipped: true };
    }
    try {
      return await work();
    } catch (cause) {
      return { error: cause instanceof Error ? cause.message : String(cause) };
    } finally {
      const { next } = lane;
      delete lane.next;
      if (next === undefined) this.#lanes.delete(name);
      else next(true);
    }
  }
}
