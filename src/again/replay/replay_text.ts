/** A replay in words. */
import { countOf } from "@seqreg/core/contract/count_of";
import { listSome } from "@seqreg/core/contract/ledger";
import { terminalText } from "@seqreg/core/io/bytes/terminal_text";
import { cut, visible } from "@seqreg/core/io/display";
import type { RecordChange } from "../diff/record_change.ts";
import type { CallComparison } from "./compare_calls.ts";
import type { Replay } from "./replay.ts";

/** Records of a call, and fields of a record, that are listed. */
const SHOWN_RECORDS = 5;
const SHOWN_FIELDS = 4;
const SHOWN_CHARACTERS = 60;
const ERROR_CHARACTERS = 400;
const REQUEST_CHARACTERS = 200;

/** Writes what a replay found: calls that differ, calls that were not answered, cells that differ, and the sums. */
export function replayText(replay: Replay): string {
  return [
    ...replay.calls.filter(({ outcome }) => outcome !== "same").flatMap(callLines),
    ...replay.refused.map((text) => `not answered: ${terminalText(text)}`),
    ...cellLines(replay),
    ...sums(replay),
  ].map((line) => `${line}\n`).join("");
}

/** Writes what became of one call, in lines without their ends. */
export function callLines(call: CallComparison): string[] {
  const { key, operation, request, outcome, status, values = {}, counts, changes = [], reason, comparedWith } = call;
  const name = `${key.slice(0, 12)} ${operation} ${cut(terminalText(JSON.stringify(request)), REQUEST_CHARACTERS)}`;
  if (outcome === "same") return [`${name}: same`];
  if (outcome === "new") return [`${name}: not in the lock`];
  const lines = [`${name}: differs`];
  if (comparedWith !== undefined) {
    lines.push(`  its lists differ from those of ${comparedWith.slice(0, 12)} in the lock`);
  }
  if (status !== undefined) lines.push(`  status: ${status[0]} → ${status[1]}`);
  for (const [what, [old, now]] of Object.entries(values)) {
    lines.push(`  ${terminalText(what)}: ${show(old)} → ${show(now)}`);
  }
  if (counts !== undefined) {
    const { added, removed, changed, unchanged } = counts;
    lines.push(
      `  ${countOf(counts.old, "record")} → ${counts.new}: ${added} added, ${removed} removed, ${changed} changed, ` +
        `${unchanged} unchanged`,
    );
    lines.push(...changes.slice(0, SHOWN_RECORDS).map(recordLine));
    const more = added + removed + changed - SHOWN_RECORDS;
    if (more > 0) lines.push(`  … and ${countOf(more, "record")} more`);
  }
  if (reason !== undefined) lines.push(`  ${terminalText(reason)}`);
  return lines;
}

function recordLine({ kind, key, fields }: RecordChange): string {
  const sign = { added: "+", removed: "-", changed: "~" }[kind];
  if (kind !== "changed") return `  ${sign} ${terminalText(key)}`;
  const all = Object.entries(fields).map(([field, { old, new: now }]) =>
    `${terminalText(field)}: ${show(old)} → ${show(now)}`
  );
  const more = all.length - SHOWN_FIELDS;
  return `  ${sign} ${terminalText(key)}  ${all.slice(0, SHOWN_FIELDS).join("; ")}${
    more > 0 ? `; ${countOf(more, "field")} more` : ""
  }`;
}

function cellLines({ cells }: Replay): string[] {
  return cells.flatMap(({ number, outcome, differences }) => {
    if (outcome === "skipped") return [`cell ${number}: not run`];
    if (outcome === "unsaved" && differences.length > 0) {
      return [`cell ${number}: failed`, ...differences.map(({ new: now }) => `  ${errorText(now)}`)];
    }
    if (outcome !== "differs") return [];
    return [
      `cell ${number}: differs`,
      ...differences.map(({ what, old, new: now }) => `  ${what}: ${show(old)} → ${show(now)}`),
    ];
  });
}

function sums({ lock, isLive, calls, refused, unasked, cells, exitCode }: Replay): string[] {
  const count = (outcome: string) => calls.filter((call) => call.outcome === outcome).length;
  const cellCount = (outcome: string) => cells.filter((cell) => cell.outcome === outcome).length;
  const parts = (list: readonly (readonly [number, string])[]) =>
    listSome(list.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`), list.length);
  const said = isLive
    ? [[count("same"), "same"], [count("differs"), "differ"], [count("new"), "not in the lock"]] as const
    : [[calls.length, "answered from the lock"], [refused.length, "not answered"]] as const;
  const shared = unasked === 0 ? "" : `; ${countOf(unasked, "call")} of ${lock} not made`;
  const lines = [`calls: ${parts(said) || "none"}${shared}`];
  if (cells.length > 0) {
    const outcomes = parts([
      [cellCount("same"), "same"],
      [cellCount("differs"), "differ"],
      [cellCount("unsaved"), "saved without outputs"],
      [cellCount("skipped"), "not run"],
    ]);
    lines.push(`cells: ${outcomes}`);
  }
  if (exitCode !== 0) lines.push(`the script ended with exit code ${exitCode}`);
  return lines;
}

function errorText(text: string | null): string {
  return cut(terminalText(text ?? ""), ERROR_CHARACTERS);
}

function show(value: string | number | boolean | null): string {
  return value === null ? "missing" : JSON.stringify(cut(visible(String(value)), SHOWN_CHARACTERS));
}
