/** Answers `POST /v2/sequence`. */
import { checkSequenceRequest } from "@seqreg/core/contract/validation";
import { openBatches, spend } from "./_batches.ts";
import type { ServiceContext } from "./context.ts";
import { readJsonBody } from "../http/json_body.ts";
import { COMMON_HEADERS, jsonResponse, Refusal } from "../http/refusal.ts";
import type { SequenceRecord } from "../store/store.ts";
import { streamTexts } from "../http/text_stream.ts";

/** Answers with the sequences that there are: unknown accessions, and records without a sequence, are left out. */
export async function answerSequence(
  request: Request,
  { store, naming, onFault, bodies }: ServiceContext,
): Promise<Response> {
  const checked = checkSequenceRequest(await readJsonBody(request, bodies), naming);
  if (!checked.ok) throw new Refusal(422, checked.issues);
  const { accessions } = checked.value;
  const open = await openBatches((signal) => store.selectedSequences(accessions, signal), request);
  if (open === undefined) return jsonResponse({});
  return new Response(streamTexts(sequenceJson(open.batches), { onCancel: open.close, onFault }), {
    headers: { ...COMMON_HEADERS, "content-type": "application/json" },
  });
}

async function* sequenceJson(batches: AsyncIterable<SequenceRecord[]>): AsyncGenerator<string> {
  let before = "{";
  for await (const records of batches) {
    yield spend(records, ({ accession, sequence }) => {
      if (sequence === undefined) return "";
      const member = `${before}${JSON.stringify(accession)}:${JSON.stringify(sequence)}`;
      before = ",";
      return member;
    });
  }
  yield before === "{" ? "{}" : "}";
}
