import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createHash } from "node:crypto";
import { startSetDigest } from "../../../../src/core/registry/lock/set_digest.ts";

type Form = "text/csv" | "text/tab-separated-values" | "text/x-fasta";

/** Records of a text, line by line. */
function recordsOf(form: Form, text: string): { readonly header: string; readonly records: readonly string[] } {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (text === "" || text.endsWith("\n")) lines.pop();
  let header: string | undefined;
  const records: string[] = [];
  let record: string | undefined;
  let isQuoted = false;
  for (const line of lines) {
    if (form === "text/x-fasta") {
      if (line.startsWith(">")) {
        if (record !== undefined) records.push(record);
        record = `${line}\n`;
      } else if (record !== undefined) record += line;
      else if (line.startsWith(";")) header ??= line;
      continue;
    }
    if (line === "" && record === undefined) continue;
    record = (record ?? "") + line;
    if (form === "text/csv" && line.split('"').length % 2 === 0) isQuoted = !isQuoted;
    if (isQuoted) record += "\n";
    else {
      if (header === undefined) header = record;
      else records.push(record);
      record = undefined;
    }
  }
  if (record !== undefined) {
    if (form === "text/x-fasta" || header !== undefined) records.push(record);
    else header = record;
  }
  return { header: header ?? "", records };
}

const hexOf = (text: string) => createHash("sha256").update(text).digest("hex");

function plainDigest(form: Form, text: string) {
  const { header, records } = recordsOf(form, text);
  const sum = records.reduce((sum, record) => BigInt.asUintN(256, sum + BigInt(`0x${hexOf(record)}`)), 0n);
  return { records: records.length, set: hexOf(`${header}\n${sum.toString(16).padStart(64, "0")}`) };
}

function digest(form: string, text: string, size: number) {
  const set = startSetDigest(form);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) set.update(bytes.subarray(at, at + size));
  return set.digest();
}

const FORMS: readonly Form[] = ["text/csv", "text/tab-separated-values", "text/x-fasta"];

Deno.test("a set digest is that of records found line by line, however the bytes are cut", () => {
  const unit = fc.constantFrom("a", "T", ",", '"', "\n", "\r", "\r\n", ">", "\n>", ";", "é", "0123456789abcdef");
  fc.assert(
    fc.property(
      fc.constantFrom(...FORMS),
      fc.string({ unit, maxLength: 120 }),
      fc.integer({ min: 1, max: 40 }),
      (form, text, size) => assertEquals(digest(form, text, size), plainDigest(form, text)),
    ),
    { numRuns: 2000 },
  );
});

Deno.test("a set digest is that of records of every length, also of more than fits at once", () => {
  const lengths = [...Array.from({ length: 200 }, (_, length) => length + 1), 1000, 16_383, 16_384, 70_000, 300_001, 5];
  const rows = lengths.map((length) => "x".repeat(length));
  const fasta = lengths.map((length, index) =>
    `>${index}\r\n${"ACGT".repeat(length).replaceAll(/.{70}/g, "$&\r\n")}\n`
  );
  for (const size of [100, 65_536, 1_000_000]) {
    for (const form of FORMS) {
      const text = form === "text/x-fasta" ? `;fields=a\n${fasta.join("")}` : `${["h", ...rows].join("\n")}\n`;
      assertEquals(digest(form, text, size), plainDigest(form, text), `${form}, ${size}`);
    }
  }
});

Deno.test("the set digest of a table of many rows is that of its rows", () => {
  const text = Array.from({ length: 5000 }, (_, row) => `${row},${"z".repeat(row % 150)}`).join("\n");
  assertEquals(digest("text/csv", text, 1 << 20), plainDigest("text/csv", text));
  assertEquals(digest("text/csv", text, 7777), plainDigest("text/csv", text));
});

Deno.test("the set digest of hits is that of their texts with sorted keys", () => {
  const hits = Array.from({ length: 3000 }, (_, id) => ({ id: `é${id}`, source: { z: "x".repeat(id % 90), a: id } }));
  const texts = hits.map(({ id, source: { a, z } }) => JSON.stringify({ id, source: { a, z } }));
  const sum = texts.reduce((sum, text) => BigInt.asUintN(256, sum + BigInt(`0x${hexOf(text)}`)), 0n);
  assertEquals(
    digest("application/json", JSON.stringify({ results: hits.map((hit) => ({ score: 1, ...hit })) }), 999),
    {
      records: 3000,
      set: hexOf(`\n${sum.toString(16).padStart(64, "0")}`),
    },
  );
});

Deno.test("the set digest of records is free of the order of any names", () => {
  const names = ["b", "10", "2", "a", "__proto__", "constructor", "é", "\u{1F9EC}", "\uFFFD"];
  const record = (order: readonly string[], value: string) =>
    `{${order.map((name) => `${JSON.stringify(name)}:{"z":[${value},{"b":1,"a":2}],"0":null}`).join()}}`;
  const setOf = (...records: string[]) => digest("application/json", `[${records.join()}]`, 50).set;
  for (const value of ["1", "9007199254740993"]) {
    const usual = names.filter((name) => name !== "10" && name !== "2" && name !== "__proto__");
    for (const list of [names, usual]) {
      const one = record(list, value);
      assertEquals(setOf(one, '{"c":1}'), setOf('{"c":1}', record(list.toReversed(), value)));
      assertEquals(setOf(one) === setOf(record(list, "2")), false);
    }
  }
  // As older versions wrote it.
  assertEquals(setOf('{"b":1,"10":2,"2":3}'), digestOf('{"10":2,"2":3,"b":1}'));
  assertEquals(setOf('{"b":1,"a":{"d":[],"c":"x"}}'), digestOf('{"a":{"c":"x","d":[]},"b":1}'));
});

/** The set digest of one text. */
function digestOf(text: string): string {
  return hexOf(`\n${hexOf(text)}`);
}
