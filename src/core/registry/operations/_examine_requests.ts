/** Questions of the examination of a registry that take two requests, or an accession that it does not know. */
import { type RegistryClient, StatusError } from "../../client/mod.ts";
import { formatAccession, MAX_ACCESSION_NUMBER } from "../../contract/accession.ts";
import { RegistryError } from "../../errors.ts";
import type { RegistryFinding } from "./registry_finding.ts";

interface Asking {
  readonly signal?: AbortSignal;
}

/** Whether page 2 holds other records than page 1. */
export async function examinePaging(client: RegistryClient, total: number, ask: Asking): Promise<RegistryFinding> {
  const subject = "paging";
  if (total < 2) return { subject, state: "not tried: it takes two records", isProblem: false };
  const { accessionField } = client.naming;
  const names: string[] = [];
  try {
    for (const pageNumber of [1, 2]) {
      const { body } = await client.search({ query: "", pageSize: 1, pageNumber }, ask);
      const [hit] = body.results;
      names.push(hit === undefined ? "" : String(hit.source[accessionField] ?? hit.id));
    }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const advice = "searches of all records will not work";
    return { subject, state: `page ${names.length + 1} is refused: ${error.message}`, advice, isProblem: true };
  }
  if (names[1] === "") return { subject, state: "page 2 is empty", advice: "only page 1 can be read", isProblem: true };
  if (names[0] !== names[1]) return { subject, state: "page 2 has another record than page 1", isProblem: false };
  const advice = "searches of all records are incomplete: the registry seems to ignore pageNumber, or to count from 0";
  return { subject, state: "page 2 has the record of page 1", advice, isProblem: true };
}

/** What becomes of a request for sequences of which one accession is unknown. */
export async function examineUnknown(client: RegistryClient, known: string, ask: Asking): Promise<RegistryFinding> {
  const subject = "unknown ids";
  const unknown = formatAccession(MAX_ACCESSION_NUMBER);
  if (known === unknown) return { subject, state: "not tried", isProblem: false };
  try {
    const { sequences } = await client.sequence({ accessions: [known, unknown] }, ask);
    if (sequences.has(known)) {
      return { subject, state: "a request with one is answered with the others", isProblem: false };
    }
    const advice = "ask for known accessions alone";
    return { subject, state: "a request with one is answered without the others", advice, isProblem: true };
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const isNamed = error instanceof StatusError && `${error.detail} ${error.excerpt}`.includes(unknown);
    const advice = isNamed ? "the others are asked for again, without it" : "ask for known accessions alone";
    return { subject, state: `a request with one is refused: ${error.message}`, advice, isProblem: !isNamed };
  }
}
