import { assertEquals, assertStringIncludes } from "@std/assert";
import { cursorAt } from "../../../../src/jupyter/kernel/help/cursor.ts";
import { FieldHelp } from "../../../../src/jupyter/kernel/help/field_help.ts";

const FIELDS = [
  { name: "Host Age", alias: "host_age", kind: "integer", description: "Age of the host", example: "3" },
  { name: "Host Species", alias: "host_species", kind: "string", description: "Species of the host", example: "" },
  { name: "Country", alias: "country", kind: "string", description: "Country of the sample", example: "Peru" },
];

function helper(fields: readonly unknown[] = FIELDS): FieldHelp {
  const help = new FieldHelp();
  help.learn({ fields });
  return help;
}

/** Matches and where they go, of code in which `|` is the cursor. */
function complete(code: string, help = helper()): unknown {
  const [before] = code.split("|");
  const answer = help.complete(cursorAt(before), [...before].length);
  return answer && [answer.matches, answer.cursor_start, answer.cursor_end];
}

function inspect(code: string): unknown {
  const [before, behind] = code.split("|");
  return Object(Object(helper().inspect(cursorAt(before), before, behind)).data)["text/plain"];
}

Deno.test("names complete inside quotation marks, aliases as words of a query, nothing elsewhere", async (t) => {
  const cases: Record<string, unknown> = {
    'x("Host A|")': [["Host Age"], 3, 9],
    "x('host |": [["Host Age", "Host Species"], 3, 8],
    "x(`Coun|`)": [["Country"], 3, 7],
    '"|"': [["Host Age", "Host Species", "Country"], 1, 1],
    'search("country:Peru AND host_|")': [["host_age", "host_species"], 25, 30],
    '"𝄞 host_a|"': [["host_age"], 3, 9],
    "Host A|": undefined,
    'x("a", Coun|)': undefined,
    "// it's Coun|": undefined,
    '/* "Coun| */': undefined,
    '"a\\"" + Coun|': undefined,
    'x(/"/, "Coun|")': [["Country"], 8, 12],
    "`${Coun|": undefined,
    '"no such|"': undefined,
    '"host:| "': undefined,
  };
  for (const [code, expected] of Object.entries(cases)) {
    await t.step(code, () => assertEquals(complete(code), expected));
  }
});

Deno.test("a name says what it means inside quotation marks and as a property", () => {
  const age = "Host Age (in queries: host_age)\ninteger: Age of the host\nexample: 3";
  for (const code of ['"Host Age|"', '"Ho|st Age"', '"host_a|ge:3"', "row.host_|age"]) assertEquals(inspect(code), age);
  for (const code of ["host_age|", '"age|"', "|"]) assertEquals(inspect(code), undefined);
});

Deno.test("completions of the kernel's are passed on with what is known of them", () => {
  const reply = {
    status: "ok",
    matches: ["Country", "constructor"],
    cursor_start: 4,
    cursor_end: 6,
    metadata: { a: 1 },
  };
  const explained = helper().explain(reply);

  assertEquals(explained?.matches, reply.matches);
  assertEquals(explained?.metadata, {
    a: 1,
    _jupyter_types_experimental: [
      { start: 4, end: 6, text: "Country", type: "field", signature: "string: Country of the sample" },
    ],
  });
  assertEquals(helper().explain({ ...reply, matches: ["constructor"] }), undefined);
  assertEquals(helper().explain({ status: "error" }), undefined);
});

Deno.test("a name that would end a text of code is never completed, and what is told is bounded", () => {
  const hostile = ['"; hacked(); "', "a'b", "`${x}`", "${x}", "a\nb", "a\\", "\u2028", "\x1b[2J", "", 3, null];
  const help = helper([...hostile.map((name) => ({ name, alias: name })), ...hostile, ...FIELDS]);
  assertStringIncludes(JSON.stringify(complete('"|"', help)), '[["3","Host Age","Host Species","Country"],1,1]');

  const many = helper(Array.from({ length: 10_000 }, (_, index) => ({ name: `n${index}`, alias: `a${index}` })));
  assertEquals(Object(many.complete(cursorAt('"n'), 2)).matches.length, 300);
  assertEquals(complete('"n9999|', many), undefined);
  const aliases = Array.from({ length: 10_000 }, (_, index) => ({ name: '"', alias: `a${index}` }));
  assertEquals(complete('"Country a9999|"', helper([FIELDS[2], ...aliases])), undefined);
});

Deno.test("nothing is answered before anything was told", () => {
  assertEquals(complete('"Coun|"', new FieldHelp()), undefined);
  const help = new FieldHelp();
  help.learn({ fields: "no list" });
  assertEquals(complete('"Coun|"', help), undefined);
});
