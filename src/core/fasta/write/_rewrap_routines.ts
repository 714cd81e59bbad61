/** Wraps sequences anew, from text to text, in WebAssembly. */
import { WASM_BASE64 } from "../wasm/rewrap_wasm.ts";
import { BASE_CLASS } from "../text/bases.ts";
import { layOut, RecordRuns, RUN_EXPORTS, type RunExports } from "./_record_runs.ts";
import { startWasm, type WasmNumber } from "../../io/tasks/wasm.ts";

/** Bytes beyond its limit that the output may grow in one call. */
export const SLACK_BYTES = 3 << 12;

/** What wraps the lines of one sequence after the other. */
export interface RewrapRoutines {
  /** Where bytes are put. */
  readonly input: Uint8Array;
  /** Where lines come out; it has room for more than its limit. */
  readonly output: Uint8Array;
  /** Where the output ends; the caller writes headers, and takes what is there. */
  end: number;
  /** Bases on the line that is being written. */
  readonly column: number;
  /** Bases of the sequence so far. */
  readonly bases: number;
  /** Line ends that the last call has passed. */
  readonly lines: number;
  /** Offset of the first byte of the last call that is not a sequence character; -1 for none. */
  readonly invalidOffset: number;
  /** Line ends that the last call had passed before that byte. */
  readonly invalidLines: number;
  /** What writes whole records, where the module can. */
  readonly runs: RecordRuns | undefined;
  /** Begins a sequence, behind its header. */
  begin(): void;
  /**
   * Writes the lines of the input from `from` up to `to` in lines of `wrap` bases, dropping white space. A line that
   * would begin with `>` or `;` begins with a space. The last line is not ended.
   *
   * @returns Where it stopped: at `to`, at a `>` or `;` that begins a line, or anywhere when the output reaches
   * `limit`.
   */
  rewrap(from: number, to: number, limit: number, wrap: number): number;
}

/** Makes a module with room for so many bytes. */
export function makeRewrapRoutines(inputBytes: number, outputBytes: number): RewrapRoutines {
  const names = ["memory", "state", "classes", "input", "output", "layout", "rewrap", ...RUN_EXPORTS] as const;
  const exports = startWasm<RewrapExports>(WASM_BASE64, "routines that wraps lines", names);
  return new WasmRewrapRoutines(exports, inputBytes, outputBytes);
}

interface RewrapExports extends RunExports {
  readonly classes: WasmNumber;
  rewrap(from: number, to: number, limit: number, wrap: number): number;
}

class WasmRewrapRoutines implements RewrapRoutines {
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly runs: RecordRuns;
  readonly #wasm: RewrapExports;
  /** What the module keeps from call to call: see `wasm/rewrap.as.ts`. */
  readonly #state: Float64Array;
  readonly #inputAt: number;
  readonly #outputAt: number;

  constructor(wasm: RewrapExports, inputBytes: number, outputBytes: number) {
    layOut(wasm, inputBytes, outputBytes + SLACK_BYTES);
    const { buffer } = wasm.memory;
    this.#wasm = wasm;
    this.input = new Uint8Array(buffer, wasm.input.value, inputBytes);
    this.output = new Uint8Array(buffer, wasm.output.value, outputBytes + SLACK_BYTES);
    this.runs = new RecordRuns(wasm);
    this.#state = new Float64Array(buffer, wasm.state.value, 16);
    this.#inputAt = this.input.byteOffset;
    this.#outputAt = this.output.byteOffset;
    this.end = 0;
    new Uint8Array(buffer, wasm.classes.value, 256).set(BASE_CLASS);
  }

  get end(): number {
    return this.#state[0] - this.#outputAt;
  }

  set end(offset: number) {
    this.#state[0] = this.#outputAt + offset;
  }

  get column(): number {
    return this.#state[1];
  }

  get bases(): number {
    return this.#state[2];
  }

  get lines(): number {
    return this.#state[3];
  }

  get invalidOffset(): number {
    return this.#state[4] === 0 ? -1 : this.#state[4] - this.#inputAt;
  }

  get invalidLines(): number {
    return this.#state[5];
  }

  begin(): void {
    this.#state[1] = 0;
    this.#state[2] = 0;
    this.#state[6] = 1;
  }

  rewrap(from: number, to: number, limit: number, wrap: number): number {
    const stop = this.#wasm.rewrap(this.#inputAt + from, this.#inputAt + to, this.#outputAt + limit, wrap);
    return stop - this.#inputAt;
  }
}
