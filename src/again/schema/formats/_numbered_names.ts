/** Names of tables in formats that have fewer characters than the names in the source. */

/**
 * Numbers names that are the same: the second has a 2 at its end, and so on; numbers that are taken are skipped.
 *
 * @param separator What stands before the number.
 */
export function numberedNames(names: readonly string[], separator = ""): string[] {
  const taken = new Set(names);
  return names.map((name, index) => {
    if (names.indexOf(name) === index) return name;
    let number = 2;
    while (taken.has(`${name}${separator}${number}`)) number++;
    taken.add(`${name}${separator}${number}`);
    return `${name}${separator}${number}`;
  });
}
