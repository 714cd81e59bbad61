/**
 * Generators that close what they read, whether or not they were begun.
 *
 * `return()` of a generator that was never begun runs no `finally`: what it was to close stays open.
 */

/**
 * Yields items, and closes their source once: at the end, after an error, and when it is ended, also before the
 * first item was requested. An error of the items is passed on, else one of the closing.
 *
 * @param begin Makes the items when the first is requested.
 * @param close Closes what they come from, even if it was not opened yet.
 * @returns A generator whose end waits until the source is closed.
 */
export function closing<T>(
  begin: () => AsyncIterable<T>,
  close: () => unknown,
): AsyncGenerator<T, undefined, undefined> {
  let isFaulty = false;
  const end = async () => {
    try {
      await close();
    } catch (error) {
      if (!isFaulty) throw error;
    }
  };
  const items = (async function* (): AsyncGenerator<T, undefined, undefined> {
    try {
      yield undefined as T;
      yield* begin();
    } catch (error) {
      isFaulty = true;
      throw error;
    } finally {
      await end();
    }
    return undefined;
  })();
  // From here it stands within its `try`; what it yields first is for nobody.
  void items.next();
  return items;
}

/**
 * Yields what is made of a source, and ends the source as {@linkcode closing} does.
 *
 * @param source Asked for one iterator at most.
 * @param transform Makes the items from the source.
 */
export function transformed<S, T>(
  source: AsyncIterable<S>,
  transform: (items: AsyncIterable<S>) => AsyncIterable<T>,
): AsyncGenerator<T, undefined, undefined> {
  let iterator: AsyncIterator<S> | undefined;
  const iterate = () => iterator ??= source[Symbol.asyncIterator]();
  return closing(() => transform({ [Symbol.asyncIterator]: iterate }), () => iterate().return?.());
}
