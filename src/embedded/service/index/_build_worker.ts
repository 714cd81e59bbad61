/** Builds an index in a separate thread: receives the folder, reports progress and the result. */
import { messageOf } from "@seqreg/core/errors";
import type { BuildAnswer } from "./_build_thread.ts";
import { buildIndex } from "./build/build_index.ts";
import { readState } from "./build/build_state.ts";

addEventListener("message", async (event) => {
  if (!(event instanceof MessageEvent)) return;
  const [port] = event.ports;
  const folder: string = event.data;
  const answer = (message: BuildAnswer): void => port.postMessage(message);
  const stop = new AbortController();
  port.onmessage = () => stop.abort(new DOMException("the building was given up", "AbortError"));
  answer({ kind: "begun" });
  try {
    const state = await readState(folder);
    if (state === undefined) throw new TypeError("it is not sealed");
    const summary = await buildIndex(folder, state, {
      signal: stop.signal,
      onProgress: (done, total) => answer({ kind: "step", done, total }),
    });
    answer({ kind: "built", summary });
  } catch (cause) {
    answer({ kind: "failed", message: messageOf(cause) });
  }
});
