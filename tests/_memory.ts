/** What a process takes. */

/** Anonymous memory of a process in MiB; `undefined` where the system does not tell, or the process has ended. */
export function memoryOf(pid: number): number | undefined {
  try {
    const kibibytes = /^RssAnon:\s+(\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch {
    return undefined;
  }
}
