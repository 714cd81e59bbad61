/**
 * Private objects behind `Deno.internal`, which print and report results in the stock kernel of Deno.
 *
 * Where they are not as expected nothing is found, and a notebook shows what Deno shows by
 * itself. `tests/notebooks/toolkit_test.ts` fails when Deno changes them.
 */

import { OWN_KERNEL } from "@seqreg/core/io/tasks";

export { OWN_KERNEL };

/** A method of an object that has no types. */
export type AnyFunction = (...args: unknown[]) => unknown;

export interface KernelInternals {
  /** `Deno.jupyter`. */
  readonly api: object;
  /** Reports the last value of a cell, by `broadcastResult`. */
  readonly jupyter: object;
  /** Writes values as `console.log` does. */
  readonly inspect: AnyFunction;
}

/** Finds the objects of the kernel; `undefined` outside a notebook. */
export function findKernel(): KernelInternals | undefined {
  try {
    const api: unknown = Reflect.get(Deno, "jupyter");
    const internal: unknown = Reflect.get(Deno, Reflect.get(Deno, "internal"));
    if (typeof api !== "object" || api === null || typeof internal !== "object" || internal === null) return undefined;
    // Outside a notebook the first use throws.
    Reflect.get(api, "broadcast");
    const jupyter: unknown = Reflect.get(internal, "jupyter");
    const inspect = methodOf(internal, "inspectArgs");
    if (typeof jupyter !== "object" || jupyter === null || inspect === undefined) return undefined;
    return { api, jupyter, inspect };
  } catch {
    return undefined;
  }
}

/** What has become of a promise, by Deno's numbers: 0 pending, 1 fulfilled, 2 rejected. */
export type PromiseDetails = readonly [state: 0] | readonly [state: 1 | 2, value: unknown];

/** Reads what has become of a promise; without Deno's private function it counts as pending. */
export function promiseDetails(promise: Promise<unknown>): PromiseDetails {
  const internal: unknown = Reflect.get(Deno, Reflect.get(Deno, "internal"));
  const core: unknown = Object(internal) === internal ? Reflect.get(Object(internal), "core") : undefined;
  const read = Object(core) === core ? methodOf(Object(core), "getPromiseDetails") : undefined;
  const details: unknown = read?.(promise);
  if (!Array.isArray(details) || details[0] !== 1 && details[0] !== 2) return [0];
  return [details[0], details[1]];
}

/** Binds a method to its object; `undefined` without a function of this name. */
export function methodOf(owner: object, name: string): AnyFunction | undefined {
  const method: unknown = Reflect.get(owner, name);
  return typeof method === "function" ? (...args) => Reflect.apply(method, owner, args) : undefined;
}
