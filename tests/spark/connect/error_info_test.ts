import { assertEquals } from "@std/assert";
import { findErrorInfo } from "../../../src/spark/connect/_error_info.ts";

/** Fields of `google.rpc.ErrorInfo` by hand: number and text. */
function message(...fields: readonly (readonly [number, Uint8Array | string])[]): Uint8Array {
  return Uint8Array.from(fields.flatMap(([number, value]) => {
    const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
    return [number << 3 | 2, bytes.length & 127 | 128, bytes.length >> 7, ...bytes];
  }));
}

const type = "google.rpc.ErrorInfo";

Deno.test("findErrorInfo() reads class and metadata, whatever their order", () => {
  const value = message([3, message([2, "42P01"], [1, "sqlState"])], [2, "org.apache.spark"], [1, "A"], [
    3,
    message([1, "errorClass"], [2, "B".repeat(300)]),
  ]);
  const info = findErrorInfo([{ type: "other", value: message() }, { type, value }]);
  assertEquals(info?.reason, "A");
  assertEquals({ ...info?.metadata }, { sqlState: "42P01", errorClass: "B".repeat(300) });
});

Deno.test("findErrorInfo() ignores a damaged detail", () => {
  const value = message([1, "reason"], [3, message([1, "k"], [2, "v"])]);
  for (let length = 1; length < value.length; length++) {
    const info = findErrorInfo([{ type, value: value.slice(0, length) }]);
    assertEquals(info === undefined || info.reason === "reason", true);
  }
  assertEquals(findErrorInfo([{ type, value: Uint8Array.from([8, 1]) }]), undefined);
  assertEquals(findErrorInfo([{ type, value: Uint8Array.from([10, 255, 255, 255, 255, 255]) }]), undefined);
  assertEquals(findErrorInfo([]), undefined);
  const polluting = message([3, message([1, "__proto__"], [2, "x"])]);
  assertEquals(Object.keys(findErrorInfo([{ type, value: polluting }])!.metadata), ["__proto__"]);
});
