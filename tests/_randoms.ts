/** Random numbers that are the same for the same seed (mulberry32). */

/** Makes a function that returns the next 32 bits as a whole number. */
export function wordsOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = state + 0x6d2b79f5 >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return (mixed ^ mixed >>> 14) >>> 0;
  };
}

/** Makes a function that returns the next number from 0 to below 1. */
export function randomsOf(seed: number): () => number {
  const word = wordsOf(seed);
  return () => word() / 2 ** 32;
}

/** Draws whole numbers below a bound. */
export type Draw = (below: number) => number;

export function drawFrom(seed: number): Draw {
  const word = wordsOf(seed);
  return (below) => word() % below;
}
