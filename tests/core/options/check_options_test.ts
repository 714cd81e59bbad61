/** One checker for every options object: what it refuses, in which words, and what does not compile. */
import { assertEquals, assertThrows } from "@std/assert";
import { checkArgument, checkOptions } from "../../../src/core/options/check_options.ts";
import type { OptionRules } from "../../../src/core/options/option_rule.ts";
import * as rule from "../../../src/core/options/rules.ts";

interface Sort {
  readonly column: string;
  readonly order?: "asc" | "desc";
}

interface Options {
  readonly ids: readonly string[];
  readonly pageSize?: number;
  readonly sort?: Sort;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string | URL;
  readonly keys?: "id" | "alias" | null;
  readonly top?: "all" | number;
  readonly all?: boolean;
  readonly onProgress?: (records: number) => void;
  readonly signal?: AbortSignal;
}

const SORT = {
  column: rule.required(rule.text),
  order: rule.oneOf(["asc", "desc"]),
} satisfies OptionRules<Sort>;

const SORT_OR_NONE = { sort: rule.shape<Sort>(SORT) } satisfies OptionRules<Pick<Options, "sort">>;

const OPTIONS = {
  ids: rule.required(rule.texts),
  pageSize: rule.wholeNumber({ from: 1, to: 10_000 }),
  sort: rule.shape(SORT),
  headers: rule.concealed(rule.recordOf(rule.text, "texts")),
  path: rule.either(rule.text, rule.instanceOf("a URL", URL)),
  keys: rule.nullable(rule.oneOf(["id", "alias"])),
  top: rule.either(rule.oneOf(["all"]), rule.wholeNumber({ from: 1 })),
  all: rule.flag,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<Options>;

type Refusal = readonly [options: unknown, error: typeof TypeError | typeof RangeError, message: string];

Deno.test("checkOptions() refuses what is not an option, and names what would be", async (t) => {
  const refusals: Record<string, Refusal> = {
    "other capitals": [
      { ids: [], pagesize: 3 },
      TypeError,
      'unknown option "pagesize" of f(), did you mean "pageSize"?',
    ],
    "nothing near": [
      { ids: [], zz: 1 },
      TypeError,
      'unknown option "zz" of f(); allowed: ids, pageSize, sort, headers',
    ],
    "unknown and undefined": [{ ids: [], zz: undefined }, TypeError, 'unknown option "zz" of f()'],
    "within another": [
      { ids: [], sort: { colum: "a" } },
      TypeError,
      'option "sort.colum" of f(), did you mean "column"?',
    ],
    "missing": [{}, TypeError, 'option "ids" of f() is missing: it must be a list of texts'],
    "missing within another": [{ ids: [], sort: {} }, TypeError, 'option "sort.column" of f() is missing'],
    "no object": ["x", TypeError, "the options of f() must be an object, { ids, pageSize?, sort?"],
    "null": [null, TypeError, "not null"],
    "an empty list": [[], TypeError, "not []"],
    "a list": [[10, "a", null, [1], {}], TypeError, 'not [10, "a", null, a list, …]'],
    "a signal alone": [AbortSignal.abort(), TypeError, "not an AbortSignal"],
    "an object of the prototype's": [{ ids: [], toString: 1 }, TypeError, 'unknown option "toString" of f()'],
  };
  for (const [name, [options, error, message]] of Object.entries(refusals)) {
    await t.step(name, () => void assertThrows(() => check(options), error, message));
  }
});

Deno.test("checkOptions() refuses wrong types as TypeError and wrong values as RangeError", async (t) => {
  const refusals: Record<string, Refusal> = {
    "number as text": [
      { pageSize: "3" },
      TypeError,
      'option "pageSize" of f() must be a whole number from 1 to 10,000, not "3"',
    ],
    "number too small": [{ pageSize: 0 }, RangeError, "not 0"],
    "number not whole": [{ pageSize: 1.5 }, RangeError, "not 1.5"],
    "NaN": [{ pageSize: NaN }, RangeError, "not NaN"],
    "bigint": [{ pageSize: 3n }, TypeError, "not 3n"],
    "text for an object": [
      { sort: "sequence_length" },
      TypeError,
      'option "sort" of f() must be an object, { sort: { column, order? } }, not "sequence_length"',
    ],
    "unknown value": [
      { sort: { column: "a", order: "descend" } },
      RangeError,
      'option "sort.order" of f() must be "asc" or "desc", not "descend", did you mean "desc"?',
    ],
    "value of a list": [{ ids: ["a", 3] }, TypeError, 'option "ids[1]" of f() must be a text, not 3'],
    "hole of a list": [{ ids: ["a", undefined] }, TypeError, 'option "ids[1]" of f() is missing: it must be a text'],
    "text for a list": [{ ids: "a" }, TypeError, 'must be a list of texts, not "a"'],
    "neither of two types": [{ path: 3 }, TypeError, "must be a text or a URL, not 3"],
    "neither of two values": [
      { top: "al" },
      RangeError,
      'must be "all" or a whole number from 1, not "al", did you mean',
    ],
    "null for what has no null": [{ path: null }, TypeError, "not null"],
    "beside null": [{ keys: "alais" }, RangeError, 'must be "id" or "alias", not "alais", did you mean "alias"?'],
    "truthy": [{ all: 1 }, TypeError, "must be true or false, not 1"],
    "a function that is called": [{ onProgress: {} }, TypeError, "must be a function, not {}"],
    "a controller": [{ signal: new AbortController() }, TypeError, "not an AbortController"],
    "a symbol": [{ signal: Symbol("x") }, TypeError, "not a symbol"],
  };
  for (const [name, [options, error, message]] of Object.entries(refusals)) {
    await t.step(name, () => void assertThrows(() => check({ ids: [], ...options as object }), error, message));
  }
});

Deno.test("checkOptions() accepts what the type allows, and `undefined` for what is not given", () => {
  assertThrows(() => check(undefined), TypeError, 'option "ids" of f() is missing');
  checkOptions<Pick<Options, "sort">>("f()", undefined, SORT_OR_NONE);
  check({
    ids: ["a"],
    pageSize: 10_000,
    sort: { column: "a", order: undefined },
    headers: { a: "b" },
    path: new URL("file:///a"),
    keys: null,
    top: "all",
    all: false,
    onProgress: () => {},
    signal: AbortSignal.abort(),
  });
  check(Object.assign(Object.create(null), { ids: [] }));
});

Deno.test("checkOptions() shows no secret and no giant", () => {
  const secret = "Bearer 0123";
  const messages = [{ headers: secret }, { headers: { Authorization: [secret] } }].map((options) =>
    assertThrows(() => check({ ids: [], ...options }), TypeError).message
  );
  assertEquals(messages, [
    'option "headers" of f() must be an object of texts, not a text',
    'option "headers.Authorization" of f() must be a text, not a list',
  ]);

  const giant = "x".repeat(1 << 20);
  for (const options of [{ pageSize: giant }, { pageSize: { [giant]: 1 } }, { pageSize: 10n ** 10_000n }]) {
    assertEquals(assertThrows(() => check({ ids: [], ...options }), TypeError).message.length < 300, true);
  }
  assertEquals(assertThrows(() => check({ ids: [], [giant]: 1 }), TypeError).message.length < 300, true);
});

Deno.test("checkArgument() names the argument", () => {
  const format = rule.required(rule.oneOf(["csv", "tsv"]));
  const convert = (value: "csv" | "tsv") => checkArgument("convert()", "format", value, format);

  convert("tsv");
  assertThrows(
    () => convert(JSON.parse('"cvs"')),
    RangeError,
    'must be "csv" or "tsv", not "cvs", did you mean "csv"?',
  );
  assertThrows(() => convert(JSON.parse("{}").none), TypeError, 'argument "format" of convert() is missing');
});

Deno.test("rules that do not fit the options do not compile", () => {
  type Page = Pick<Options, "pageSize">;
  type Keys = Required<Pick<Sort, "order">>;
  // @ts-expect-error an option without a rule
  const without = {} satisfies OptionRules<Page>;
  // @ts-expect-error a rule without an option
  const beyond = { pageSize: rule.wholeNumber(), page: rule.text } satisfies OptionRules<Page>;
  // @ts-expect-error a rule for another type
  const other = { pageSize: rule.text } satisfies OptionRules<Page>;
  // @ts-expect-error a required option that may be absent
  const optional = { order: rule.oneOf(["asc", "desc"]) } satisfies OptionRules<Keys>;
  // @ts-expect-error a value is not declared
  const fewer = { order: rule.required(rule.oneOf(["asc"])) } satisfies OptionRules<Keys>;
  // @ts-expect-error a value that the type does not have
  const more = { order: rule.required(rule.oneOf(["asc", "desc", "up"])) } satisfies OptionRules<Keys>;

  assertEquals([without, beyond, other, optional, fewer, more].length, 6);
});

function check(options: unknown): void {
  checkOptions("f()", options as Options | undefined, OPTIONS);
}
