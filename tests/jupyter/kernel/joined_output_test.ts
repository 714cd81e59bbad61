import { assertEquals } from "@std/assert";
import { JoinedOutput } from "../../../src/jupyter/kernel/joined_output.ts";

function recorder() {
  const sent: string[] = [];
  const joined = new JoinedOutput(({ name, text, parent }) => sent.push(`${parent.msg_id} ${name} ${text}`));
  /** Sends on at once what is not kept, as the ordering rule does. */
  const print = (text: string, name = "stdout", cell = "1") => {
    if (!joined.take({ name, text, parent: { msg_id: cell } })) sent.push(`${cell} ${name} ${text} alone`);
  };
  return { sent, joined, print };
}

/** The gathering ends with a timer of its own. */
const untilGathered = () => new Promise((resolve) => setTimeout(resolve, 100));

Deno.test("the first line goes on at once, those close behind it together, none is lost", async () => {
  const { sent, print } = recorder();
  for (const text of ["a", "b", "c"]) print(text);
  assertEquals(sent, ["1 stdout a alone"]);
  await untilGathered();
  assertEquals(sent, ["1 stdout a alone", "1 stdout bc"]);
  await untilGathered();
});

Deno.test("another stream, another cell and a flush each end what is gathered", async () => {
  const { sent, joined, print } = recorder();
  print("a");
  print("b");
  print("c", "stderr");
  print("d", "stderr", "2");
  joined.flush();
  joined.flush();
  assertEquals(sent, ["1 stdout a alone", "1 stdout b", "1 stderr c", "2 stderr d"]);
  await untilGathered();
});
