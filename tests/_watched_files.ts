/** How often this process opens files and reads from them, and which it opens. */

/** Counts from now on; workers and native code are not seen. */
export function watchFiles(): Disposable & {
  readonly opened: number;
  readonly read: number;
  /** How often a file was opened. */
  openedOf(path: string): number;
} {
  const counts = { opened: 0, read: 0 };
  const paths: string[] = [];
  const restore: (() => void)[] = [];
  // deno-lint-ignore no-explicit-any
  const watch = (owner: any, name: string, count: keyof typeof counts) => {
    const original = owner[name];
    owner[name] = function (...args: unknown[]) {
      counts[count] += 1;
      if (count === "opened") paths.push(String(args[0]));
      return original.apply(this, args);
    };
    restore.push(() => owner[name] = original);
  };
  for (const name of ["open", "openSync"]) watch(Deno, name, "opened");
  for (const name of ["read", "readSync"]) watch(Deno.FsFile.prototype, name, "read");
  return {
    get opened() {
      return counts.opened;
    },
    get read() {
      return counts.read;
    },
    openedOf: (path) => paths.filter((each) => each === path).length,
    [Symbol.dispose]: () => restore.forEach((undo) => undo()),
  };
}
