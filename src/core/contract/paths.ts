/** The five operations: their methods and paths. */

/** One of the five operations. */
export type Operation = "datasets_download" | "download" | "sequence" | "search" | "metadata_download";

/** How to call an operation. */
export interface Endpoint {
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Path below the base address. */
  readonly path: string;
}

/** Method and path of each operation. Source: Specification 4.1 to 4.5. */
export const ENDPOINTS: Readonly<Record<Operation, Endpoint>> = {
  datasets_download: { method: "GET", path: "/v2/datasets_download" },
  download: { method: "POST", path: "/v2/download" },
  sequence: { method: "POST", path: "/v2/sequence" },
  search: { method: "POST", path: "/v2/search" },
  metadata_download: { method: "POST", path: "/v2/metadata/download" },
};
