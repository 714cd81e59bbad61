/** Random numbers from a seed. */

/** Makes a function that returns whole numbers below its argument: xorshift on 32 bits. */
export function randomsOf(seed: number): (below: number) => number {
  let state = (seed * 2654435761 >>> 0) || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}
