/** Orders keys of groups, one after the other: by value where both are numbers, else as texts; missing ones last. */
export function compareKeys(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (one === other) continue;
    if (one === null) return 1;
    if (other === null) return -1;
    if (typeof one === "number" && typeof other === "number") {
      if (one < other) return -1;
      if (one > other) return 1;
      continue;
    }
    return String(one) < String(other) ? -1 : 1;
  }
  return 0;
}
