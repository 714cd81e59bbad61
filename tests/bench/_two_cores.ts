/** Two cores for whatever is measured, ours and its peers. */

/**
 * What to put before a command, so that it runs on two of the cores that this process may use; nothing but on Linux.
 */
export const TWO_CORES: readonly string[] = Deno.build.os === "linux" ? ["taskset", "-c", firstTwo()] : [];

function firstTwo(): string {
  const status = Deno.readTextFileSync("/proc/self/status");
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? "0-1";
  const cores = allowed.split(",").flatMap((part) => {
    const [first, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return cores.slice(0, 2).join(",");
}
