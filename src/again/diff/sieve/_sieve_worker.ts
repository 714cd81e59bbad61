/** Reads one version in a thread of its own: receives a task, and answers with progress and with the result. */
import { hashRows, pickRows } from "./_hash_rows.ts";
import { joinHashes } from "./_join_hashes.ts";
import type { SieveAnswer, SieveTask } from "./_sieve_thread.ts";

addEventListener("message", async (event) => {
  if (!(event instanceof MessageEvent)) return;
  const [port] = event.ports;
  const answer = (message: SieveAnswer): void => port.postMessage(message);
  const task: SieveTask = event.data;
  try {
    if ("bits" in task) {
      await pickRows(task);
      answer({ kind: "picked" });
    } else if ("files" in task) {
      answer({ kind: "joined", found: await joinHashes(task) });
    } else {
      answer({ kind: "hashed", found: await hashRows(task, (done) => answer({ kind: "bytes", done })) });
    }
  } catch {
    // The caller reads the file again and reports what is wrong with it.
    answer({ kind: "failed" });
  }
});
