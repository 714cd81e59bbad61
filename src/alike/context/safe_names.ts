/** Names of sequences that alignment and tree programs accept as they are. */

/** Characters other than these are replaced: IQ-TREE would, and Newick has a meaning for some. */
const UNSAFE = /[^A-Za-z0-9_.|/-]+/g;

/**
 * Makes names safe and unique: anything but `A-Z`, `a-z`, digits and `_ . | / -` becomes `_`; a name that occurs again
 * gets a number.
 */
export function safeNames(texts: readonly string[]): string[] {
  const used = new Set<string>();
  return texts.map((text) => {
    const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").replace(UNSAFE, "_") || "_";
    let name = plain;
    for (let number = 2; used.has(name); number++) name = `${plain}_${number}`;
    used.add(name);
    return name;
  });
}
