/**
 * Modules that an operation loads when it is called.
 *
 * Their specifiers are computed: Deno reads every source that a literal one leads to, also where it is never run.
 */

export const metadata = (): Promise<typeof import("./operations/get_metadata.ts")> =>
  import(new URL("./operations/get_metadata.ts", import.meta.url).href);
export const sequences = (): Promise<typeof import("./operations/get_sequences.ts")> =>
  import(new URL("./operations/get_sequences.ts", import.meta.url).href);
export const accessions = (): Promise<typeof import("./operations/get_accessions.ts")> =>
  import(new URL("./operations/get_accessions.ts", import.meta.url).href);
export const startDownload = (): Promise<typeof import("./exports/start_download.ts")> =>
  import(new URL("./exports/start_download.ts", import.meta.url).href);
export const archives = (): Promise<typeof import("./archives.ts")> =>
  import(new URL("./archives.ts", import.meta.url).href);
export const search = (): Promise<typeof import("./operations/search.ts")> =>
  import(new URL("./operations/search.ts", import.meta.url).href);
