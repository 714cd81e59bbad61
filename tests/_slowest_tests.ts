/** The slowest tests of a report in JUnit's format, which `deno test --junit-path` writes. */
import { XMLParser } from "fast-xml-parser";

/** A test and how long it took. */
export interface TimedTest {
  readonly name: string;
  /** Its file, as Deno names it. */
  readonly file: string;
  readonly seconds: number;
}

/** Reads a report; returns so many tests, the slowest first. */
export function slowestTests(report: string, count: number): TimedTest[] {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    isArray: (name) => name === "testsuite" || name === "testcase",
  });
  const { testsuites } = parser.parse(report);
  const tests = (testsuites.testsuite ?? []).flatMap((
    { testcase = [] }: { testcase?: readonly Record<string, string>[] },
  ) => testcase.map(({ name, classname, time }) => ({ name, file: classname, seconds: Number(time) }))) as TimedTest[];
  return tests.sort((a, b) => b.seconds - a.seconds).slice(0, count);
}
