/** Waits that end. */

/** Waits for a promise, but no longer than this; `undefined` if its value has not come by then. */
export async function within<T>(promise: Promise<T>, timeMs: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => timer = setTimeout(() => resolve(undefined), timeMs));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
