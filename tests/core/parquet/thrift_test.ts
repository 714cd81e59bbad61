/** Thrift's compact protocol: what is written is read again, and damage is refused. */
import { assertEquals, assertThrows } from "@std/assert";
import { encodeThrift, ThriftReader, type ThriftStruct, withoutField } from "../../../src/core/parquet/thrift.ts";

const INNER = { struct: { name: [1, "string"], flag: [2, "bool"] } } as const satisfies ThriftStruct;
const ALL = {
  struct: {
    small: [1, "i32"],
    large: [2, "i64"],
    bytes: [3, "binary"],
    inner: [4, INNER],
    numbers: [5, { list: "i32" }],
    many: [30, { list: INNER }],
    flags: [31, { list: "bool" }],
  },
} as const satisfies ThriftStruct;

const VALUE = {
  small: -3,
  large: 2 ** 53 - 1,
  bytes: Uint8Array.of(0, 255),
  inner: { name: "é", flag: false },
  numbers: Array.from({ length: 20 }, (_, index) => index * 100 - 1000),
  many: [{ name: "a", flag: true }, {}],
  flags: [true, false],
};

Deno.test("a structure is read as it was written, and fields without a name are skipped", () => {
  const bytes = encodeThrift(ALL, VALUE);
  const reader = new ThriftReader(bytes);
  assertEquals([reader.read(ALL), reader.offset], [VALUE, bytes.length]);
  const [some, after] = [{ struct: { large: [2, "i64"] } } as const, new ThriftReader(bytes)];
  assertEquals([after.read(some), after.offset], [{ large: VALUE.large }, bytes.length]);
  assertEquals(encodeThrift(ALL, {}), Uint8Array.of(0));
});

Deno.test("withoutField() leaves all other fields as they are", () => {
  for (const name of ["small", "inner", "many", "flags"] as const) {
    const rest = withoutField(encodeThrift(ALL, VALUE), ALL.struct[name][0]);
    const { [name]: _, ...others } = VALUE;
    assertEquals<unknown>(new ThriftReader(rest).read(ALL), others, name);
  }
});

Deno.test("bytes that are cut off, of another type or nested without end are refused", () => {
  const bytes = encodeThrift(ALL, VALUE);
  for (let length = 0; length < bytes.length; length++) {
    assertThrows(() => new ThriftReader(bytes.subarray(0, length)).read(ALL), RangeError);
  }
  assertThrows(() => new ThriftReader(bytes).read({ struct: { small: [1, "string"] } }), RangeError, "of type 5");
  assertThrows(
    () => new ThriftReader(new Uint8Array(100).fill(0x1c)).read({ struct: {} }),
    RangeError,
    "within each other",
  );
  // A list that states more elements than there are bytes.
  assertThrows(() => new ThriftReader(Uint8Array.of(0x59, 0xf5, 255, 255, 3)).read(ALL), RangeError, "cut off");
});
