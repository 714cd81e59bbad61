/** Values of every kind that archives hold, and some that they should not: what all readings have to agree on. */
import * as fc from "fast-check";
import { MISSING_WORDS } from "../../../../src/core/contract/mod.ts";

const space = fc.constantFrom(...["", "", "", " ", "\u00a0", "\t", "\n", "\u3000", "\u0085", "\u2007", "  "]);
/** Invisible characters that are not white space: what they surround is neither a number nor a date. */
const invisible = fc.constantFrom(...["\ufeff", "\u200b", "\u200f", "\0", "\u00ad"]);

const anyCase = (text: string): fc.Arbitrary<string> =>
  fc.constantFrom(text, text.toUpperCase(), text[0].toUpperCase() + text.slice(1));

const digits = fc.oneof(
  fc.integer({ min: -99, max: 99 }).map(String),
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.integer({ min: -3, max: 3 }).map((step) => String(2n ** 53n + BigInt(step))),
  fc.integer({ min: 0, max: 99 }).map((number) => `00${number}`),
);
const number = fc.oneof(
  digits,
  fc.tuple(fc.constantFrom("+", "-", "--", "+ "), fc.nat({ max: 99 })).map(([sign, value]) => sign + value),
  fc.tuple(
    fc.integer({ min: -99, max: 99 }),
    fc.constantFrom(".", ".0", ".50", ".000", "e3", "E+2", "e-2", "e400", ".5e1"),
  )
    .map(([value, rest]) => value + rest),
  fc.double({ noNaN: false }).map(String),
  fc.constantFrom(
    ".5",
    "-.5",
    ".",
    "5.",
    "-0",
    "+0.0",
    "1,234",
    "1 234",
    "1_000",
    "1.234,5",
    "12,5",
    "12-14",
    "1e",
    "e3",
  ),
  fc.constantFrom("Infinity", "-inf", "NaN", "0x10", "0b1", "1e308", "1e309", "１２", "١٢", "½", "1/2", "10^6", "1e19"),
);
const measured = fc.tuple(number, fc.constantFrom(" ", "", "\u00a0"), fc.constantFrom("bp", "kb", "%", "BP", "bp."))
  .map((parts) => parts.join(""));

const two = (number: number) => String(number).padStart(2, "0");
const part = (most: number) =>
  fc.oneof(fc.integer({ min: 0, max: most }).map(two), fc.constantFrom("XX", "xx", "00", "Xx", "1"));
const year = fc.oneof(fc.integer({ min: 1995, max: 2025 }), fc.constantFrom(1, 20, 1900, 9999)).map((year) =>
  String(year).padStart(4, "0")
);
const month = fc.constantFrom("Jan", "feb", "MAY", "Dec", "Mai", "Sept");
const oneDate = fc.oneof(
  year,
  fc.tuple(year, part(13)).map((parts) => parts.join("-")),
  fc.tuple(year, part(12), part(32)).map((parts) => parts.join("-")),
  fc.tuple(part(31), month, year).map((parts) => parts.join("-")),
  fc.tuple(month, year).map((parts) => parts.join("-")),
);
const date = fc.oneof(
  { weight: 4, arbitrary: oneDate },
  fc.tuple(oneDate, oneDate).map((dates) => dates.join("/")),
  fc.tuple(oneDate, fc.constantFrom("T10:30:00Z", " 10:30", "T10", "1", "x", "Z")).map((parts) => parts.join("")),
  fc.tuple(part(31), part(12), year).chain((parts) => fc.constantFrom("/", ".", " ").map((sign) => parts.join(sign))),
  fc.constantFrom("0000", "0000-00-00", "XXXX-XX-XX", "20130505", "2013W05", "May 2013", "5 May 2013", "05-May-13"),
);

const text = fc.oneof(
  fc.constantFrom(
    "Re\u0301union",
    "R\u00e9union",
    "الهند",
    "\u202bעברית\u202c",
    "Zika virus",
    "unknown virus",
    "no value",
  ),
  fc.constantFrom(
    "a;b",
    " a ;\u00a0b;",
    ";",
    ";;",
    "?;a",
    "none;none",
    "unknown; ",
    "nan;x",
    "😀",
    "'",
    '"',
    ",",
    "a\0b",
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }).map((text) => text.toWellFormed()),
);

const core = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...MISSING_WORDS).chain(anyCase) },
  { weight: 5, arbitrary: number },
  { weight: 3, arbitrary: measured },
  { weight: 5, arbitrary: date },
  fc.constantFrom("true", "t", "yes", "y", "1", "false", "f", "no", "n", "0", "maybe", "2", "yeſ").chain(anyCase),
  text,
);

/** Any value: now and then with white space, or something that looks like it, around. */
export const anyValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: core },
  { weight: 3, arbitrary: fc.tuple(space, core, space).map((parts) => parts.join("")) },
  fc.tuple(invisible, core).map((parts) => parts.join("")),
  fc.tuple(core, invisible).map((parts) => parts.join("")),
  fc.constantFrom("", " ", "\u00a0", "\u3000\u0085", "\u200b"),
);
