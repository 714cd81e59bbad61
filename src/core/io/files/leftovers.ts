/**
 * Temporary files and folders of killed processes that a later process removed, reported to watchers such as
 * the command line.
 */

type OnLeftover = (path: string) => void;

const watchers = new Set<OnLeftover>();

/** Receives the path of each leftover that this process removes, until it is disposed of. */
export function watchLeftovers(onLeftover: OnLeftover): Disposable {
  watchers.add(onLeftover);
  return { [Symbol.dispose]: () => void watchers.delete(onLeftover) };
}

export function reportLeftover(path: string): void {
  for (const watcher of watchers) watcher(path);
}
