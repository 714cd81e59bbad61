/** What a comparison of two versions says of one record. */
import type { HowChanged } from "./how_changed.ts";

/** A value of a cell: as received, or the number, boolean or text of its type; null if it is missing. */
export type ChangedValue = string | number | boolean | null;

/** How one field of a record changed. */
export interface FieldChange {
  /** The old value; of a sequence its GA4GH digest (`SQ.…`). */
  readonly old: ChangedValue;
  /** The new value, likewise. */
  readonly new: ChangedValue;
  /** How they differ. */
  readonly how: HowChanged;
  /** Of a sequence: what of its ends is the same. */
  readonly sequence?: SequenceChange;
}

/** How a sequence changed, without an alignment. */
export interface SequenceChange {
  /** Length of the old sequence, in characters. */
  readonly oldLength: number;
  /** Length of the new one. */
  readonly newLength: number;
  /** Characters from the start that are the same, whatever their case. */
  readonly sameStart: number;
  /** Characters from the end that are the same, not counted twice. */
  readonly sameEnd: number;
  /** Those of both ends as a share of the longer sequence, 0 to 1. */
  readonly identity: number;
}

/** A record that was added, removed or changed. */
export interface RecordChange {
  /** Name of the table. */
  readonly table: string;
  /** What happened to it. */
  readonly kind: "added" | "removed" | "changed";
  /** Its key, such as its accession. */
  readonly key: string;
  /** Changed fields by their new name; of an added or removed record every field with a value. */
  readonly fields: Readonly<Record<string, FieldChange>>;
}
