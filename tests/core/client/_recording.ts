/** A client whose requests are noted, and answered without a server. */
import { type ClientOptions, type DownloadRequest, RegistryClient } from "../../../src/core/client/mod.ts";

/** An accession, and the name of a file. */
export const ID = "vj000000000001";
export const FILE = "registryv1_unique_seqs_metadata.sha256";

/** A client whose `fetch` answers with a text that suits every operation, and notes what it was asked. */
export function recording(options: ClientOptions = {}, baseUrl: string | URL = "http://registry.invalid") {
  const requests: Request[] = [];
  const client = new RegistryClient(baseUrl, {
    fetch: (request) => {
      requests.push(request.clone());
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/search")) {
        return Promise.resolve(Response.json({ total: 0, results: [], facets: {}, query: "" }));
      }
      return Promise.resolve(pathname.endsWith("/sequence") ? Response.json({}) : new Response("a,b\n"));
    },
    ...options,
  });
  return { client, requests };
}

/** The least that asks for every match. */
export const max: DownloadRequest = {
  search: { query: "x" },
  download: { scope: "max", information: "metadata", fileType: "csv" },
};
