import { assert, assertEquals, assertThrows } from "@std/assert";
import { pagedList } from "../../../../src/core/tables/types/paged_list.ts";

function listOf(length: number, pageLength = 3) {
  const reads: number[] = [];
  const list = pagedList({
    length,
    pageLength,
    read(from, count) {
      reads.push(from);
      return Array.from({ length: count }, (_, index) => ({ item: from + index }));
    },
  });
  return { list, reads, array: Array.from({ length }, (_, item) => ({ item })) };
}

Deno.test("pagedList() behaves like an array of its items", () => {
  const { list, array } = listOf(10);

  assert(Array.isArray(list));
  assertEquals(list.length, 10);
  assertEquals([list[0], list[9], list[10], list.at(-1), list.at(-11)], [
    { item: 0 },
    { item: 9 },
    undefined,
    { item: 9 },
    undefined,
  ]);
  assertEquals([...list], array);
  assertEquals(list, array);
  assertEquals(Array.from(list), array);
  assertEquals(list.map(({ item }) => item * 2), array.map(({ item }) => item * 2));
  assertEquals(list.filter(({ item }) => item % 4 === 0), [{ item: 0 }, { item: 4 }, { item: 8 }]);
  assertEquals(list.slice(-4, -2), array.slice(-4, -2));
  assertEquals(list.concat([{ item: 10 }]).length, 11);
  assertEquals(list.toSorted((a, b) => b.item - a.item)[0], { item: 9 });
  assertEquals([list.find(({ item }) => item > 4), list.findIndex(({ item }) => item === 7)], [{ item: 5 }, 7]);
  assertEquals([...list.entries()][9], [9, { item: 9 }]);
  assertEquals([...list.keys()].length, 10);
  assertEquals(Object.keys(list), Object.keys(array));
  assertEquals([9 in list, 10 in list, "length" in list], [true, false, true]);
  assertEquals(JSON.stringify(list), JSON.stringify(array));
  const [first, , third, ...rest] = list;
  assertEquals([first, third, rest.length], [{ item: 0 }, { item: 2 }, 7]);
  const keys: string[] = [];
  for (const key in list) keys.push(key);
  assertEquals(keys.length, 10);
});

Deno.test("pagedList() cannot be changed", () => {
  const { list: readOnly } = listOf(4);
  const list: unknown[] = Array.isArray(readOnly) ? readOnly : [];

  assertThrows(() => list.push(1), TypeError);
  assertThrows(() => list.sort(), TypeError);
  assertThrows(() => list[0] = 1, TypeError);
  assertThrows(() => list.length = 0, TypeError);
  assertThrows(() => Object.freeze(list), TypeError);
  assertEquals(list.length, 4);
});

Deno.test("pagedList() reads each page once in order, and keeps two", () => {
  const { list, reads } = listOf(10);
  for (const _ of list);
  for (let index = 0; index < list.length; index++) assertEquals(list[index].item, index);
  assertEquals(reads, [0, 3, 6, 9, 0, 3, 6, 9]);
  assert(list[7] === list[8 - 1]);
  list[2];
  assertEquals(reads.length, 9);
});

Deno.test("pagedList() shows its first items in the console", () => {
  const shown = Deno.inspect(listOf(1000, 100).list);

  assert(shown.startsWith("["), shown);
  assert(shown.endsWith("... 900 more items"), shown);
  assertEquals(Deno.inspect(listOf(0).list), "[]");
});
