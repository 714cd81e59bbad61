/** Requests with answers that are known beforehand. */
import type { Draw } from "../../_randoms.ts";
import type { Truth } from "./_truth.ts";

/** A request, and what is wrong with an answer of status 200. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Describes what is wrong with the answer's body; `undefined` when it is right. */
  check(text: string): string | undefined;
}

function same(name: string, got: unknown, expected: unknown): string | undefined {
  const [left, right] = [JSON.stringify(got), JSON.stringify(expected)];
  return left === right ? undefined : `${name}: got ${left?.slice(0, 200)}, expected ${right?.slice(0, 200)}`;
}

function post(path: string, body: unknown, check: Asked["check"]): Asked {
  return { method: "POST", path, body: JSON.stringify(body), check };
}

/** Makes a request at random. */
export function ask(truth: Truth, draw: Draw): Asked {
  const accession = () => truth.accessions[draw(truth.accessions.length)];
  const countries = [...truth.byCountry.keys()];
  const country = countries[draw(countries.length)];
  const expected = truth.byCountry.get(country)!;
  const max = (information: string, fileType: string) => ({
    search: { query: "", filter: [{ field: "Country", value: country }] },
    download: { scope: "max", information, fileType, metadata: ["Country"] },
  });
  switch (draw(8)) {
    case 0: {
      const wanted = accession();
      return post("/v2/search", { query: `registry_accession:${wanted}` }, (text) => {
        const { total, results } = JSON.parse(text);
        return same("total", total, 1) ?? same("id", results[0].id, wanted) ??
          same("country", results[0].source.Country ?? "", truth.countryOf.get(wanted));
      });
    }
    case 1:
      return post("/v2/search", { query: `country:"${country}"`, pageSize: 5 }, (text) => {
        const { total, results } = JSON.parse(text);
        const ids = results.map(({ id }: { id: string }) => id);
        return same("total", total, expected.length) ?? same("ids", ids, expected.slice(0, 5));
      });
    case 2:
      return post(
        "/v2/search",
        { query: "", sortColumn: "Registry Accession", sortOrder: "desc", pageSize: 7 },
        (text) => {
          const { total, results } = JSON.parse(text);
          const last = truth.accessions.toSorted().reverse().slice(0, 7);
          return same("total", total, truth.accessions.length) ??
            same("ids", results.map(({ id }: { id: string }) => id), last);
        },
      );
    case 3: {
      const wanted = [...new Set(Array.from({ length: 5 }, accession))];
      return post("/v2/sequence", { registry_accessions: wanted }, (text) => {
        const found = wanted.filter((name) => truth.sequences.has(name));
        return same(
          "sequences",
          JSON.parse(text),
          Object.fromEntries(found.map((name) => [name, truth.sequences.get(name)])),
        );
      });
    }
    case 4: {
      const wanted = [...new Set(Array.from({ length: 30 }, accession))];
      const download = {
        scope: "selection",
        information: "registry_accessions",
        fileType: "tsv",
        selected_ids: wanted,
      };
      return post(
        "/v2/download",
        { search: { query: "" }, download },
        (text) => same("accessions", text.trimEnd().split("\n").slice(1), wanted),
      );
    }
    case 5:
      return post("/v2/download", max("metadata", "csv"), (text) => {
        const rows = text.trimEnd().split("\n").slice(1);
        return same("rows", rows.length, expected.length);
      });
    case 6:
      return post("/v2/download", max("sequences", "fasta"), (text) => {
        const records = text.split("\n>").slice(1);
        const wanted = expected.filter((name) => truth.sequences.has(name));
        const first = records[0]?.split("\n").slice(1).join("");
        return same("records", records.map((record) => record.split(/[|\n]/, 1)[0]), wanted) ??
          same("sequence", first, truth.sequences.get(wanted[0]));
      });
    default:
      return {
        method: "GET",
        path: `/v2/datasets_download?filename=${truth.checksum.name}`,
        check: (text) => same("checksum file", text, truth.checksum.text),
      };
  }
}
