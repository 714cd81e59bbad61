import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { InvalidRequestError } from "../../../src/core/client/mod.ts";
import { ParseError, RegistryError, setStackWriter } from "../../../src/core/errors.ts";
import { errorView, faultsView, isToolkitError, writeStack } from "../../../src/jupyter/notebook/error_view.ts";

function refusal(): InvalidRequestError {
  return new InvalidRequestError("Cannot search: the registry refused the request (422); correct the request", {
    status: 422,
    statusText: "",
    url: "http://127.0.0.1/v2/search",
    headers: new Headers(),
    excerpt: "",
    issues: [{ loc: ["body", "filter", 0, "<b>"], msg: "expected <i>text</i>", type: "invalid_type" }],
  });
}

Deno.test("an error says what failed, then what to do, then why", () => {
  const cause = new TypeError("outer", { cause: new Error("inner") });
  const error = new RegistryError("disk", "Cannot write a: b: the disk is full; make room", { cause });

  assertEquals(errorView(error)["text/plain"].split("\n"), [
    "RegistryError: Cannot write a: b: the disk is full",
    "  next: make room",
    "  cause: TypeError: outer",
    "  cause: Error: inner",
  ]);
});

Deno.test("a cause that goes in a circle ends", () => {
  const error: Error = new RegistryError("disk", "Cannot read; look");
  error.cause = error;

  assert(errorView(error)["text/plain"].split("\n").length < 10);
});

Deno.test("the faults of a 422 are a table, escaped", () => {
  const view = faultsView(refusal());

  assertStringIncludes(view!["text/plain"], "body › filter › 0 › <b>");
  assertFalse(view!["text/html"]!.includes("<i>text"));
  assertStringIncludes(errorView(refusal())["text/html"]!, "seqreg-table");
  assertEquals(faultsView(new Error("other")), undefined);
});

Deno.test("a refusal begins with what is wrong in the request", () => {
  const details = { status: 422, statusText: "", url: "http://127.0.0.1", headers: new Headers(), excerpt: "" };
  const head = (said: string, issues: InvalidRequestError["issues"] = []) =>
    errorView(
      new InvalidRequestError(`Cannot search: the registry refused the request (422)${said}; correct the request`, {
        ...details,
        issues,
      }),
    )["text/plain"].split("\n")[0];
  const issue = { loc: ["body", "query"], type: "criteria", msg: "" };
  const unknown = 'query, column 1: no field is called "contry"; did you mean "country"?';

  assertEquals(
    head("", [{ ...issue, msg: unknown }]),
    'InvalidRequestError: Unknown field "contry" (column 1 of the query). Did you mean "country"?',
  );
  assertEquals(head("", [{ ...issue, msg: "too long" }, issue]), "InvalidRequestError: Too long (query). (and 1 more)");
  assertEquals(
    head(': Invalid parameter download.metadata: "Contry" is no public field; did you mean "Country"?'),
    'InvalidRequestError: "Contry" is no public field. Did you mean "Country"?',
  );
  assertEquals(head(""), "InvalidRequestError: Cannot search: the registry refused the request (422)");
});

Deno.test("a stack keeps the lines of the user's own code and drops ours", () => {
  const ours = new URL("../../../src/core/client/x.ts", import.meta.url).href;
  const stack = ["Error: x", `    at ask (${ours}:1:2)`, "    at ext:core/a.js:1:1", "    at <anonymous>:3:4"].join(
    "\n",
  );

  assertEquals(writeStack(refusal(), stack).split("\n"), [
    "InvalidRequestError: Expected <i>text</i> (filter › 0 › <b>).",
    "  Cannot search: the registry refused the request (422)",
    "    at <anonymous>:3:4",
  ]);
});

Deno.test("a stack writer writes the stacks of the family, and of nothing else", () => {
  setStackWriter((error) => `WRITTEN ${error.name}`);
  try {
    assertEquals(refusal().stack, "WRITTEN InvalidRequestError");
    assertEquals(new ParseError("no").stack, "WRITTEN ParseError");
    assertFalse(new TypeError("no").stack?.startsWith("WRITTEN"));
  } finally {
    setStackWriter(undefined);
  }
  assertFalse(refusal().stack?.startsWith("WRITTEN"));
  assert(isToolkitError(refusal()) && !isToolkitError(new TypeError("no")));
});

Deno.test("a message is well-formed whatever it quotes", () => {
  assertEquals(new RegistryError("disk", "Cannot read \ud800").message, "Cannot read \ufffd");
  assertEquals(new ParseError("no \udc00").message, "no \ufffd");
});
