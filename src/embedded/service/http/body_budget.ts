/** How much of request bodies is held at once: each may have 8 MiB, but not hundreds of them together. */

/** Bytes of a body that are not counted: requests of an ordinary size are never refused for others' large ones. */
const FREE_BYTES = 64 * 2 ** 10;

/** Counts what the bodies under way hold together. */
export interface BodyBudget {
  /**
   * Counts bytes of a body that have come.
   *
   * @returns Whether there is room for them; what has no room is not counted.
   */
  take(request: Request, bytes: number): boolean;
  /** Whether some of a request's body is counted. */
  holds(request: Request): boolean;
  /** Forgets a request's body: it has been answered. */
  release(request: Request): void;
}

/** Makes a budget of `maxBytes` beyond the first 64 KiB of each body. */
export function createBodyBudget(maxBytes: number): BodyBudget {
  const held = new Map<Request, { counted: number; free: number }>();
  let total = 0;
  return {
    take(request, bytes) {
      const account = held.get(request) ?? { counted: 0, free: FREE_BYTES };
      const free = Math.min(account.free, bytes);
      const counted = bytes - free;
      if (total + counted > maxBytes) return false;
      total += counted;
      held.set(request, { counted: account.counted + counted, free: account.free - free });
      return true;
    },
    holds: (request) => (held.get(request)?.counted ?? 0) > 0,
    release(request) {
      total -= held.get(request)?.counted ?? 0;
      held.delete(request);
    },
  };
}

/**
 * Answers a request and then forgets its body: at once, or when an answer that streams has been read or cancelled,
 * since what makes it may still hold what was asked.
 */
export async function withinBudget(
  budget: BodyBudget,
  request: Request,
  answer: () => Promise<Response>,
): Promise<Response> {
  let streams = false;
  try {
    const response = await answer();
    if (response.body === null || !budget.holds(request)) return response;
    streams = true;
    const reader = response.body.getReader();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          budget.release(request);
          controller.close();
        } catch (fault) {
          budget.release(request);
          throw fault;
        }
      },
      async cancel(reason) {
        budget.release(request);
        await reader.cancel(reason);
      },
    }, { highWaterMark: 0 });
    return new Response(body, response);
  } finally {
    if (!streams) budget.release(request);
  }
}
