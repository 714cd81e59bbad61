/**
 * Sends our own kernel the names of the fields and what they mean: it completes and explains them where code is
 * written.
 */
import type { FieldDefinition } from "../../contract/metadata.ts";
import { notebookApi } from "./display.ts";
import { OWN_KERNEL } from "../tasks/notebook_api.ts";
import { cut, visible } from "./html.ts";

const told = new Set<string>();

/** Sends definitions that have arrived; does nothing on another kernel, or outside a notebook. */
export function tellFields(definitions: readonly FieldDefinition[]): void {
  const api = Reflect.has(globalThis, OWN_KERNEL) ? notebookApi() : undefined;
  if (api === undefined) return;
  const fields = definitions.filter(({ name }) => !told.has(name)).map(
    ({ name, alias, type, unit, description, example }) => ({
      name,
      alias,
      kind: visible(unit === "" ? type : `${type}, ${cut(unit, 40)}`),
      description: visible(cut(description, 500)),
      example: visible(cut(example, 200)),
    }),
  );
  for (const { name } of fields) told.add(name);
  // What cannot be delivered is a completion less.
  if (fields.length > 0) api.broadcast("seqreg_fields", { fields }).catch(() => {});
}
